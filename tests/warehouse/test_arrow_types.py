"""Rows that were read back are written as the same bytes as rows that were made anew."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from upath import UPath

from chunk_pipeline.warehouse.arrow_types import plainly_typed
from chunk_pipeline.warehouse.parquet_files import read_rows, write_rows
from chunk_pipeline.warehouse.row_digest import row_digest
from chunk_pipeline.warehouse.tables import TABLES, Table, with_dimension


def value_of(kind: pa.DataType) -> object:
    if pa.types.is_struct(kind):
        return {field.name: value_of(field.type) for field in kind}
    if pa.types.is_map(kind):
        return [("key", "value")]
    if pa.types.is_fixed_size_list(kind):
        return [0.5] * kind.list_size
    if pa.types.is_list(kind):
        return [value_of(kind.value_type)] * 2
    if pa.types.is_boolean(kind):
        return True
    return "text" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else 1


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_what_was_read_back_is_written_as_the_same_bytes(tmp_path: Path, table: Table) -> None:
    schema = with_dimension(table, 4) if "vector" in table.schema.names else table.schema
    row = {field.name: value_of(field.type) for field in schema if not pa.types.is_date(field.type)}
    rows = pa.Table.from_pylist([row, row], schema=schema)
    first = write_rows(UPath(tmp_path / "first"), table, rows, {})
    read = read_rows(UPath(tmp_path / "first"), first)
    again = write_rows(UPath(tmp_path / "again"), table, read, {})
    assert again == first
    assert (tmp_path / "again" / again.name).read_bytes() == (tmp_path / "first" / first.name).read_bytes()
    assert row_digest(plainly_typed(read)) == row_digest(rows)


def test_rows_that_are_plainly_typed_are_left_alone() -> None:
    rows = pa.table({"words": pa.array([["a"]], pa.list_(pa.string()))})
    assert plainly_typed(rows) is rows
    renamed = rows.cast(pa.schema([("words", pa.list_(pa.field("element", pa.string(), False)))]))
    assert str(plainly_typed(renamed).schema.field("words").type) == "list<item: string not null>"
