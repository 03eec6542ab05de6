from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import (
    ConcurrentRunError,
    DamagedTableError,
    Partition,
    Rows,
    Warehouse,
)
from chunk_pipeline.warehouse.tables import (
    CHUNKS,
    RAW_FILES,
    SKIPS,
    TABLES,
    VECTORS,
    Table,
    with_dimension,
)

ONE = Partition(repository="one")
INPUTS = inputs_of(stage=1)


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
    stored = warehouse.write(RAW_FILES, raw("b", "a"), INPUTS, ONE)
    assert stored.rows == 2
    assert stored.fingerprint == INPUTS.fingerprint
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
    first = warehouse.write(RAW_FILES, in_pieces, INPUTS, ONE)
    reference = Warehouse(tmp_path_factory.mktemp("reference"))
    assert first == reference.write(RAW_FILES, raw("a", "b", "c", "d"), INPUTS, ONE)
    assert [path.read_bytes() for path in warehouse.files(RAW_FILES, ONE)] == [
        path.read_bytes() for path in reference.files(RAW_FILES, ONE)
    ]


def test_the_content_digest_ignores_the_fingerprint_and_follows_the_rows(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    first = warehouse.write(RAW_FILES, raw("a"), inputs_of(run=1), ONE)
    second = warehouse.write(RAW_FILES, raw("a"), inputs_of(run=2), ONE)
    third = warehouse.write(RAW_FILES, raw("b"), inputs_of(run=2), ONE)
    assert first.content == second.content
    assert second.content != third.content


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_can_be_empty(tmp_path: Path, table: Table) -> None:
    warehouse = Warehouse(tmp_path)
    values = {"strategy": "x", "stage": "filtered_files", "repository": "x"}
    names = {name: value for name, value in values.items() if name in table.partitioning.value}
    rows = with_dimension(table, 4).empty_table() if "vector" in table.schema.names else table.empty()
    assert warehouse.write(table, rows, INPUTS, Partition(**names)).rows == 0
    assert warehouse.read(table).num_rows == 0
    assert warehouse.partitions(table) == [Partition(**names)]


def test_a_table_with_other_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="raw_files has columns"):
        Warehouse(tmp_path).write(RAW_FILES, raw("a").drop_columns(["size"]), INPUTS, ONE)


def test_a_partition_that_does_not_fit_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="partitioned by"):
        Warehouse(tmp_path).folder(CHUNKS, ONE)


