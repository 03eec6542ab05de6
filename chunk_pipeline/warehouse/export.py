"""Tables as files for people: CSV that a spreadsheet may open, JSON, or one Parquet file.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and a formula can
start a program or send other cells away. Texts come from sources that nobody vouches for, so in CSV such a
text gets an apostrophe in front; ``unguarded`` takes it off again, exactly. Columns of numbers are left as
they are: nothing but a number can stand in them. Rows come in the order of the table, so the same table gives
the same bytes.
Tested by tests/warehouse/test_export.py.
"""

from __future__ import annotations

import datetime
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.plain_text import json_text
from chunk_pipeline.warehouse.tables import TABLES, Partitioning, Table

ROWS_AT_ONCE = 4096
_STARTING = frozenset("=+-@\u2212")
_ACTING_AT_ONCE = frozenset("\t\r\n")
_BLANK = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


class ExportError(ValueError):
    """A table or column that is not there, or a value that cannot be in it; the message lists what is."""


class Format(StrEnum):
    """How a table is written."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows whose column has this value; ``None`` is an empty one, be it null or an empty text."""

    column: str
    value: str | int | float | bool | None


def table_named(name: str) -> Table:
    """The table of that name.

    Raises:
        ExportError: There is none.
    """
    for table in TABLES:
        if table.name == name:
            return table
    raise ExportError(f"no table {name!r}; there are: {', '.join(table.name for table in TABLES)}")


def condition_of(table: Table, text: str) -> Condition:
    """What ``column=value`` asks; nothing behind the sign asks for empty ones.

    Raises:
        ExportError: It is not of that form, there is no such column, or its values cannot be that.
    """
    name, sign, value = text.partition("=")
    if not sign:
        raise ExportError(f"{text!r} is not of the form column=value")
    if name not in table.schema.names:
        raise ExportError(f"{table.name} has no column {name!r}; it has: {', '.join(table.schema.names)}")
    kind = table.schema.field(name).type
    read = _reader_of(kind)
    if read is None:
        raise ExportError(f"{table.name}.{name} holds {kind}: choose another column")
    try:
        return Condition(name, pa.scalar(read(value), kind).as_py() if value else None)
    except (ValueError, OverflowError) as error:
        raise ExportError(f"{table.name}.{name} holds {kind}, which {value!r} is not") from error


def parts_of(warehouse: Warehouse, table: Table, conditions: Sequence[Condition] = ()) -> Iterator[pa.Table]:
    """The rows that meet all the conditions, some thousand at a time, in the order of the table.

    One partition is in memory at a time.
    """
    for partition in warehouse.partitions(table, strategy=_strategy_of(table, conditions)):
        rows = warehouse.read(table, partition)
        for each in conditions:
            rows = rows.filter(_meets(rows[each.column], each.value))
        rows = rows.cast(exported_schema(table))
        for start in range(0, rows.num_rows, ROWS_AT_ONCE):
            yield rows.slice(start, ROWS_AT_ONCE)


def _strategy_of(table: Table, conditions: Sequence[Condition]) -> str | None:
    """The strategy whose partitions are enough, where a table has some for each."""
    if table.partitioning not in (Partitioning.STRATEGY, Partitioning.STRATEGY_REPOSITORY):
        return None
    asked = (each.value for each in conditions if each.column == "strategy")
    return next((value for value in asked if isinstance(value, str)), None)


def exported_schema(table: Table) -> pa.Schema:
    """The table's schema; vectors without a fixed width, since models differ in theirs."""
    place = table.schema.get_field_index("vector")
    if place < 0:
        return table.schema
    return table.schema.set(place, table.schema.field(place).with_type(pa.list_(pa.float32())))


def write_table(file: BinaryIO, form: Format, schema: pa.Schema, parts: Iterable[pa.Table]) -> int:
    """Write rows as CSV (RFC 4180, UTF-8), as a JSON array with a row a line, or as Parquet.

    In CSV a null is an empty cell, an empty text is ``""``, and lists, structs and maps are JSON. JSON has
    null for numbers that are not finite. Dates are ISO 8601 in both.

    Returns:
        How many rows.
    """
    writers: dict[Format, Callable[[BinaryIO, pa.Schema, Iterable[pa.Table]], int]] = {
        Format.CSV: _write_csv,
        Format.JSON: _write_json,
        Format.PARQUET: _write_parquet,
    }
    return writers[form](file, schema, parts)


