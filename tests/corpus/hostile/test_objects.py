"""Trees, submodules and objects that no honest git makes: refused, or listed and never followed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chunk_pipeline.corpus import git_command
from chunk_pipeline.corpus.entry import SourceRefusedError, SourceUnreachableError
from tests.corpus.git_repository import GitRepository
from tests.corpus.hostile.arena import Arena, Fates

pytestmark = pytest.mark.hostile_repository

OTHER_SIDE = "1" * 40
"""A commit of a submodule."""


def _tree(repository: GitRepository, *entries: tuple[bytes, bytes, str]) -> str:
    """Store a tree of any entries (mode, name, object id), in that order."""
    data = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(each) for mode, name, each in entries)
    return repository.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=data)


def _point_at(repository: GitRepository, tree: str) -> None:
    repository.git("update-ref", "refs/heads/main", repository.git("commit-tree", tree, "-m", "evil"))


def _entry(mode: bytes, name: bytes) -> Callable[[GitRepository], str]:
    """A tree with one entry of that name, which is a file or a folder with a file."""

    def make(repository: GitRepository) -> str:
        blob = repository.blob(b"[core]\n\tfsmonitor = evil\n")
        if mode == b"40000":
            blob = _tree(repository, (b"100644", b"config", blob))
        return _tree(repository, (mode, name, blob))

    return make


def _twice(repository: GitRepository) -> str:
    blob = repository.blob(b"[1]")
    return _tree(repository, (b"100644", b"a.json", blob), (b"100644", b"a.json", blob))


def _unsorted(repository: GitRepository) -> str:
    blob = repository.blob(b"[1]")
    return _tree(repository, (b"100644", b"b.json", blob), (b"100644", b"a.json", blob))


def _not_a_blob(repository: GitRepository) -> str:
    inner = _tree(repository, (b"100644", b"a.json", repository.blob(b"[1]")))
    return _tree(repository, (b"100644", b"a.json", inner))


def _modules(text: str, mode: bytes = b"100644") -> Callable[[GitRepository], str]:
    """A submodule ``s`` that a ``.gitmodules`` of that text describes."""

    def make(repository: GitRepository) -> str:
        blob = repository.blob(text.encode())
        return _tree(repository, (mode, b".gitmodules", blob), (b"160000", b"s", OTHER_SIDE))

    return make


REFUSED = {
    ".git folder": (_entry(b"40000", b".git"), "hasDotgit"),
    ".GIT folder (CVE-2014-9390)": (_entry(b"40000", b".GIT"), "hasDotgit"),
    ".git with a character that HFS+ ignores (CVE-2014-9390)": (
        _entry(b"40000", ".g\u200cit".encode()),
        "hasDotgit",
    ),
    "git~1, short for .git on NTFS (CVE-2014-9390)": (_entry(b"40000", b"git~1"), "hasDotgit"),
    ".git with a stream of NTFS (CVE-2019-1352)": (
        _entry(b"40000", b".git::$INDEX_ALLOCATION"),
        "hasDotgit",
    ),
    ".git as a file": (_entry(b"100644", b".git"), "hasDotgit"),
    ".git as a link": (_entry(b"120000", b".git"), "hasDotgit"),
    "..": (_entry(b"40000", b".."), "hasDotdot"),
    ".": (_entry(b"40000", b"."), "hasDot"),
    "a name with slashes": (_entry(b"100644", b"../../outside.json"), "fullPathname"),
    "an absolute name": (_entry(b"100644", b"/tmp/outside.json"), "fullPathname"),
    "an empty name": (_entry(b"100644", b""), "empty filename"),
    "a name twice": (_twice, "duplicateEntries"),
    "names out of order": (_unsorted, "treeNotSorted"),
    "a folder called a file": (_not_a_blob, "source 'hostile'"),
    "submodule address is an option (CVE-2018-17456)": (
        _modules('[submodule "s"]\n\tpath = s\n\turl = -u./payload\n'),
        "gitmodulesUrl",
    ),
    "submodule path is an option (CVE-2018-17456)": (
        _modules('[submodule "s"]\n\tpath = -s\n\turl = ./x\n'),
        "gitmodulesPath",
    ),
    "submodule name leads outside (CVE-2018-11235)": (
        _modules('[submodule "../../payload"]\n\tpath = s\n\turl = ./x\n'),
        "gitmodulesName",
    ),
    "submodule name nested in another (CVE-2019-1387)": (
        _modules('[submodule "s/../../hooks"]\n\tpath = s\n\turl = ./x\n'),
        "gitmodulesName",
    ),
    "submodule is updated by a command (CVE-2019-19604)": (
        _modules('[submodule "s"]\n\tpath = s\n\turl = ./x\n\tupdate = !touch MARKER\n'),
        "gitmodulesUpdate",
    ),
    ".gitmodules is a link": (_modules("/etc/passwd", b"120000"), "gitmodulesSymlink"),
    "submodule address with a second line (CVE-2020-11008)": (
        _modules('[submodule "s"]\n\tpath = s\n\turl = "https://example.invalid/%0ahost=other"\n'),
        "gitmodulesUrl",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_tree_that_would_do_harm_when_checked_out_is_refused(name: str, arena: Arena) -> None:
    make, said = REFUSED[name]
    _point_at(arena.repository, make(arena.repository))
    with pytest.raises(SourceUnreachableError, match=said):
        arena.fates()
    assert not list((arena.root / "warehouse").rglob("*.parquet"))
    assert not arena.marker.exists()


def _links_and_submodules(arena: Arena) -> Fates:
    """CVE-2024-32002: a submodule whose folder is a link in another case, so that its hooks act."""
    it = arena.repository
    it.add("A/modules/x/y", ".git", mode="120000")
    it.add("a", ".git", mode="120000")
    it.add_object("sub/x", OTHER_SIDE, mode="160000")
    it.add(".gitmodules", '[submodule "x/y"]\n\tpath = sub/x\n\turl = ./hook\n')
    return {
        ".gitmodules": ("dropped", "excluded_filename"),
        "A/modules/x/y": ("dropped", "symlink"),
        "a": ("dropped", "symlink"),
        "sub/x": ("dropped", "submodule"),
    }


def _link_then_file_below(arena: Arena) -> Fates:
    """CVE-2021-21300: a folder that is a link in another case, with files to be written through it."""
    it = arena.repository
    it.add("A/post-checkout.json", "[1]", mode="100755")
    it.add("a", ".git/hooks", mode="120000")
    it.add(".gitattributes", "A/* filter=lfs")
    return {
        ".gitattributes": ("dropped", "excluded_filename"),
        "A/post-checkout.json": ("kept", None),
        "a": ("dropped", "symlink"),
    }


def _links_out(arena: Arena) -> Fates:
    """CVE-2024-32020 and CVE-2024-32021: what a local clone would link to or copy."""
    for index, target in enumerate(("/etc/passwd", "../../../etc/passwd", "..", "l3.json", "\0", "x" * 5000)):
        arena.repository.add(f"l{index}.json", target, mode="120000")
    return {f"l{index}.json": ("dropped", "symlink") for index in range(6)}


def _recursive_submodules(arena: Arena) -> Fates:
    """CVE-2022-39253: submodules that are fetched from this machine when they are followed."""
    it = arena.repository
    it.add(".gitmodules", f'[submodule "s"]\n\tpath = s\n\turl = {it.folder}\n\tupdate = checkout\n')
    it.add_object("s", OTHER_SIDE, mode="160000")
    return {".gitmodules": ("dropped", "excluded_filename"), "s": ("dropped", "submodule")}


def _odd_modes(arena: Arena) -> Fates:
    it = arena.repository
    blob = it.blob(b"[1]")
    modes = (b"100664", b"100600", b"104755", b"020000")
    _point_at(it, _tree(it, *((mode, b"f%d.json" % index, blob) for index, mode in enumerate(modes))))
    # Git itself reads each mode as the nearest that there is.
    kept = ("kept", None)
    return {"f0.json": kept, "f1.json": kept, "f2.json": kept, "f3.json": ("dropped", "submodule")}


def _lfs_pointer(arena: Arena) -> Fates:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4" * 64 + "\nsize 12345\n"
    arena.repository.add("big.json", pointer)
    arena.repository.add(".lfsconfig", f"[lfs]\n\turl = ext::{arena.program}\n")
    arena.repository.add(".gitattributes", "*.json filter=lfs diff=lfs merge=lfs -text")
    return {
        ".gitattributes": ("dropped", "excluded_filename"),
        ".lfsconfig": ("dropped", "no_extension"),
        "big.json": ("dropped", "lfs_pointer"),
    }


def _replaced(arena: Arena) -> Fates:
    """What ``refs/replace`` and grafts name in place of an object is not what was committed."""
    it = arena.repository
    it.add("a.json", "[1]")
    it.git("update-ref", f"refs/replace/{it.blob(b'[1]')}", it.blob(b'["replaced"]'))
    return {"a.json": ("kept", None)}


def _long_attributes(arena: Arena) -> Fates:
    """CVE-2022-23521: attributes with numbers and names that overflow, where something parses them."""
    arena.repository.add("a.json", "[1]")
    arena.repository.add("sub/.gitattributes", "* " + " ".join(f"a{index}" for index in range(200)))
    return {"a.json": ("kept", None), "sub/.gitattributes": ("dropped", "excluded_filename")}


def _deep(arena: Arena) -> Fates:
    it = arena.repository
    tree = _tree(it, (b"100644", b"a.json", it.blob(b"[1]")))
    for _ in range(200):
        tree = _tree(it, (b"40000", b"d", tree))
    it.git("read-tree", "--empty")
    _point_at(it, tree)
    return {"d/" * 200 + "a.json": ("kept", None)}


LISTED: dict[str, Callable[[Arena], Fates]] = {
    "submodule in a link (CVE-2024-32002)": _links_and_submodules,
    "files behind a link in another case (CVE-2021-21300)": _link_then_file_below,
    "links to anywhere (CVE-2024-32020, CVE-2024-32021)": _links_out,
    "submodules of this machine (CVE-2022-39253)": _recursive_submodules,
    "modes that there are not": _odd_modes,
    "a pointer of LFS with a server of its own": _lfs_pointer,
    "objects that others replace": _replaced,
    "very many attributes (CVE-2022-23521)": _long_attributes,
    "two hundred folders deep": _deep,
}


@pytest.mark.parametrize("name", LISTED)
def test_what_would_do_harm_only_when_checked_out_is_listed_and_never_followed(
    name: str, arena: Arena
) -> None:
    arena.repository.commit()
    expected = LISTED[name](arena)
    if arena.repository.git("ls-files"):
        arena.repository.commit()
    assert arena.fates() == expected
    assert not arena.marker.exists()
    assert not arena.holds("root:x:0")
    assert not list((arena.root / "cache").rglob("modules"))


def test_a_few_trees_that_list_for_ever_are_refused_in_bounded_memory(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git bomb: ten trees, each of ten times the next, list ten thousand million paths."""
    it = arena.repository
    tree = _tree(it, (b"100644", b"a.json", it.blob(b"[1]")))
    for _ in range(10):
        tree = _tree(it, *((b"40000", b"d%d" % index, tree) for index in range(10)))
    _point_at(it, tree)
    monkeypatch.setattr(git_command, "MAX_OUTPUT_BYTES", 2**20)
    with pytest.raises(SourceRefusedError, match=r"lists too many paths .*limit the source with 'sub_path'"):
        arena.fates()
    fates = arena.fates(sub_path="d0/" * 9 + "d0")
    assert fates == {"d0/" * 10 + "a.json": ("kept", None)}


