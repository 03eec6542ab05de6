"""What is no plain file, or does not hold still: each has a fate, and nothing is opened that may not be."""

from __future__ import annotations

import os
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.stages.corpus import filter_source, scan_source
from chunk_pipeline.warehouse.tables import FILTERED_FILES, QUARANTINE
from tests.corpus.hostile.arena import NAME, Arena, Fates, ingested

pytestmark = pytest.mark.hostile_repository

SECRET = "what lies outside of the source"
KEPT = ("kept", None)


@pytest.fixture
def outside(arena: Arena) -> Path:
    """A folder beside the source, with a file that no table may hold."""
    outside = arena.root / "outside"
    outside.mkdir()
    (outside / "secret.json").write_text(f'["{SECRET}"]')
    (arena.folder / "a.json").write_text("[1]")
    return outside


def _link(name: str, target: str) -> Callable[[Arena], Fates]:
    def make(arena: Arena) -> Fates:
        (arena.folder / name).symlink_to(target.replace("OUTSIDE", str(arena.root / "outside")))
        return {name: ("dropped", "symlink")}

    return make


def _hard_link(arena: Arena) -> Fates:
    """A second name of a file is that file: it cannot be told from a first one, and its owner allowed it."""
    (arena.folder / "b.json").hardlink_to(arena.folder / "a.json")
    return {"b.json": KEPT}


def _pipe(arena: Arena) -> Fates:
    os.mkfifo(arena.folder / "pipe.json")
    return {"pipe.json": ("dropped", "special")}


def _socket(arena: Arena) -> Fates:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(arena.folder / "socket.json"))
    return {"socket.json": ("dropped", "special")}


def _device(kind: int) -> Callable[[Arena], Fates]:
    def make(arena: Arena) -> Fates:
        os.mknod(arena.folder / "device.json", 0o666 | kind, os.makedev(1, 5))  # /dev/zero never ends
        return {"device.json": ("dropped", "special")}

    return make


def _sparse(arena: Arena) -> Fates:
    with (arena.folder / "sparse.json").open("wb") as file:
        file.truncate(3 * 2**30)
    return {"sparse.json": ("dropped", "file_too_large")}


def _aged(seconds: int) -> Callable[[Arena], Fates]:
    def make(arena: Arena) -> Fates:
        (arena.folder / "aged.json").write_text("[2]")
        os.utime(arena.folder / "aged.json", (seconds, seconds))
        return {"aged.json": KEPT}

    return make


def _repository_inside(arena: Arena) -> Fates:
    """A repository with traps inside of a folder source: nothing asks git about it."""
    arena.repository.git("init", "--quiet", str(arena.folder / "inner"))
    with (arena.folder / "inner" / ".git" / "config").open("a") as file:
        file.write(f"[core]\n\tfsmonitor = {arena.program}\n")
    (arena.folder / "inner" / "b.json").write_text("[2]")
    arena._repository = None
    return {"inner/b.json": KEPT}


def _pointer(arena: Arena) -> Fates:
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4" * 64 + "\nsize 12345\n"
    (arena.folder / "big.json").write_text(text)
    return {"big.json": ("dropped", "lfs_pointer")}


def _loop_of_folders(arena: Arena) -> Fates:
    (arena.folder / "inner").mkdir()
    (arena.folder / "inner" / "again").symlink_to(arena.folder)
    (arena.folder / "inner" / "b.json").write_text("[2]")
    return {"inner/again": ("dropped", "symlink"), "inner/b.json": KEPT}


THINGS: dict[str, Callable[[Arena], Fates]] = {
    "link to /etc/passwd": _link("passwd.json", "/etc/passwd"),
    "link to a file outside": _link("secret.json", "OUTSIDE/secret.json"),
    "link to a folder outside": _link("folder", "OUTSIDE"),
    "relative link outside": _link("up.json", "../outside/secret.json"),
    "link to the parent": _link("up", ".."),
    "link to the source itself": _link("here", "."),
    "broken link": _link("gone.json", "nowhere.json"),
    "link to itself": _link("loop.json", "loop.json"),
    "link to a process's memory": _link("memory.json", "/proc/self/mem"),
    "link to a terminal": _link("tty.json", "/dev/tty"),
    "link within": _link("again.json", "a.json"),
    "a loop of folders": _loop_of_folders,
    "second name of a file": _hard_link,
    "pipe": _pipe,
    "socket": _socket,
    "character device": _device(stat.S_IFCHR),
    "block device": _device(stat.S_IFBLK),
    "three sparse gigabytes": _sparse,
    "changed in 1970": _aged(0),
    "changed before 1970": _aged(-(2**31)),
    "changed in 2100": _aged(4_102_444_800),
    "changed in 2446": _aged(15_032_385_535),
    "a repository with traps inside": _repository_inside,
    "pointer of LFS": _pointer,
}