def guarded(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _acts(text) else text


def unguarded(cell: str) -> str:
    """The text that ``guarded`` was given."""
    return cell[1:] if cell.startswith("'") and _acts(cell[1:]) else cell


def _acts(text: str) -> bool:
    """Whether a text would start a formula, or would but for apostrophes of its own, which need one more."""
    for character in text.lstrip("'"):
        if character in _ACTING_AT_ONCE:
            return True
        if unicodedata.category(character) not in _BLANK:
            return unicodedata.normalize("NFKC", character)[:1] in _STARTING
    return False


def _write_csv(file: BinaryIO, schema: pa.Schema, parts: Iterable[pa.Table]) -> int:
    cells = [_cell_of(field.type) for field in schema]
    file.write(_line(schema.names))
    count = 0
    for part in parts:
        columns = (
            [cell(value) for value in column.to_pylist()]
            for cell, column in zip(cells, part.columns, strict=True)
        )
        file.write(b"".join(map(_line, zip(*columns, strict=True))))
        count += part.num_rows
    return count


def _line(cells: Iterable[str | None]) -> bytes:
    return (",".join(map(_quoted, cells)) + "\r\n").encode()


def _quoted(cell: str | None) -> str:
    if cell is None:
        return ""
    if cell and not any(character in cell for character in ',"\r\n') and cell == cell.strip():
        return cell
    return '"' + cell.replace('"', '""') + '"'


def _cell_of(kind: pa.DataType) -> Callable[[Any], str | None]:
    """What makes a cell of a column's values."""
    if pa.types.is_boolean(kind):
        return lambda value: None if value is None else str(value).lower()
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return lambda value: None if value is None else repr(value)
    if pa.types.is_nested(kind):
        return lambda value: None if value is None else guarded(json_text(_in_json(value, kind)))
    return lambda value: None if value is None else guarded(_text(value))


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _write_json(file: BinaryIO, schema: pa.Schema, parts: Iterable[pa.Table]) -> int:
    count = 0
    for part in parts:
        for row in part.to_pylist():
            value = {field.name: _in_json(row[field.name], field.type) for field in schema}
            file.write((",\n" if count else "[\n").encode() + json_text(value).encode())
            count += 1
    file.write(b"\n]\n" if count else b"[]\n")
    return count


def _in_json(value: Any, kind: pa.DataType) -> Any:
    """A value of Arrow as one of JSON."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if pa.types.is_map(kind):
        return {str(key): _in_json(item, kind.item_type) for key, item in value}
    if pa.types.is_struct(kind):
        return {field.name: _in_json(value[field.name], field.type) for field in kind}
    if pa.types.is_nested(kind):
        return [_in_json(item, kind.value_type) for item in value]
    return _text(value)


def _write_parquet(file: BinaryIO, schema: pa.Schema, parts: Iterable[pa.Table]) -> int:
    count = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(part)
            count += part.num_rows
    return count


def _reader_of(kind: pa.DataType) -> Callable[[str], str | int | float | bool] | None:
    """What reads a value of a column from text; ``None`` for columns that are not compared."""
    if pa.types.is_boolean(kind):
        return _truth
    if pa.types.is_integer(kind):
        return int
    if pa.types.is_floating(kind):
        return float
    return str if pa.types.is_string(kind) or pa.types.is_large_string(kind) else None


def _truth(text: str) -> bool:
    found: Mapping[str, bool] = {"true": True, "false": False}
    if text not in found:
        raise ValueError(text)
    return found[text]


def _meets(column: pa.ChunkedArray, value: object) -> pa.ChunkedArray:
    if value is not None:
        return pc.fill_null(pc.equal(column, pa.scalar(value, column.type)), False)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return pc.equal(pc.fill_null(column, ""), "")
    return pc.is_null(column)