def test_a_blob_of_zeros_is_dropped_by_its_size_and_never_inflated(arena: Arena) -> None:
    """Sixteen million bytes that travel as sixteen thousand."""
    it = arena.repository
    it.add("bomb.json", bytes(2**24))
    it.add("a.json", "[1]")
    it.commit()
    assert arena.fates() == {"a.json": ("kept", None), "bomb.json": ("dropped", "file_too_large")}


def test_an_object_that_is_not_what_its_name_says_is_refused(arena: Arena) -> None:
    """An object under another object's id: what arrives is hashed anew."""
    it = arena.repository
    it.add("a.json", "[1]")
    it.commit()
    objects = it.folder / ".git" / "objects"
    honest, forged = it.blob(b"[1]"), it.blob(b'["forged"]')
    path = objects / honest[:2] / honest[2:]
    path.chmod(0o644)
    path.write_bytes((objects / forged[:2] / forged[2:]).read_bytes())
    with pytest.raises(SourceUnreachableError, match="source 'hostile'"):
        arena.fates()
    assert not arena.holds("forged")


def test_a_server_that_talks_without_end_is_stopped(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    ssh = arena.root / "bin" / "ssh"
    ssh.write_text("#!/bin/sh\nexec yes remote: noise >&2\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setattr(git_command, "MAX_OUTPUT_BYTES", 2**20)
    with pytest.raises(SourceUnreachableError, match="printed more than"):
        arena.fates(url="ssh://example.invalid/x")