@pytest.mark.parametrize("name", THINGS)
def test_what_is_no_plain_file_has_its_fate_and_the_rest_goes_on(
    name: str, arena: Arena, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(arena.root)
    try:
        expected = THINGS[name](arena)
    except PermissionError:
        pytest.skip("this machine makes no devices")
    with _opened(monkeypatch) as opened:
        assert arena.fates() == {"a.json": KEPT} | expected
    left_out = {path for path, fate in expected.items() if fate[1] not in (None, "lfs_pointer")}
    assert not left_out & opened, "what is dropped by its kind or size is never opened"
    assert not arena.holds(SECRET)
    assert not arena.holds("root:x:0")
    assert not arena.marker.exists()


@contextmanager
def _opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The last parts of all names that the folder reader opens."""
    names: set[str] = set()
    genuine = os.open

    def watching(path: Any, *arguments: Any, **options: Any) -> int:
        names.add(os.fsdecode(path))
        return genuine(path, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", watching)
        yield names


def _vanish(path: Path) -> None:
    path.unlink()


def _grow(path: Path) -> None:
    with path.open("a") as file:
        file.write(" ")


def _become_secret(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parents[2] / "outside" / "secret.json")


def _become_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _become_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _become_huge(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(3 * 2**30)


def _swap_parent(path: Path) -> None:
    """The folder above becomes a link to one outside, with a file of the same name in it."""
    shutil.rmtree(path.parent)
    outside = path.parents[2] / "outside"
    (outside / path.name).write_text(f'["{SECRET}"]')
    path.parent.symlink_to(outside)


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "vanished": (_vanish, "vanished: deleted between scan and read"),
    "grown": (_grow, "changed: its content is not what was scanned"),
    "grown to gigabytes": (_become_huge, "changed: its content is not what was scanned"),
    "a link now": (_become_secret, "unreadable: "),
    "a folder now": (_become_folder, "unreadable: "),
    "a pipe now": (_become_pipe, "unreadable: no longer a regular file"),
    "a folder above is a link now": (_swap_parent, "unreadable: "),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_between_scan_and_read_is_quarantined_and_mended_by_the_next_run(
    name: str, arena: Arena, outside: Path
) -> None:
    path = arena.folder / "inner" / "b.json"
    path.parent.mkdir()
    path.write_text("[2]")
    workspace = arena.workspace()
    scan_source(workspace, NAME)
    change, reason = CHANGES[name]
    change(path)
    filter_source(workspace, NAME)
    rows = {row["path"]: row for row in workspace.warehouse.read(FILTERED_FILES).to_pylist()}
    assert (rows["a.json"]["fate"], rows["inner/b.json"]["fate"]) == ("kept", "quarantined")
    assert rows["inner/b.json"]["reason"].startswith(reason)
    (quarantined,) = workspace.warehouse.read(QUARANTINE).to_pylist()
    assert quarantined["error"] == rows["inner/b.json"]["reason"]
    assert not arena.holds(SECRET)
    if path.parent.is_symlink():
        path.parent.unlink()
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir()
    path.write_text("[3]")
    assert ingested(workspace, NAME) == {"a.json": KEPT, "inner/b.json": KEPT}
    assert arena.texts() == {"[1]", "[3]"}


@pytest.mark.parametrize("part", ["b.json", "inner"], ids=["file", "folder"])
def test_what_may_not_be_read_is_quarantined_and_mended_by_the_next_run(
    part: str, arena: Arena, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused by the operating system, which asks no permission of root: so the refusal is made here."""
    (arena.folder / "inner").mkdir()
    (arena.folder / "inner" / "b.json").write_text("[2]")
    genuine = os.open

    def refusing(path: Any, *arguments: Any, **options: Any) -> int:
        if path == part.encode():
            raise PermissionError(13, "Permission denied")
        return genuine(path, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refusing)
        fates = arena.fates()
    fate, reason = fates["inner/" if part == "inner" else "inner/b.json"]
    assert (fate, str(reason)[:11]) == ("quarantined", "unreadable:")
    assert fates["a.json"] == KEPT
    assert arena.fates() == {"a.json": KEPT, "inner/b.json": KEPT}


def test_other_sources_go_on_when_one_is_refused(arena: Arena, outside: Path) -> None:
    workspace = arena.workspace(arena.source(url=str(arena.root / "nowhere")), arena.source(name="honest"))
    with pytest.raises(RuntimeError, match="source 'hostile'"):
        ingested(workspace, NAME)
    assert ingested(replace(workspace), "honest") == {"a.json": KEPT}
