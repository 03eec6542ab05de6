"""``docs/tables.md`` is what the table declarations say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from chunk_pipeline.warehouse.parquet import Partition, Warehouse
from chunk_pipeline.warehouse.tables import CHUNKS, GOLD_QUERIES, QUARANTINE, TABLES, Table

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_tables", DOCS / "generate_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(generator: ModuleType) -> None:
    page = (DOCS / "tables.md").read_text(encoding="utf-8")
    assert page == generator.render(), "run: python docs/generate_tables.py"


def test_every_table_and_column_is_described() -> None:
    blank = [
        f"{table.name}.{name}" for table in TABLES for name in table.schema.names if not table.describe(name)
    ]
    assert blank == []
    assert [table.name for table in TABLES if not table.description] == []


@pytest.mark.parametrize(
    ("table", "partition"),
    [
        (GOLD_QUERIES, Partition()),
        (CHUNKS, Partition(strategy="…", repository="…")),
        (QUARANTINE, Partition(stage="…", repository="…")),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_folders_are_those_of_the_warehouse(
    generator: ModuleType, table: Table, partition: Partition, tmp_path: Path
) -> None:
    warehouse = Warehouse(str(tmp_path))
    folder = Path(str(warehouse.folder(table, partition))).relative_to(tmp_path)
    assert f"- files: `{folder}/<digest>.parquet`" in generator.section(table)


def test_a_bar_in_a_description_does_not_end_its_cell(generator: ModuleType) -> None:
    assert generator._cell("a | b\nc") == "a \\| b c"
