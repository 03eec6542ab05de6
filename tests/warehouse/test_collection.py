"""What is collected, and above all what is not."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.catalog import build_catalog
from chunk_pipeline.warehouse.collection import Garbage, Retention, collect, garbage
from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition, Warehouse
from chunk_pipeline.warehouse.releases import (
    at,
    load_release,
    publish_release,
    release_numbers,
    release_path,
    released,
)
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, RAW_FILES, SKIPS, TABLES, VECTORS
from chunk_pipeline.warehouse.verification import verify
from tests.warehouse.damage import flip
from tests.warehouse.whole_store import commit, files_of, make_store, manifest_of, partition_of, publish

HOUR = 3600.0
NOW = time.time()
"""What is written in a test is young; files are older where a test sets their times."""


def age(root: Path, hours: float) -> None:
    """Make every file that old."""
    for path in root.rglob("*"):
        os.utime(path, (NOW - hours * HOUR,) * 2, follow_symlinks=False)


def retention(hours: float = 24, releases: int = 1) -> Retention:
    return Retention(NOW, hours * HOUR, releases)


def counted(found: list[Garbage]) -> dict[str, int]:
    return dict(Counter(each.kind for each in found))


@pytest.fixture
def store(tmp_path: Path) -> Warehouse:
    """A whole store, two days old."""
    store = make_store(tmp_path / "warehouse")
    age(tmp_path, 48)
    return store


@pytest.fixture
def root(store: Warehouse) -> Path:
    return Path(str(store.root))


def test_nothing_of_a_whole_store_is_garbage_however_old(store: Warehouse) -> None:
    assert garbage(store, retention(0)) == []


def test_what_was_superseded_is_kept_for_the_retention_and_then_removed(store: Warehouse, root: Path) -> None:
    [old] = files_of(store, CHUNKS)
    commit(store, CHUNKS, "another")
    publish(store)
    age(root, 20)  # all of it: only the successors' time counts
    assert garbage(store, retention(24)) == []
    removed = collect(store, retention(16))
    assert counted(removed) == {"release": 1, "manifest": 1, "data": 3}
    assert sum(each.size for each in removed) > 0
    assert not old.exists()
    assert release_numbers(store) == [2]
    assert verify(store).whole
    assert verify(store).unnamed == ()
    assert garbage(store, retention(0)) == []


def test_how_old_something_was_before_it_was_superseded_does_not_count(store: Warehouse, root: Path) -> None:
    commit(store, CHUNKS, "of no release")
    age(root, 48)
    reader = store.pinned()
    before = reader.read(CHUNKS)
    commit(store, CHUNKS, "another")
    publish(store)
    assert collect(store, retention(24)) == []  # two days old, and counted until just now
    assert reader.read(CHUNKS) == before
    assert released(store).read(CHUNKS) != before
    age(root, 48)
    assert counted(collect(store, retention(24))) == {"release": 1, "manifest": 2, "data": 6}
    with pytest.raises(DamagedTableError, match="is gone"):
        reader.read(CHUNKS)


def test_a_kept_release_keeps_all_that_it_names(store: Warehouse, root: Path) -> None:
    first = at(store, load_release(store, 1))
    before = {table.name: first.read(table) for table in TABLES}
    for word in ("another", "third"):
        commit(store, CHUNKS, word)
        commit(store, FILES, word)
    publish(store)
    age(root, 48)
    removed = collect(store, retention(24, releases=2))
    assert counted(removed) == {"manifest": 2, "data": 4}  # of "another", which no release names
    assert {table.name: first.read(table) for table in TABLES} == before
    assert counted(collect(store, retention(24, releases=1)))["release"] == 1
    with pytest.raises(DamagedTableError, match="is gone"):
        first.read(CHUNKS)


def test_data_that_is_not_committed_yet_survives_while_it_is_young(store: Warehouse, root: Path) -> None:
    [path] = files_of(store, SKIPS)
    uncommitted, leftover = path.with_name("0" * 32 + ".parquet"), path.with_name(".writing-x.parquet-1-1")
    for each in (uncommitted, leftover):
        each.write_bytes(b"not committed yet")
        os.utime(each, (NOW - HOUR,) * 2)
    assert garbage(store, retention(24)) == []
    assert counted(collect(store, retention(0.5))) == {"data": 1, "leftover": 1}
    assert not uncommitted.exists()
    assert not leftover.exists()


def test_what_changed_in_the_future_is_young(store: Warehouse, root: Path) -> None:
    commit(store, CHUNKS, "another")
    publish(store)
    age(root, -100)
    assert garbage(store, retention(0)) == []


def test_a_dropped_partition_goes_with_its_folders(store: Warehouse, root: Path) -> None:
    commit(store, CHUNKS, "text", repository="two")
    store.drop(CHUNKS, partition_of(CHUNKS))
    publish(store)
    age(root, 48)
    collect(store, retention(24))
    assert not (root / "chunks" / "strategy=s" / "repository=one").exists()
    assert not (root / "skips" / "strategy=s" / "repository=one").exists()
    assert not (root / "quarantine" / "stage=chunks_s" / "repository=one").exists()
    assert store.partitions(CHUNKS) == [Partition(strategy="s", repository="two")]
    assert store.number(CHUNKS, partition_of(CHUNKS)) == 0
    assert verify(store).whole


def test_a_dropped_partition_that_someone_fills_again_stays(store: Warehouse, root: Path) -> None:
    store.drop(VECTORS, partition_of(VECTORS))
    publish(store)
    age(root, 48)
    new = root / "vectors" / "strategy=s" / "repository=one" / ("1" * 32 + ".parquet")
    new.write_bytes(b"of a run that is going on")
    collect(store, retention(24))
    assert new.exists()
    assert store.number(VECTORS, partition_of(VECTORS)) == 2


def test_where_a_manifest_that_counts_is_damaged_nothing_beside_it_is_touched(
    store: Warehouse, root: Path
) -> None:
    commit(store, CHUNKS, "another")
    publish(store)
    flip(manifest_of(store, CHUNKS, 2))
    age(root, 48)
    assert {each.kind for each in collect(store, retention(24))} == {"release"}
    assert manifest_of(store, CHUNKS, 1).exists()


def test_the_first_format_s_file_goes_once_its_partition_has_a_manifest(store: Warehouse, root: Path) -> None:
    with_manifest = root / "raw_files" / "repository=one" / "part.parquet"
    without = root / "raw_files" / "repository=never-run-since" / "part.parquet"
    without.parent.mkdir()
    for each in (with_manifest, without):
        each.write_bytes(b"of the first format")
    age(root, 48)
    collect(store, retention(24))
    assert not with_manifest.exists()
    assert without.exists()


def test_what_is_not_ours_by_its_name_is_left_alone(store: Warehouse, root: Path) -> None:
    [path] = files_of(store, RAW_FILES)
    others = [path.with_name("notes.txt"), root / "somebody" / "else.parquet", root / "notes.parquet"]
    others.append(path.parent / "manifests" / "notes.json")
    for each in others:
        each.parent.mkdir(exist_ok=True)
        each.write_bytes(b"not ours")
    age(root, 48)
    assert collect(store, retention(0)) == []
    assert all(each.exists() for each in others)


def test_a_damaged_release_counts_for_none_and_is_removed_when_it_is_old(
    store: Warehouse, root: Path
) -> None:
    for word in ("another", "third"):
        commit(store, CHUNKS, word)
        publish(store)
    flip(Path(str(release_path(store, 2))))
    age(root, 48)
    collect(store, retention(24, releases=2))
    assert release_numbers(store) == [1, 3]


def test_readers_and_writers_go_on_while_things_are_collected(store: Warehouse, root: Path) -> None:
    failed: list[Exception] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            try:
                assert released(store).read(CHUNKS).num_rows == 1
                assert store.read(CHUNKS).num_rows == 1
            except Exception as error:
                failed.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(8):
        commit(store, CHUNKS, f"word {number}")
        publish_release(store)
    age(root, 48)
    collected = 0
    for number in range(8):
        collected += len(collect(store, retention(24)))
        commit(store, CHUNKS, f"another word {number}")
        publish_release(store)
    ended.set()
    reader.join()
    assert failed == []
    assert collected > 20
    build_catalog(store)
    assert verify(store).whole


def test_an_object_store_keeps_what_has_no_known_age() -> None:
    store = Warehouse("memory://collection-test")
    commit(store, CHUNKS, "text")
    commit(store, CHUNKS, "another")
    collect(store, Retention(NOW, 0, 1))
    assert store.read(CHUNKS).num_rows == 1
    assert verify(store).whole
