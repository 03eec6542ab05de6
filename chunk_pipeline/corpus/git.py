"""A git repository as a snapshot: blobs of one commit, out of the object database.

Nothing is ever checked out: no hook, filter, submodule, LFS download or symlink of the repository can act,
and line ends are those committed. How the objects came here does not belong here (``git_fetch``).
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from chunk_pipeline.corpus.entry import (
    Entry,
    EntryUnreadableError,
    Kind,
    SourceRefusedError,
    SourceUnreachableError,
)
from chunk_pipeline.corpus.git_command import GitError, GitOutputError, start_git
from chunk_pipeline.corpus.git_fetch import OBJECT_ID, cache_of, fetch, has_commit, local_git, remote_ref
from chunk_pipeline.corpus.paths import escape_path
from chunk_pipeline.corpus.source import Source

_KINDS: dict[bytes, Kind] = {
    b"100644": "file",
    b"100755": "file",
    b"100664": "file",
    b"120000": "symlink",
    b"160000": "submodule",
}


@dataclass(frozen=True)
class GitSnapshot:
    """The blobs of one commit.

    Attributes:
        id: The commit.
        repository: Bare repository that holds its objects.
        sub_path: Folder that the source is limited to, or empty; entries keep their path from the root.
    """

    id: str
    repository: Path
    sub_path: str = ""

    def entries(self) -> list[Entry]:
        """Every path of the commit, sorted by path; not one blob is read.

        Raises:
            SourceRefusedError: The commit has no such sub-path, or more paths than are read.
        """
        tree = f"{self.id}:{self.sub_path}"
        try:
            listing = local_git(self.repository, "ls-tree", "-r", "-z", "-l", "--full-tree", tree)
        except GitOutputError as error:
            raise SourceRefusedError(
                f"commit {self.id} lists too many paths ({error}); limit the source with 'sub_path'"
            ) from error
        except GitError as error:
            raise SourceRefusedError(
                f"commit {self.id} has no folder {self.sub_path!r} ({error}); correct 'sub_path'"
            ) from error
        prefix = self.sub_path.encode() + b"/" if self.sub_path else b""
        return sorted(_entry(line, prefix) for line in listing.split(b"\0") if line)

    def read(self, entry: Entry) -> bytes:
        """The blob, unfiltered.

        Raises:
            EntryUnreadableError: It is no blob, or missing from the object database.
        """
        for _, data in self.read_many([entry]):
            return data
        raise EntryUnreadableError(f"missing: the repository lacks the blob {entry.object_id or '(none)'}")

    def read_many(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The blobs, in that order, through one ``git cat-file``. Missing ones are left out.

        Raises:
            SourceUnreachableError: The cache is damaged; the message says what to delete.
        """
        with _blob_reader(self.repository) as blob:
            for entry in entries:
                data = blob(entry.object_id) if entry.kind == "file" else None
                if data is not None:
                    yield entry, data


def git_head(source: Source) -> str:
    """The commit that the source's ref names on its server now.

    Raises:
        SourceUnreachableError: The server does not answer.
        SourceRefusedError: It has no such ref: the branch was deleted, or the repository is empty.
    """
    return remote_ref(source).commit


def open_git(source: Source, cache: Path) -> GitSnapshot:
    """Fetch what the source's ref names now (``git_fetch.fetch`` says what it raises) and open it."""
    commit, repository = fetch(source, cache)
    return GitSnapshot(commit, repository, source.sub_path)


def pinned_git(source: Source, cache: Path, commit: str) -> GitSnapshot:
    """The source at a commit that was fetched before; the server is asked only if the cache was lost.

    Raises:
        SourceUnreachableError: The cache was lost and the server does not answer.
        SourceRefusedError: The commit is neither in the cache nor what the ref names now.
    """
    repository = cache_of(source, cache)
    if not has_commit(repository, commit):
        now, _ = fetch(source, cache)
        if now != commit and not has_commit(repository, commit):
            raise SourceRefusedError(
                f"source {source.name!r}: commit {commit} is in the cache no more, and {source.ref!r} names "
                f"{now} now; materialise raw_files again"
            )
    return GitSnapshot(commit, repository, source.sub_path)


def descends(source: Source, cache: Path, commit: str, earlier: str) -> bool | None:
    """Whether a commit that was fetched has an earlier one in its history.

    Returns:
        ``None`` where it cannot be known: the history in the cache is shallow, or the ids are of two formats.
    """
    repository = cache_of(source, cache)
    if len(commit) != len(earlier) or not OBJECT_ID.fullmatch(earlier):
        return None
    try:
        shallow = local_git(repository, "rev-parse", "--is-shallow-repository").strip() != b"false"
        if not _has_object(repository, earlier):
            return None if shallow else False
        # As merge-base --is-ancestor, whose answer is an exit code that failures have as well.
        outside = local_git(repository, "rev-list", "--max-count=1", earlier, f"^{commit}")
    except GitError:
        return None
    if not outside.strip():
        return True
    return None if shallow else False


def _has_object(repository: Path, object_id: str) -> bool:
    try:
        local_git(repository, "cat-file", "-e", object_id)
    except GitError:
        return False
    return True


def _entry(line: bytes, prefix: bytes) -> Entry:
    """One line of ``ls-tree -l``: mode, type, id, size (padded), tab, path.

    The size is ``-`` of what is no blob, and ``BAD`` of a blob that the repository lacks.
    """
    facts, _, path = line.partition(b"\t")
    mode, _, object_id, size = facts.split()
    kind = _KINDS.get(mode, "special")
    if kind == "file" and not size.isdigit():
        kind = "unreadable"
    return Entry(escape_path(prefix + path), int(size) if kind == "file" else 0, kind, object_id.decode())


@contextmanager
def _blob_reader(repository: Path) -> Iterator[Callable[[str], bytes | None]]:
    """A function that gives a blob by its id, or ``None`` where it is missing, over one process."""
    with start_git(
        ["cat-file", "--batch"],
        repository=repository,
        protocol="",
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        asked, answered = process.stdin, process.stdout
        if asked is None or answered is None:
            raise SourceUnreachableError("git cat-file has no pipes")

        def blob(object_id: str) -> bytes | None:
            if not OBJECT_ID.fullmatch(object_id):
                return None
            try:
                asked.write(object_id.encode() + b"\n")
                asked.flush()
                header = answered.readline().split()
            except BrokenPipeError:
                header = []
            if header[1:] == [b"missing"]:
                return None
            if len(header) != 3:
                raise SourceUnreachableError(f"the git cache is damaged; delete {repository} and run again")
            data = answered.read(int(header[2]) + 1)
            return data[:-1] if header[1] == b"blob" else None

        yield blob
