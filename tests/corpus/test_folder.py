from __future__ import annotations

import hashlib
import itertools
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.corpus import folder as folder_module
from chunk_pipeline.corpus.entry import Entry, EntryUnreadableError, SourceAwayError, SourceUnreachableError
from chunk_pipeline.corpus.folder import FolderSnapshot, open_folder
from chunk_pipeline.corpus.profiles import BUILT_IN, Profile
from chunk_pipeline.corpus.snapshot import head_of, open_snapshot, pinned_snapshot
from chunk_pipeline.corpus.source import Source

DEFAULT = BUILT_IN["default"]


def opened(path: Path, profile: Profile = DEFAULT, **settings: Any) -> FolderSnapshot:
    return open_folder(Source(name="f", kind="folder", path=path, **settings), profile)


def kinds(snapshot: FolderSnapshot) -> dict[str, str]:
    return {entry.path: entry.kind for entry in snapshot.entries()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.json").write_text("{}")
    (root / "b.md").write_text("# b")
    return root


def test_entries_have_the_digest_of_their_content(root: Path) -> None:
    digest = hashlib.sha256(b"{}").hexdigest()
    assert opened(root).entries()[1] == Entry("src/a.json", 2, "file", digest)


def test_entries_are_sorted_by_path_whatever_the_directories(root: Path) -> None:
    for name in ("src.md", "src/z", "src-x/a", "src0"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("x")
    paths = [entry.path for entry in opened(root).entries()]
    assert paths == sorted(paths)
    assert len(paths) == 6


def test_pruned_directories_are_not_entered(root: Path) -> None:
    (root / "src" / "node_modules" / "x").mkdir(parents=True)
    (root / "src" / "node_modules" / "x" / "y.js").write_text("1")
    assert kinds(opened(root)) == {"b.md": "file", "src/a.json": "file"}


def test_nothing_outside_the_root_is_ever_followed(root: Path) -> None:
    (root / "passwd.json").symlink_to("/etc/passwd")
    (root / "up").symlink_to("..")
    (root / "loop").symlink_to("loop")
    (root / "gone.json").symlink_to("nowhere")
    (root / "dist").symlink_to("src")
    links = [entry for entry in opened(root).entries() if entry.kind == "symlink"]
    assert [entry.path for entry in links] == ["dist", "gone.json", "loop", "passwd.json", "up"]
    assert {entry.object_id for entry in links} == {""}


def test_a_file_swapped_for_a_symlink_after_the_scan_is_not_read(root: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("{}")
    snapshot = opened(root)
    (root / "src" / "a.json").unlink()
    (root / "src" / "a.json").symlink_to(secret)
    with pytest.raises(EntryUnreadableError, match="unreadable"):
        snapshot.read(snapshot.entries()[1])


def test_a_directory_swapped_for_a_symlink_after_the_scan_is_not_entered(root: Path, tmp_path: Path) -> None:
    snapshot = opened(root)
    (root / "src").rename(tmp_path / "elsewhere")
    (root / "src").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EntryUnreadableError, match="unreadable"):
        snapshot.read(snapshot.entries()[1])


def test_pipes_and_sockets_are_listed_and_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe.json")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.json")
        found = kinds(opened(root))
    assert found["pipe.json"] == found["socket.json"] == "special"


def test_files_above_the_cap_are_not_hashed(root: Path) -> None:
    with (root / "sparse.json").open("wb") as file:
        file.truncate(3 * 2**30)
    (root / "at.json").write_bytes(b"x" * DEFAULT.cap)
    (root / "above.json").write_bytes(b"x" * (DEFAULT.cap + 1))
    found = {entry.path: entry for entry in opened(root).entries()}
    assert found["sparse.json"] == Entry("sparse.json", 3 * 2**30, "file", "")
    assert found["above.json"].object_id == ""
    assert found["at.json"].object_id


def test_names_of_any_bytes_are_distinct_and_readable(root: Path) -> None:
    names = [
        b"bad\xff.json",
        rb"bad\xff.json",
        b'a"b\n.json',
        b"-rf",
        b"x,y::z",
        "\u00e9".encode(),
        "e\u0301".encode(),
    ]
    for index, name in enumerate(names):
        (root / os.fsdecode(name)).write_text(f"[{index}]")
    snapshot = opened(root)
    texts = {data for _, data in snapshot.read_many(snapshot.entries())}
    assert texts >= {f"[{index}]".encode() for index in range(len(names))}
    assert "bad\\xff.json" in kinds(snapshot)


def test_the_id_follows_content_and_not_times(root: Path) -> None:
    before = opened(root).id
    os.utime(root / "b.md", (0, 2**32))
    assert opened(root).id == before
    (root / "b.md").write_text("# c")
    assert opened(root).id != before
    (root / "b.md").write_text("# b")
    assert opened(root).id == before
    (root / "b.md").rename(root / "c.md")
    assert opened(root).id != before


def test_a_sub_path_limits_the_scan_and_keeps_paths(root: Path) -> None:
    (root / "docs" / "docs").mkdir(parents=True)
    (root / "docs" / "x.md").write_text("x")
    (root / "docs" / "docs" / "y.md").write_text("y")
    found = opened(root, BUILT_IN["js_vue_rag"], sub_path="docs")
    assert kinds(found) == {"docs/x.md": "file"}
    assert found.read(found.entries()[0]) == b"x"


def test_a_sub_path_through_a_symlink_is_refused(root: Path) -> None:
    (root / "etc").symlink_to("/etc")
    with pytest.raises(SourceUnreachableError, match="cannot be read"):
        opened(root, sub_path="etc")


def test_a_folder_that_is_away_is_not_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(SourceAwayError, match="mount it or correct 'path'") as caught:
        opened(tmp_path / "unmounted")
    assert not caught.value.retryable


def test_what_vanished_or_changed_since_the_scan_says_so(root: Path) -> None:
    snapshot = opened(root)
    markdown, json = snapshot.entries()
    (root / "b.md").write_text("# longer than before")
    (root / "src" / "a.json").unlink()
    with pytest.raises(EntryUnreadableError, match="changed"):
        snapshot.read(markdown)
    with pytest.raises(EntryUnreadableError, match="vanished"):
        snapshot.read(json)
    assert list(snapshot.read_many([markdown, json])) == []


def test_what_may_not_be_read_is_an_entry_all_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "closed").mkdir()
    genuine = os.open

    def refusing(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        if path in (b"closed", b"a.json"):
            raise PermissionError(13, "Permission denied")
        return genuine(path, flags, *arguments, **options)

    monkeypatch.setattr(folder_module.os, "open", refusing)
    snapshot = opened(root)
    assert kinds(snapshot) == {"b.md": "file", "closed/": "unreadable", "src/a.json": "unreadable"}
    with pytest.raises(EntryUnreadableError, match="unreadable"):
        snapshot.read(snapshot.entries()[2])


def test_a_file_that_changes_while_it_is_read_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = os.fstat
    writes = iter([b"[1]", None, b"[1, 2]"])

    def changing(handle: int) -> os.stat_result:
        status = genuine(handle)
        if data := next(writes, None):
            (root / "b.md").write_bytes(data)
            os.utime(root / "b.md", ns=(0, len(data)))
        return status

    monkeypatch.setattr(folder_module.os, "fstat", changing)
    (root / "src" / "a.json").unlink()
    snapshot = opened(root)
    assert snapshot.entries()[0].object_id == hashlib.sha256(b"[1, 2]").hexdigest()


def test_a_pinned_folder_gives_only_what_was_scanned(root: Path, tmp_path: Path) -> None:
    source = Source(name="f", kind="folder", path=root)
    snapshot = open_snapshot(source, DEFAULT, tmp_path)
    assert head_of(source, DEFAULT, tmp_path) == snapshot.id
    pinned = pinned_snapshot(source, tmp_path, snapshot.id)
    markdown, json = snapshot.entries()
    (root / "b.md").write_text("other")
    assert [data for _, data in pinned.read_many([markdown, json])] == [b"{}"]


def test_a_file_that_never_holds_still_is_unreadable(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = os.fstat
    ticks = itertools.count()

    def changing(handle: int) -> os.stat_result:
        os.utime(root / "b.md", ns=(0, next(ticks)))
        return genuine(handle)

    monkeypatch.setattr(folder_module.os, "fstat", changing)
    assert kinds(opened(root))["b.md"] == "unreadable"
