"""How a table is declared: an Arrow schema with a description per column, the key and the sort order.

The declarations themselves are in ``corpus_tables``, ``chunk_tables`` and ``evaluation_tables``, and all
together in ``tables``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pyarrow as pa


class Partitioning(StrEnum):
    """How a table is laid out in files."""

    WHOLE = "whole"
    REPOSITORY = "repository"
    STRATEGY = "strategy"
    STRATEGY_REPOSITORY = "strategy_repository"
    STAGE_REPOSITORY = "stage_repository"


@dataclass(frozen=True, slots=True)
class Table:
    """A table's declaration.

    Attributes:
        name: Folder in the warehouse and name in the catalog.
        description: One sentence for people.
        schema: Arrow schema; each field's metadata holds its description.
        key: Columns that identify a row over the whole table.
        sort: Columns that rows are sorted by inside a file.
        partitioning: How it is laid out in files.
        in_catalog: Whether the DuckDB catalog holds it.
        committed_with: Name of the main table whose manifest holds it; empty for a main table.
        cut_by: Column at whose values a partition is cut into files; empty where it is one file.
        cut_every: How many values of that column a file has on average.
    """

    name: str
    description: str
    schema: pa.Schema
    key: tuple[str, ...]
    sort: tuple[str, ...]
    partitioning: Partitioning
    in_catalog: bool = True
    committed_with: str = ""
    cut_by: str = ""
    cut_every: int = 1

    def describe(self, column: str) -> str:
        """The description of a column."""
        return str((self.schema.field(column).metadata or {}).get(b"description", b"").decode())

    def empty(self) -> pa.Table:
        """A table of this schema with no rows."""
        return self.schema.empty_table()


def column(name: str, kind: pa.DataType, description: str, *, nullable: bool = False) -> pa.Field:
    """A column with its description."""
    return pa.field(name, kind, nullable=nullable, metadata={"description": description})


TEXT = pa.large_string()
ATTRIBUTES = pa.map_(pa.string(), pa.string())

REPOSITORY = column("repository", pa.string(), "Name of the source; the partition key is its slug.")
PATH = column("path", pa.string(), "Path relative to the repository's root.")
SNAPSHOT = column("snapshot", pa.string(), "Commit of a git source, content digest of a folder.")
STRATEGY = column("strategy", pa.string(), "Name of the chunking strategy.")
SIZE = column("size", pa.int64(), "Size in bytes.")


def with_dimension(table: Table, dimension: int) -> pa.Schema:
    """The table's schema with its ``vector`` column as a fixed-size list of that many float32."""
    index = table.schema.get_field_index("vector")
    field = table.schema.field(index).with_type(pa.list_(pa.float32(), dimension))
    return table.schema.set(index, field)


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Tables of one declaration as one; vectors of different widths become lists without a fixed width.

    Raises:
        ValueError: There is no table.
    """
    if not tables:
        raise ValueError("there are no tables to join")
    place = tables[0].schema.get_field_index("vector")
    kinds = [table.schema.field(place).type for table in tables] if place >= 0 else []
    if any(kind != kinds[0] for kind in kinds):  # not by their hashes, which equal types may not share
        loose = tables[0].schema.field(place).with_type(pa.list_(pa.float32()))
        tables = [table.cast(table.schema.set(place, loose)) for table in tables]
    return pa.concat_tables(tables)
