"""Repositories in every state that git allows: read as committed, or a clear error of that source alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chunk_pipeline.corpus.entry import SourceRefusedError, SourceUnreachableError
from chunk_pipeline.stages.corpus import filter_source, scan_source
from chunk_pipeline.warehouse.tables import FILTERED_FILES
from tests.corpus.git_repository import GitRepository
from tests.corpus.hostile.arena import NAME, Arena, Fates, ingested

pytestmark = pytest.mark.hostile_repository

KEPT = ("kept", None)


def _plain(arena: Arena) -> GitRepository:
    """Two commits, the first with another content."""
    it = arena.repository
    it.add("a.json", "[0]")
    it.commit()
    it.add("a.json", "[1]")
    it.commit()
    return it


def _gitlink(arena: Arena) -> tuple[dict[str, object], Fates]:
    _plain(arena).add_object("vendored", "1" * 40, mode="160000")
    arena.repository.commit()
    return {}, {"a.json": KEPT, "vendored": ("dropped", "submodule")}


def _shallow_source(arena: Arena) -> tuple[dict[str, object], Fates]:
    copy = arena.root / "shallow"
    _plain(arena).git("clone", "-q", "--depth=1", f"file://{arena.repository.folder}", str(copy))
    return {"url": str(copy)}, {"a.json": KEPT}


def _shallow_fetch(arena: Arena) -> tuple[dict[str, object], Fates]:
    _plain(arena)
    return {"depth": 1}, {"a.json": KEPT}


def _bare(arena: Arena) -> tuple[dict[str, object], Fates]:
    _plain(arena).git("clone", "-q", "--bare", ".", str(arena.root / "bare.git"))
    return {"url": str(arena.root / "bare.git")}, {"a.json": KEPT}


def _without_its_suffix(arena: Arena) -> tuple[dict[str, object], Fates]:
    """Git finds ``bare.git`` where ``bare`` is asked for."""
    _bare(arena)
    return {"url": str(arena.root / "bare")}, {"a.json": KEPT}


def _detached(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    it.add("b.json", "[2]")
    it.commit()
    it.git("checkout", "-q", "--detach", "HEAD~1")
    return {}, {"a.json": KEPT}


def _sha256(arena: Arena) -> tuple[dict[str, object], Fates]:
    modern = GitRepository(arena.root / "modern", object_format="sha256")
    modern.add("a.json", "[1]")
    modern.commit()
    return {"url": str(modern.folder)}, {"a.json": KEPT}


def _packed(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    it.git("gc", "-q")
    it.git("pack-refs", "--all")
    return {}, {"a.json": KEPT}


def _annotated(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    it.git("tag", "-a", "v1", "-m", "first")
    it.git("tag", "-a", "v2", "v1", "-m", "a tag of a tag")
    return {"ref": "v2"}, {"a.json": KEPT}


def _sparse_checkout(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    it.git("config", "core.sparseCheckout", "true")
    (it.folder / ".git" / "info").mkdir(exist_ok=True)
    (it.folder / ".git" / "info" / "sparse-checkout").write_text("/nothing\n")
    return {}, {"a.json": KEPT}


def _without_working_copy(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    for path in it.folder.iterdir():
        if path.name != ".git":
            path.unlink()
    (it.folder / ".git" / "index").unlink()
    return {}, {"a.json": KEPT}


def _locked(arena: Arena) -> tuple[dict[str, object], Fates]:
    """Somebody else's git was killed in it."""
    it = _plain(arena)
    for name in ("index.lock", "HEAD.lock", "refs/heads/main.lock", "shallow.lock", "config.lock"):
        (it.folder / ".git" / name).write_text("")
    return {}, {"a.json": KEPT}


