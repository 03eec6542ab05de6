"""What a release holds, who reads at it, and what it does where something is lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest

from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition, Warehouse
from chunk_pipeline.warehouse.releases import (
    is_release_current,
    load_release,
    newest_release,
    publish_release,
    release_numbers,
    release_path,
    released,
)
from chunk_pipeline.warehouse.tables import RAW_FILES, STRUCTURE_METRICS

ONE, TWO = Partition(repository="one"), Partition(repository="two")


def write(warehouse: Warehouse, partition: Partition, *paths: str) -> None:
    names = [partition.repository] * len(paths)
    rows = {"repository": names, "path": list(paths), "size": [1] * len(paths), "kind": ["file"] * len(paths)}
    rows |= {"object_id": [""] * len(paths), "snapshot": ["s"] * len(paths)}
    warehouse.write(RAW_FILES, pa.table(rows), inputs_of(paths=list(paths)), partition)


def paths_of(warehouse: Warehouse) -> list[str]:
    found: list[str] = warehouse.read(RAW_FILES)["path"].to_pylist()
    return found


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse(tmp_path / "warehouse")
    write(warehouse, ONE, "a", "b")
    write(warehouse, TWO, "c")
    return warehouse


def test_a_reader_at_the_release_sees_one_state_whatever_is_written_meanwhile(warehouse: Warehouse) -> None:
    publish_release(warehouse)
    write(warehouse, ONE, "a")
    warehouse.drop(RAW_FILES, TWO)
    write(warehouse, Partition(repository="three"), "new")
    assert paths_of(released(warehouse)) == ["a", "b", "c"]
    assert paths_of(warehouse) == ["a", "new"]
    publish_release(warehouse)
    assert paths_of(released(warehouse)) == ["a", "new"]


def test_without_a_release_the_tables_are_read_as_they_are(warehouse: Warehouse) -> None:
    assert released(warehouse) is warehouse


def test_nothing_is_written_where_nothing_changed(warehouse: Warehouse) -> None:
    first = publish_release(warehouse)
    written = release_path(warehouse, first.number).stat().st_mtime_ns
    assert publish_release(warehouse) == first
    assert release_numbers(warehouse) == [1]
    assert release_path(warehouse, 1).stat().st_mtime_ns == written
    assert is_release_current(warehouse)


def test_a_release_counts_the_rows_of_every_table(warehouse: Warehouse) -> None:
    held = publish_release(warehouse).release.places
    assert {place: dict(each.rows) for place, each in held.items()} == {
        "raw_files/repository=one": {"raw_files": 2},
        "raw_files/repository=two": {"raw_files": 1},
    }


def test_the_same_work_is_the_same_state_whatever_was_there_before(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    other = Warehouse(tmp_path / "other")
    write(other, TWO, "something else")
    write(other, ONE, "b", "a")
    write(other, TWO, "c")
    ours, theirs = publish_release(warehouse).release, publish_release(other).release
    assert ours.state != theirs.state  # the inputs of "b", "a" are others than those of "a", "b"
    write(other, ONE, "a", "b")
    assert ours.state == publish_release(other).release.state


def test_another_run_s_release_is_never_replaced(warehouse: Warehouse) -> None:
    together = threading.Barrier(6)

    def publish(number: int) -> int:
        own = Warehouse(warehouse.root)
        together.wait()
        write(own, Partition(repository=f"r{number}"), str(number))
        return publish_release(own).number

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(publish, range(6))) == set(release_numbers(warehouse))
    numbers = release_numbers(warehouse)
    assert numbers == list(range(1, len(numbers) + 1))
    assert sorted(paths_of(released(warehouse))) == sorted([*"abc", *"012345"])
    assert is_release_current(warehouse)


def test_a_torn_record_is_passed_over_and_the_next_run_writes_another(warehouse: Warehouse) -> None:
    publish_release(warehouse)
    write(warehouse, ONE, "a")
    publish_release(warehouse)
    path = release_path(warehouse, 2)
    path.write_bytes(path.read_bytes()[:-9])
    assert paths_of(released(warehouse)) == ["a", "b", "c"]
    assert not is_release_current(warehouse)
    with pytest.raises(DamagedTableError, match=r"00000002\.json is damaged .*'chunk-pipeline repair'"):
        load_release(warehouse, 2)
    assert publish_release(warehouse).number == 3
    assert paths_of(released(warehouse)) == ["a", "c"]


def test_a_manifest_that_is_gone_or_another_is_said_and_never_read_as_nothing(warehouse: Warehouse) -> None:
    publish_release(warehouse)
    [path] = (warehouse.root / "raw_files" / "repository=one" / "manifests").iterdir()
    path.unlink()
    with pytest.raises(DamagedTableError, match="is gone; run 'chunk-pipeline repair'"):
        released(warehouse).read(RAW_FILES, ONE)
    write(warehouse, ONE, "other")
    with pytest.raises(DamagedTableError, match="than the release names; run 'chunk-pipeline repair'"):
        released(warehouse).read(RAW_FILES, ONE)
    assert released(warehouse).read(RAW_FILES, TWO)["path"].to_pylist() == ["c"]


def test_an_object_store_has_releases_too() -> None:
    warehouse = Warehouse("memory://release-test")
    write(warehouse, ONE, "a")
    publish_release(warehouse)
    write(warehouse, ONE, "b")
    assert paths_of(released(warehouse)) == ["a"]
    assert publish_release(warehouse).number == 2
    newest = newest_release(warehouse)
    assert newest is not None
    assert newest.number == 2
    assert released(warehouse).read(STRUCTURE_METRICS).num_rows == 0