def test_partitions_are_listed_in_order_and_by_strategy_or_repository(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    for strategy in ("b", "a"):
        for repository in ("y", "x"):
            partition = Partition(strategy=strategy, repository=repository)
            warehouse.write(CHUNKS, CHUNKS.empty(), INPUTS, partition)
    listed = [(each.strategy, each.repository) for each in warehouse.partitions(CHUNKS)]
    assert listed == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    assert [each.repository for each in warehouse.partitions(CHUNKS, strategy="a")] == ["x", "y"]
    assert [each.strategy for each in warehouse.partitions(CHUNKS, repository="y")] == ["a", "b"]


def test_a_dropped_partition_is_there_no_more_and_can_be_written_again(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(RAW_FILES, raw("a"), INPUTS, ONE)
    warehouse.drop(RAW_FILES, ONE)
    warehouse.drop(RAW_FILES, ONE)
    assert warehouse.stored(RAW_FILES, ONE) is None
    assert warehouse.partitions(RAW_FILES) == []
    assert warehouse.read(RAW_FILES).num_rows == 0
    warehouse.write(RAW_FILES, raw("b"), INPUTS, ONE)
    assert warehouse.read(RAW_FILES)["path"].to_pylist() == ["b"]


def test_a_file_of_another_size_counts_as_not_stored(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(RAW_FILES, raw("a"), INPUTS, ONE)
    [path] = warehouse.files(RAW_FILES, ONE)
    path.write_bytes(path.read_bytes()[:-10])
    assert warehouse.stored(RAW_FILES, ONE) is None
    with pytest.raises(DamagedTableError, match=f"{path.name} is damaged"):
        warehouse.read(RAW_FILES, ONE)


def test_a_flipped_bit_is_an_error_and_never_another_value(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(RAW_FILES, raw("a", "b", "c"), INPUTS, ONE)
    [path] = warehouse.files(RAW_FILES, ONE)
    whole, rows = path.read_bytes(), warehouse.read(RAW_FILES, ONE)
    for place in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        path.write_bytes(bytes(damaged))
        with pytest.raises(DamagedTableError, match=path.name):
            warehouse.read(RAW_FILES, ONE)
    path.write_bytes(whole)
    assert warehouse.read(RAW_FILES, ONE) == rows


def test_a_manifest_whose_digest_does_not_fit_is_damaged(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(RAW_FILES, raw("a"), INPUTS, ONE)
    [path] = (tmp_path / "raw_files" / "repository=one" / "manifests").iterdir()
    path.write_bytes(path.read_bytes().replace(b'"rows":1', b'"rows":2'))
    assert warehouse.stored(RAW_FILES, ONE) is None
    assert warehouse.partitions(RAW_FILES) == [ONE]
    with pytest.raises(DamagedTableError, match=r"00000001\.json is damaged"):
        warehouse.read(RAW_FILES, ONE)
    warehouse.write(RAW_FILES, raw("a"), INPUTS, ONE)
    assert warehouse.read(RAW_FILES, ONE)["path"].to_pylist() == ["a"]


def test_what_a_reader_remembers_of_a_manifest_ends_with_its_file(tmp_path: Path) -> None:
    reader, warehouse = Warehouse(tmp_path), Warehouse(tmp_path)
    warehouse.write(RAW_FILES, raw("a"), INPUTS, ONE)
    assert reader.read(RAW_FILES, ONE)["path"].to_pylist() == ["a"]
    shutil.rmtree(tmp_path / RAW_FILES.name)
    assert reader.stored(RAW_FILES, ONE) is None
    warehouse.write(RAW_FILES, raw("b"), INPUTS, ONE)
    assert reader.number(RAW_FILES, ONE) == 1
    assert reader.read(RAW_FILES, ONE)["path"].to_pylist() == ["b"]
    [manifest] = tmp_path.rglob("manifests/*.json")
    manifest.write_bytes(manifest.read_bytes().replace(b"one", b"three", 1))
    with pytest.raises(DamagedTableError):
        reader.read(RAW_FILES, ONE)


def chunk_rows(*paths: str) -> pa.Table:
    empty = {field.name: _blank(field) for field in SKIPS.schema}
    rows = [{**empty, "path": path, "strategy": "s", "repository": "one"} for path in paths]
    return pa.Table.from_pylist(rows, schema=SKIPS.schema)


def _blank(field: pa.Field) -> object:
    return 0 if pa.types.is_integer(field.type) else ""


SKIPPED = Partition(strategy="s", repository="one")


def test_an_edit_writes_only_the_files_that_hold_it(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    paths = [f"folder/file-{number}.md" for number in range(3000)]
    warehouse.write(SKIPS, chunk_rows(*paths), INPUTS, SKIPPED)
    before = {path.name for path in warehouse.files(SKIPS, SKIPPED)}
    warehouse.write(SKIPS, chunk_rows(*paths[:1500], *paths[1501:]), INPUTS, SKIPPED)
    after = {path.name for path in warehouse.files(SKIPS, SKIPPED)}
    assert len(before) > 5
    assert len(after - before) <= 1
    assert warehouse.read(SKIPS, SKIPPED)["path"].to_pylist() == sorted(paths[:1500] + paths[1501:])


def test_what_was_stored_before_leaves_no_trace(tmp_path: Path) -> None:
    first, second = Warehouse(tmp_path / "first"), Warehouse(tmp_path / "second")
    first.write(SKIPS, chunk_rows("a", "b", "c"), inputs_of(run=1), SKIPPED)
    first.drop(SKIPS, SKIPPED)
    first.write(SKIPS, chunk_rows("b"), INPUTS, SKIPPED)
    second.write(SKIPS, chunk_rows("b"), INPUTS, SKIPPED)
    ours, theirs = first.manifest(SKIPS, SKIPPED), second.manifest(SKIPS, SKIPPED)
    assert ours is not None
    assert theirs is not None
    assert ours.encode() == theirs.encode()


def test_tables_of_one_commit_appear_together_and_a_pinned_reader_keeps_the_old_ones(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    partition = Partition(strategy="s", repository="one")

    def commit(*paths: str) -> None:
        rows = [Rows(SKIPS, partition, chunk_rows(*paths)), Rows(CHUNKS, partition, CHUNKS.empty())]
        warehouse.commit(rows, inputs_of(paths=list(paths)))

    commit("a")
    pinned = warehouse.pinned()
    assert pinned.read(CHUNKS, partition).num_rows == 0
    commit("b")
    assert pinned.read(SKIPS, partition)["path"].to_pylist() == ["a"]
    assert warehouse.read(SKIPS, partition)["path"].to_pylist() == ["b"]


def test_a_commit_never_replaces_what_a_concurrent_run_wrote(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    base = warehouse.number(RAW_FILES, ONE)
    warehouse.commit([Rows(RAW_FILES, ONE, raw("theirs"))], inputs_of(run="theirs"), base=base)
    with pytest.raises(ConcurrentRunError, match="another run wrote raw_files/repository=one meanwhile"):
        warehouse.commit([Rows(RAW_FILES, ONE, raw("ours"))], inputs_of(run="ours"), base=base)
    warehouse.commit([Rows(RAW_FILES, ONE, raw("theirs"))], inputs_of(run="theirs"), base=base)
    assert warehouse.read(RAW_FILES, ONE)["path"].to_pylist() == ["theirs"]
    assert warehouse.number(RAW_FILES, ONE) == 1


@pytest.mark.parametrize("root", ["folder", "memory://warehouse"])
def test_vectors_keep_their_width_and_bits(tmp_path: Path, root: str) -> None:
    warehouse = Warehouse(root if "://" in root else tmp_path / root)
    partition = Partition(strategy="s", repository="one")
    warehouse.write(VECTORS, vectors(3), INPUTS, partition)
    read = warehouse.read(VECTORS, partition)
    assert read.schema.field("vector").type == pa.list_(pa.float32(), 4)
    flat = read["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=True)
    assert np.array_equal(flat, np.arange(12, dtype=np.float32))


def test_duckdb_reads_the_files_directly(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write(VECTORS, vectors(3), INPUTS, Partition(strategy="s", repository="one"))
    glob = f"{tmp_path}/vectors/*/*/*.parquet"
    found = duckdb.sql(f"SELECT text_sha256, vector FROM read_parquet('{glob}', hive_partitioning=false)")
    assert found.fetchall()[1] == ("001", [4.0, 5.0, 6.0, 7.0])


@pytest.fixture
def two_writers(tmp_path: Path) -> Callable[[], None]:
    from concurrent.futures import ThreadPoolExecutor

    def write() -> None:
        def one(number: int) -> None:
            Warehouse(tmp_path).write(RAW_FILES, raw("a", str(number)), inputs_of(run=str(number)), ONE)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(one, range(24)))

    return write


def test_writers_of_one_partition_take_turns(tmp_path: Path, two_writers: Callable[[], None]) -> None:
    two_writers()
    rows = Warehouse(tmp_path).read(RAW_FILES, ONE)
    stored = Warehouse(tmp_path).stored(RAW_FILES, ONE)
    assert stored is not None
    assert stored.fingerprint == inputs_of(run=rows["path"][0].as_py()).fingerprint
