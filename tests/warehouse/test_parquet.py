from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.warehouse.parquet import Partition, Warehouse
from chunk_pipeline.warehouse.tables import (
    CHUNKS,
    QUARANTINE,
    RAW_FILES,
    TABLES,
    VECTORS,
    Table,
    with_dimension,
)

ONE = Partition(repository="one")


def raw(*paths: str) -> pa.Table:
    n = len(paths)
    return pa.table(
        {
            "repository": ["one"] * n,
            "path": list(paths),
            "size": list(range(n)),
            "kind": ["file"] * n,
            "object_id": [""] * n,
            "snapshot": ["s"] * n,
        }
    )


def vectors(n: int, width: int = 4) -> pa.Table:
    values = pa.array(np.arange(n * width, dtype=np.float32))
    columns = [["s"] * n, ["one"] * n, ["m"] * n, [f"{i:03}" for i in range(n)], [2] * n]
    list_column = pa.FixedSizeListArray.from_arrays(values, width)
    return pa.table([*columns, list_column], schema=with_dimension(VECTORS, width))


def test_rows_come_back_sorted_with_their_declared_schema(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    stored = warehouse.write(RAW_FILES, raw("b", "a"), "inputs", ONE)
    assert stored.rows == 2
    assert stored.fingerprint == "inputs"
    read = warehouse.read(RAW_FILES, ONE)
    assert read["path"].to_pylist() == ["a", "b"]
    assert read.schema == RAW_FILES.schema


@settings(max_examples=20, deadline=None)
@given(order=st.permutations(["a", "b", "c", "d"]), cut=st.integers(0, 4))
def test_bytes_depend_on_rows_alone(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], cut: int
) -> None:
    warehouse = Warehouse(tmp_path_factory.mktemp("bytes"))
    sizes = {"a": 0, "b": 1, "c": 2, "d": 3}
    rows = raw(*order).set_column(2, "size", pa.array([sizes[path] for path in order]))
    in_pieces = pa.concat_tables([rows.slice(0, cut), rows.slice(cut)])
    first = warehouse.write(RAW_FILES, in_pieces, "inputs", ONE)
    reference = Warehouse(tmp_path_factory.mktemp("reference"))
    assert first == reference.write(RAW_FILES, raw("a", "b", "c", "d"), "inputs", ONE)
    assert warehouse.path(RAW_FILES, ONE).read_bytes() == reference.path(RAW_FILES, ONE).read_bytes()


def test_the_content_digest_ignores_the_fingerprint_and_follows_the_rows(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    first = warehouse.write(RAW_FILES, raw("a"), "one", ONE)
    second = warehouse.write(RAW_FILES, raw("a"), "two", ONE)
    third = warehouse.write(RAW_FILES, raw("b"), "two", ONE)
    assert first.content == second.content
    assert second.content != third.content


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_can_be_empty(tmp_path: Path, table: Table) -> None:
    warehouse = Warehouse(tmp_path)
    names = {name: "x" for name in ("strategy", "stage", "repository") if name in table.partitioning.value}
    rows = with_dimension(table, 4).empty_table() if "vector" in table.schema.names else table.empty()
    assert warehouse.write(table, rows, "inputs", Partition(**names)).rows == 0
    assert warehouse.read(table).num_rows == 0
    assert warehouse.partitions(table) == [Partition(**names)]


def test_a_table_with_other_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="raw_files has columns"):
        Warehouse(tmp_path).write(RAW_FILES, raw("a").drop_columns(["size"]), "inputs", ONE)


def test_a_partition_that_does_not_fit_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="partitioned by"):
        Warehouse(tmp_path).path(CHUNKS, ONE)


def test_partitions_are_listed_in_order_and_by_strategy_or_repository(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    for strategy in ("b", "a"):
        for repository in ("y", "x"):
            partition = Partition(strategy=strategy, repository=repository)
            warehouse.write(CHUNKS, CHUNKS.empty(), "inputs", partition)
    listed = [(each.strategy, each.repository) for each in warehouse.partitions(CHUNKS)]
    assert listed == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    assert [each.repository for each in warehouse.partitions(CHUNKS, strategy="a")] == ["x", "y"]
    assert [each.strategy for each in warehouse.partitions(CHUNKS, repository="y")] == ["a", "b"]


def test_a_dropped_partition_leaves_no_empty_folder(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    partition = Partition(stage="filtered_files", repository="one")
    warehouse.write(QUARANTINE, QUARANTINE.empty(), "inputs", partition)
    warehouse.drop(QUARANTINE, partition)
    warehouse.drop(QUARANTINE, partition)
    assert not (tmp_path / "quarantine").exists()
    assert warehouse.stored(QUARANTINE, partition) is None


def test_a_damaged_file_counts_as_not_stored(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(RAW_FILES, raw("a"), "inputs", ONE)
    path = warehouse.path(RAW_FILES, ONE)
    path.write_bytes(path.read_bytes()[:-10])
    assert warehouse.stored(RAW_FILES, ONE) is None


@pytest.mark.parametrize("root", ["folder", "memory://warehouse"])
def test_vectors_keep_their_width_and_bits(tmp_path: Path, root: str) -> None:
    warehouse = Warehouse(root if "://" in root else tmp_path / root)
    partition = Partition(strategy="s", repository="one")
    warehouse.write(VECTORS, vectors(3), "inputs", partition)
    read = warehouse.read(VECTORS, partition)
    assert read.schema.field("vector").type == pa.list_(pa.float32(), 4)
    flat = read["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=True)
    assert np.array_equal(flat, np.arange(12, dtype=np.float32))


def test_duckdb_reads_the_files_directly(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(VECTORS, vectors(3), "inputs", Partition(strategy="s", repository="one"))
    glob = f"{tmp_path}/vectors/*/*/part.parquet"
    found = duckdb.sql(f"SELECT text_sha256, vector FROM read_parquet('{glob}', hive_partitioning=false)")
    assert found.fetchall()[1] == ("001", [4.0, 5.0, 6.0, 7.0])


@pytest.fixture
def two_writers(tmp_path: Path) -> Callable[[], None]:
    from concurrent.futures import ThreadPoolExecutor

    def write() -> None:
        def one(number: int) -> None:
            Warehouse(tmp_path).write(RAW_FILES, raw("a", str(number)), f"inputs {number}", ONE)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(one, range(24)))

    return write


def test_writers_of_one_partition_take_turns(tmp_path: Path, two_writers: Callable[[], None]) -> None:
    two_writers()
    rows = Warehouse(tmp_path).read(RAW_FILES, ONE)
    stored = Warehouse(tmp_path).stored(RAW_FILES, ONE)
    assert stored is not None
    assert stored.fingerprint == f"inputs {rows['path'][0].as_py()}"
