"""A small store with every table, a report, a catalog and a release, made without any stage."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from chunk_pipeline.warehouse.catalog import build_catalog
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.owners import owner_at
from chunk_pipeline.warehouse.parquet import Partition, Rows, Warehouse
from chunk_pipeline.warehouse.partitions import folders_of, is_main, owned, owners_of
from chunk_pipeline.warehouse.releases import publish_release
from chunk_pipeline.warehouse.tables import RETRIEVAL_METRICS, TABLES, Table, with_dimension

REPORT = "reports/report.md"
STRATEGY, REPOSITORY = "s", "one"


def value_of(kind: pa.DataType, word: str = "text") -> object:
    """Some value of a type."""
    if pa.types.is_struct(kind):
        return {field.name: value_of(field.type) for field in kind if not pa.types.is_date(field.type)}
    if pa.types.is_map(kind):
        return [("key", "value")]
    if pa.types.is_fixed_size_list(kind):
        return [0.5] * kind.list_size
    if pa.types.is_list(kind):
        return [value_of(kind.value_type)] * 2
    if pa.types.is_boolean(kind):
        return True
    return word if pa.types.is_string(kind) or pa.types.is_large_string(kind) else 1


def rows_of(table: Table, *words: str) -> pa.Table:
    """A row of a table for each word."""
    schema = with_dimension(table, 4) if "vector" in table.schema.names else table.schema
    rows = [{field.name: value_of(field.type, word) for field in schema} for word in words]
    return pa.Table.from_pylist(rows, schema=schema)


def partition_of(table: Table, repository: str = REPOSITORY) -> Partition:
    """The partition of a main table that the store has."""
    values = {"strategy": STRATEGY, "repository": repository}
    return Partition(**{name: values[name] for name in folders_of(table)})


def commit(warehouse: Warehouse, main: Table, *words: str, repository: str = REPOSITORY) -> None:
    """Commit a main table with all that belongs to it."""
    partition = partition_of(main, repository)
    tables = [each for each in TABLES if main in owners_of(each) and each != main]
    rows = [
        Rows(
            each,
            owned(each, main, partition),
            rows_of(each, *(f"{main.name} {repository} {word}" for word in words)),
        )
        for each in (*tables, main)
    ]
    pages = {REPORT: "\n".join(words).encode()} if main == RETRIEVAL_METRICS else {}
    warehouse.commit(rows, inputs_of(words=list(words)), pages=pages)


def publish(warehouse: Warehouse) -> int:
    """Build the catalog and record a release."""
    build_catalog(warehouse)
    return publish_release(warehouse).number


def make_store(root: Path) -> Warehouse:
    """Every table with one row, and what is made of them."""
    warehouse = Warehouse(root)
    for table in TABLES:
        if is_main(table):
            commit(warehouse, table, "text")
    publish(warehouse)
    return warehouse


def manifest_of(warehouse: Warehouse, table: Table, number: int = 1) -> Path:
    """Where a manifest of a main table lies."""
    home = owner_at(warehouse, table, partition_of(table)).home
    return Path(str(home)) / "manifests" / f"{number:08}.json"


def files_of(warehouse: Warehouse, table: Table) -> list[Path]:
    """The data files of all partitions of a table."""
    partitions = warehouse.partitions(table)
    return [Path(str(path)) for each in partitions for path in warehouse.files(table, each)]
