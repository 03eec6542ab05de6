"""Types by one name: what a list's items or a map's entries are called says nothing, and Parquet renames it.

Rows that were read back and rows that were made anew are the same; to be the same digest and the same bytes
as well, their types must have the same names within.
"""

from __future__ import annotations

import pyarrow as pa


def plainly_typed(rows: pa.Table) -> pa.Table:
    """The same rows, with the names that Arrow gives by itself inside list and map types."""
    fields = [field.with_type(plain_type(field.type)) for field in rows.schema]
    if all(str(field.type) == str(there.type) for field, there in zip(fields, rows.schema, strict=True)):
        return rows
    return rows.cast(pa.schema(fields, metadata=rows.schema.metadata))


def plain_type(kind: pa.DataType) -> pa.DataType:
    """A type with plain names inside; whether a value may be null stays as it is."""
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(plain_type(field.type)) for field in kind])
    if pa.types.is_map(kind):
        item = kind.item_field
        return pa.map_(plain_type(kind.key_type), pa.field("value", plain_type(item.type), item.nullable))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_item(kind), kind.list_size)
    if pa.types.is_large_list(kind):
        return pa.large_list(_item(kind))
    if pa.types.is_list(kind):
        return pa.list_(_item(kind))
    return kind


def _item(kind: pa.DataType) -> pa.Field:
    return pa.field("item", plain_type(kind.value_type), kind.value_field.nullable)