def _partial(arena: Arena) -> tuple[dict[str, object], Fates]:
    """A partial clone that holds all that its head needs; older blobs are only on its server."""
    it = _plain(arena)
    it.git("config", "uploadpack.allowFilter", "true")
    copy = arena.root / "partial"
    it.git("clone", "-q", "--filter=blob:none", f"file://{it.folder}", str(copy))
    it.folder.rename(arena.root / "server")
    return {"url": str(copy), "depth": 1}, {"a.json": KEPT}


def _attributes(text: str) -> Callable[[Arena], tuple[dict[str, object], Fates]]:
    def make(arena: Arena) -> tuple[dict[str, object], Fates]:
        it = arena.repository
        it.add(".gitattributes", text)
        it.add("a.json", b'[1,\r\n"$Id$"]\n')
        it.commit()
        return {}, {".gitattributes": ("dropped", "excluded_filename"), "a.json": KEPT}

    return make


def _history_of_merges(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    tree = it.git("rev-parse", "HEAD^{tree}")
    parents = [it.git("commit-tree", tree, "-m", str(index)) for index in range(20)]
    octopus = it.git("commit-tree", tree, "-m", "x", *(word for each in parents for word in ("-p", each)))
    it.git("update-ref", "refs/heads/main", octopus)
    return {}, {"a.json": KEPT}


def _many_refs(arena: Arena) -> tuple[dict[str, object], Fates]:
    it = _plain(arena)
    commit = it.git("rev-parse", "HEAD")
    lines = "".join(f"create refs/heads/b{index} {commit}\n" for index in range(1000))
    it.git("update-ref", "--stdin", stdin=lines.encode())
    return {"ref": "b999"}, {"a.json": KEPT}


READ: dict[str, Callable[[Arena], tuple[dict[str, object], Fates]]] = {
    "a submodule": _gitlink,
    "a shallow repository": _shallow_source,
    "fetched to one commit": _shallow_fetch,
    "bare": _bare,
    "bare, named without its suffix": _without_its_suffix,
    "a detached head": _detached,
    "SHA-256": _sha256,
    "packed": _packed,
    "a tag of a tag": _annotated,
    "a sparse checkout": _sparse_checkout,
    "no working copy and no index": _without_working_copy,
    "locks that were left": _locked,
    "a partial clone whose head is whole": _partial,
    "export-ignore": _attributes("* export-ignore export-subst"),
    "line ends": _attributes("* text eol=crlf"),
    "ident": _attributes("* ident"),
    "another encoding": _attributes("* text working-tree-encoding=UTF-16LE-BOM"),
    "a required filter": _attributes("* filter=none"),
    "macros": _attributes("[attr]evil filter=x diff=x\n* evil"),
    "many parents": _history_of_merges,
    "a thousand branches": _many_refs,
}


@pytest.mark.parametrize("name", READ)
def test_a_repository_in_an_odd_state_is_read_as_committed(name: str, arena: Arena) -> None:
    settings, expected = READ[name](arena)
    assert arena.fates(**settings) == expected
    written = '[1,\r\n"$Id$"]\n' if ".gitattributes" in expected else "[1]"
    assert written in arena.texts()


def _unborn(arena: Arena) -> None:
    arena.repository.git("symbolic-ref", "HEAD", "refs/heads/none")


def _dangling(arena: Arena) -> None:
    """A ref to a commit that the repository lacks."""
    (_plain(arena).folder / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n")


def _loop(arena: Arena) -> None:
    it = _plain(arena)
    (it.folder / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/other\n")
    (it.folder / ".git" / "refs" / "heads" / "other").write_text("ref: refs/heads/main\n")


def _head_outside(arena: Arena) -> None:
    (_plain(arena).folder / ".git" / "HEAD").write_text("ref: ../../../etc/passwd\n")


def _truncated(arena: Arena) -> None:
    it = _plain(arena)
    it.git("repack", "-a", "-d", "-q")
    (pack,) = (it.folder / ".git" / "objects" / "pack").glob("*.pack")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:-30])


def _tree_missing(arena: Arena) -> None:
    it = _plain(arena)
    tree = it.git("rev-parse", "HEAD^{tree}")
    (it.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()


def _blob_missing(arena: Arena) -> None:
    """A partial clone that lacks a blob of its head, and whose server is away."""
    it = _plain(arena)
    it.git("config", "uploadpack.allowFilter", "true")
    copy = arena.root / "copy"
    it.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{it.folder}", str(copy))
    it.folder.rename(arena.root / "server")
    copy.rename(it.folder)


def _no_repository(arena: Arena) -> None:
    shutil.rmtree(arena.repository.folder / ".git")


def _new_format(arena: Arena) -> None:
    it = _plain(arena)
    it.git("config", "core.repositoryFormatVersion", "9")


def _extension(arena: Arena) -> None:
    it = _plain(arena)
    it.git("config", "core.repositoryFormatVersion", "1")
    it.git("config", "extensions.nobodyKnows", "true")


def _broken_settings(arena: Arena) -> None:
    (_plain(arena).folder / ".git" / "config").write_text("[core\n")


BROKEN: dict[str, tuple[Callable[[Arena], None], type[SourceUnreachableError]]] = {
    "an unborn head": (_unborn, SourceRefusedError),
    "a ref to a commit that is missing": (_dangling, SourceUnreachableError),
    "refs that name each other": (_loop, SourceUnreachableError),
    "a head outside of the repository": (_head_outside, SourceUnreachableError),
    "a truncated pack": (_truncated, SourceUnreachableError),
    "a missing tree": (_tree_missing, SourceUnreachableError),
    "a partial clone that lacks a blob": (_blob_missing, SourceUnreachableError),
    "no repository": (_no_repository, SourceUnreachableError),
    "a format of the future": (_new_format, SourceUnreachableError),
    "an extension that nobody knows": (_extension, SourceUnreachableError),
    "settings that do not parse": (_broken_settings, SourceUnreachableError),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_repository_that_cannot_be_read_is_an_error_of_that_source_alone(name: str, arena: Arena) -> None:
    broken, error = BROKEN[name]
    broken(arena)
    (arena.folder / "b.json").write_text("[2]")
    honest: dict[str, object] = {"name": "honest", "kind": "folder", "path": str(arena.folder)}
    workspace = arena.workspace(arena.source(), honest)
    with pytest.raises(error, match="source 'hostile'") as caught:
        ingested(workspace, NAME)
    assert str(caught.value).isprintable()
    assert ingested(workspace, "honest") == {"b.json": KEPT}


def _loose(folder: Path, object_id: str) -> Path:
    return folder / "objects" / object_id[:2] / object_id[2:]


@pytest.mark.parametrize("when", ["before the scan", "before the read"])
def test_a_blob_that_the_cache_lost_is_one_quarantined_file(when: str, arena: Arena) -> None:
    it = arena.repository
    it.add("a.json", "[1]")
    it.add("b.json", "[2]")
    it.commit()
    workspace = arena.workspace()
    scan_source(workspace, NAME)
    cache = arena.root / "cache" / f"{NAME}.git"
    packs = list((cache / "objects" / "pack").glob("*.pack"))
    for pack in packs:  # as loose objects they can be lost one by one
        data = pack.read_bytes()
        for part in pack.parent.glob(f"{pack.stem}.*"):
            part.unlink()
        GitRepository.git(it, f"--git-dir={cache}", "unpack-objects", "-q", stdin=data)
    _loose(cache, it.blob(b"[2]")).unlink()
    if when == "before the scan":
        shutil.rmtree(arena.root / "warehouse")
        scan_source(workspace, NAME)
    filter_source(workspace, NAME)
    rows = {row["path"]: row for row in workspace.warehouse.read(FILTERED_FILES).to_pylist()}
    assert rows["a.json"]["fate"] == "kept"
    assert rows["b.json"]["fate"] == "quarantined"
    assert rows["b.json"]["reason"].startswith("missing: the repository lacks the blob")
