"""The columns of a table as they are stored: their digest, and rows brought into their types and order."""

from __future__ import annotations

from hashlib import sha256

import pyarrow as pa

from chunk_pipeline.warehouse.ordering import ordered
from chunk_pipeline.warehouse.table import Table


def columns_digest(table: Table) -> str:
    """Digest of the names and types of a table's columns; the width of vectors is no part of it."""
    return columns_digest_of(table.schema)


def columns_digest_of(schema: pa.Schema) -> str:
    """The same of the columns that a file has."""
    columns = "\n".join(
        f"{field.name} {'vector' if field.name == 'vector' else field.type}" for field in schema
    )
    return sha256(columns.encode()).hexdigest()[:16]


def as_declared(table: Table, rows: pa.Table) -> pa.Table:
    """The rows as they are stored: of the declared types, sorted.

    Raises:
        ValueError: They do not have the table's columns.
    """
    if rows.schema.names != table.schema.names:
        raise ValueError(f"table {table.name} has columns {table.schema.names}, not {rows.schema.names}")
    schema = table.schema
    if "vector" in rows.schema.names:
        index = schema.get_field_index("vector")
        schema = schema.set(index, schema.field(index).with_type(rows.schema.field("vector").type))
    return ordered(rows, table.sort).cast(schema).combine_chunks()
