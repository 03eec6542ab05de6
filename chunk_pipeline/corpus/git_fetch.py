"""Bringing a git source's commit into the cache, and telling a deleted branch from a server that is away.

The cache is a bare repository per source. Its one ref is moved only when a fetch has ended, so a killed fetch
leaves the last state; the address, which may hold a password, is never written into it. Reading the objects
does not belong here (``git``).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from chunk_pipeline.corpus.entry import SourceAwayError, SourceRefusedError, SourceUnreachableError
from chunk_pipeline.corpus.git_command import (
    FETCH_TIMEOUT,
    LOCAL_TIMEOUT,
    QUESTION_TIMEOUT,
    GitError,
    run_git,
)
from chunk_pipeline.corpus.git_local import borrowed_part, is_away
from chunk_pipeline.corpus.git_urls import git_location
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.source import Source

OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""A full object id, SHA-1 or SHA-256."""

_REF = "refs/chunk-pipeline/snapshot"
_REFUSALS = ("fsck error", "dubious ownership", "not our ref", "couldn't find remote ref", "' not allowed")
_LEFTOVERS = ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*", "objects/pack/*.lock")


@dataclass(frozen=True, slots=True)
class RemoteRef:
    """A ref's full name on its server and the commit that it names."""

    name: str
    commit: str


def remote_ref(source: Source) -> RemoteRef:
    """What the source's ref is on its server now; one question, nothing fetched.

    A ref may be ``HEAD``, a branch, a tag (branches first, as ``git clone --branch``), a full ``refs/…`` or a
    full commit id, which needs no question.

    Raises:
        SourceUnreachableError: The server does not answer.
        SourceAwayError: It is a local repository that is not there.
        SourceRefusedError: It has no such ref (the branch was deleted, or the repository is empty), or it is
            a folder that reads from another repository.
    """
    location = git_location(source.url)
    if location.folder is not None and (borrowed := borrowed_part(location.folder)):
        raise SourceRefusedError(f"source {source.name!r}: {borrowed}")
    if OBJECT_ID.fullmatch(source.ref):
        return RemoteRef(source.ref, source.ref)
    names = _ref_names(source.ref)
    asked = ["ls-remote", "--quiet", "--", location.address, *names]
    with _named_errors(source):
        answer = run_git(asked, repository=None, protocol=location.protocol, timeout=QUESTION_TIMEOUT)
    lines = (line.partition("\t") for line in answer.decode("utf-8", "backslashreplace").splitlines())
    found = {name: object_id for object_id, _, name in lines if OBJECT_ID.fullmatch(object_id)}
    for name in names:
        if name in found:
            return RemoteRef(name.removesuffix("^{}"), found[name])
    raise SourceRefusedError(
        f"source {source.name!r}: there is no ref {source.ref!r} (branch deleted, or repository empty); "
        "correct 'ref'. Nothing is taken as deleted"
    )


def fetch(source: Source, cache: Path) -> tuple[str, Path]:
    """Bring what the source's ref names now into its cache.

    A ref that was moved back or rewritten (force-push) is followed. A damaged cache is made anew. Nothing is
    fetched where the cache has the commit already.

    Args:
        source: A source of kind ``git``.
        cache: Folder of all caches; this one is ``<partition key>.git`` below, under a file lock.

    Returns:
        The commit and the bare repository that holds it.

    Raises:
        SourceUnreachableError: The server does not answer, or the lock is held too long.
        SourceRefusedError: No such ref, it is no commit, or git refuses the repository's objects.
    """
    ref = remote_ref(source)
    repository = cache_of(source, cache)
    cache.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(f"{repository}.lock", timeout=FETCH_TIMEOUT):
            if _is_current(repository, ref.commit):
                return ref.commit, repository
            return _fetch(source, ref, repository), repository
    except Timeout as error:
        raise SourceUnreachableError(
            f"source {source.name!r}: another run has held {repository}.lock too long; see what it does"
        ) from error


def local_git(repository: Path, *arguments: str) -> bytes:
    """Run a git command on the cache, with no transport allowed.

    Raises:
        GitError: It failed.
    """
    return run_git(arguments, repository=repository, protocol="", timeout=LOCAL_TIMEOUT)


def cache_of(source: Source, cache: Path) -> Path:
    """The bare repository of a source."""
    return cache.absolute() / f"{partition_key(source.name)}.git"


def has_commit(repository: Path, commit: str) -> bool:
    """Whether the cache has a commit with all its trees; each is looked at once, however often named."""
    try:
        local_git(repository, "rev-list", "--quiet", "--no-walk", "--objects", "--filter=blob:none", commit)
    except GitError:
        return False
    return True


def _is_current(repository: Path, commit: str) -> bool:
    """Whether the last fetch that ended brought that commit: only then are all its objects there."""
    try:
        have = local_git(repository, "rev-parse", "--verify", "--quiet", f"{_REF}^{{commit}}")
    except GitError:
        return False
    return have.decode().strip() == commit and has_commit(repository, commit)


def _fetch(source: Source, ref: RemoteRef, repository: Path) -> str:
    """Fetch, and once more into a new cache where the old one does not hold afterwards what it should."""
    for attempt in range(2):
        _prepare(repository, ref.commit)
        try:
            _fetch_once(source, ref, repository)
            fetched = local_git(repository, "rev-parse", "--verify", f"{_REF}^{{}}").decode().strip()
            kind = local_git(repository, "cat-file", "-t", fetched).decode().strip()
        except GitError as error:
            if attempt == 0 and not _is_sound(repository):
                shutil.rmtree(repository)
                continue
            with _named_errors(source):
                raise error
        if kind != "commit":
            raise SourceRefusedError(
                f"source {source.name!r}: {source.ref!r} is a {kind}, not a commit; correct 'ref'"
            )
        if _is_current(repository, fetched):
            return fetched
        shutil.rmtree(repository)
    raise SourceUnreachableError(f"source {source.name!r}: what was fetched is incomplete; try again")


def _is_sound(repository: Path) -> bool:
    """Whether the cache's own state is whole: a damaged one makes every later fetch fail."""
    try:
        if local_git(repository, "for-each-ref", _REF):
            local_git(repository, "rev-list", "--objects", "--quiet", _REF)
    except GitError:
        return False
    return True


def _prepare(repository: Path, commit: str) -> None:
    """An initialised cache of the commit's object format, without what a killed fetch left."""
    kind = "sha256" if len(commit) == 64 else "sha1"
    try:
        fits = local_git(repository, "rev-parse", "--show-object-format").decode().strip() == kind
    except GitError:
        fits = False
    if not fits:
        shutil.rmtree(repository, ignore_errors=True)
        repository.mkdir(parents=True)
        local_git(repository, "init", "--quiet", "--bare", "--template=", f"--object-format={kind}")
    for pattern in _LEFTOVERS:
        for leftover in repository.glob(pattern):
            leftover.unlink()


def _fetch_once(source: Source, ref: RemoteRef, repository: Path) -> None:
    location = git_location(source.url)
    depth = [f"--depth={source.depth}"] if source.depth else []
    fixed = ["--quiet", "--force", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]
    run_git(
        ["fetch", *fixed, "--update-shallow", *depth, "--", location.address, f"+{ref.name}:{_REF}"],
        repository=repository,
        protocol=location.protocol,
        timeout=FETCH_TIMEOUT,
    )


def _ref_names(ref: str) -> list[str]:
    """What a ref may mean, the most likely first; ``^{}`` is what an annotated tag points to."""
    if ref == "HEAD":
        return [ref]
    names = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    return [each for name in names for each in (f"{name}^{{}}", name)]


@contextmanager
def _named_errors(source: Source) -> Iterator[None]:
    """Turn git's errors into ours: whose, whether trying again helps, what to do."""
    try:
        yield
    except GitError as error:
        text = f"source {source.name!r}: {error}"
        if "dubious ownership" in text:
            text += "; the folder belongs to another user: change its owner, or use 'kind: folder'"
        if any(sign in text for sign in _REFUSALS):
            raise SourceRefusedError(text) from error
        folder = git_location(source.url).folder
        if folder is not None and is_away(folder):
            raise SourceAwayError(text) from error
        raise SourceUnreachableError(text) from error
