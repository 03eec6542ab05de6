"""A patched partition has the files that writing all of it gives, whatever keys come and go."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition, Rows, Warehouse
from chunk_pipeline.warehouse.table import Partitioning, Table
from chunk_pipeline.warehouse.tables import CHUNKS, SKIPS

OWN = Partition(strategy="s", repository="one")
FINE = Table(
    name="skips",
    description="Skips in small files.",
    schema=SKIPS.schema,
    key=SKIPS.key,
    sort=SKIPS.sort,
    partitioning=Partitioning.STRATEGY_REPOSITORY,
    committed_with="chunks",
    cut_by="path",
    cut_every=3,
)
KEYS = [f"file-{number:02}" for number in range(24)]
STATE = st.dictionaries(st.sampled_from(KEYS), st.integers(1, 3), max_size=20)


def rows_of(state: dict[str, int]) -> pa.Table:
    """Three columns tell rows apart; the rest are blank."""
    blank = {field.name: 0 if pa.types.is_integer(field.type) else "" for field in SKIPS.schema}
    rows = [
        {**blank, "path": path, "start": start, "end": number}
        for path, number in state.items()
        for start in range(number)
    ]
    return pa.Table.from_pylist(rows, schema=SKIPS.schema)


def commit(warehouse: Warehouse, rows: pa.Table, replaces: frozenset[str] | None = None) -> bytes:
    chunks = Rows(CHUNKS, OWN, CHUNKS.empty())
    return warehouse.commit([Rows(FINE, OWN, rows, replaces), chunks], inputs_of(stage=1)).encode()


@settings(max_examples=120, deadline=None)
@given(before=STATE, after=STATE, also=st.sets(st.sampled_from(KEYS), max_size=3))
def test_a_patch_gives_the_bytes_of_a_whole_write(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, int], after: dict[str, int], also: set[str]
) -> None:
    keys = frozenset(key for key in KEYS if before.get(key) != after.get(key)) | also
    patched, written = (Warehouse(tmp_path_factory.mktemp(name)) for name in ("patched", "written"))
    commit(patched, rows_of(before))
    new = rows_of({key: number for key, number in after.items() if key in keys})
    assert commit(patched, new, keys) == commit(written, rows_of(after))
    assert patched.read(FINE, OWN).equals(written.read(FINE, OWN))
    wanted = patched.read_keys(FINE, OWN, also, ("path", "start"))
    assert wanted.num_rows == sum(number for key, number in after.items() if key in also)


def test_a_patch_reads_and_writes_only_the_files_that_it_touches(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    warehouse = Warehouse(tmp_path_factory.mktemp("patched"))
    commit(warehouse, rows_of(dict.fromkeys(KEYS, 1)))
    files = warehouse.files(FINE, OWN)
    assert len(files) > 4
    files[0].write_bytes(b"damaged")
    last = KEYS[-1]
    commit(warehouse, rows_of({last: 2}), frozenset({last}))
    after = warehouse.files(FINE, OWN)
    assert after[:-1] == files[:-1]
    assert after[-1] != files[-1]


def test_rows_of_a_key_that_is_not_replaced_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    warehouse = Warehouse(tmp_path_factory.mktemp("patched"))
    commit(warehouse, rows_of({"file-01": 1}))
    with pytest.raises(ValueError, match="rows of keys that it does not replace"):
        commit(warehouse, rows_of({"file-02": 1}), frozenset({"file-01"}))


def test_a_patch_of_nothing_stored_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(ValueError, match="there is nothing to patch"):
        commit(Warehouse(tmp_path_factory.mktemp("empty")), rows_of({"file-01": 1}), frozenset({"file-01"}))
