"""Rows as tables of the UI: shown at once, where Markdown hides behind a link; texts cut and cleaned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import dagster as dg
import pyarrow as pa

from chunk_pipeline.warehouse.plain_text import cut_short

CELL_CHARACTERS = 60
"""A row of a few such cells fits the width of a check's page."""


def ui_table(rows: Iterable[Mapping[str, object]], limit: int = CELL_CHARACTERS) -> dg.TableMetadataValue:
    """Rows, at least one, as a table; the first row's keys are its columns, texts are cut at the limit."""
    return dg.MetadataValue.table(
        [dg.TableRecord({name: _cell(value, limit) for name, value in row.items()}) for row in rows]
    )


def type_name(kind: pa.DataType) -> str:
    """An Arrow type as people write it: ``list<struct<start: int64, end: int64>>``."""
    if pa.types.is_large_string(kind):
        return "string"
    if pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind):
        size = f", {kind.list_size}" if pa.types.is_fixed_size_list(kind) else ""
        return f"list<{type_name(kind.value_type)}{size}>"
    if pa.types.is_map(kind):
        return f"map<{type_name(kind.key_type)}, {type_name(kind.item_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'{field.name}: {type_name(field.type)}' for field in kind)}>"
    return str(kind)


def _cell(value: object, limit: int) -> str | float | bool | None:
    """A number as it is, anything else as one line of text, cut short."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return round(value, 4)
    return cut_short(str(value), limit)
