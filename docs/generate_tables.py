"""Write ``docs/tables.md`` from the table declarations, so that the page cannot differ from the tables.

Run as ``python docs/generate_tables.py``; a test fails where the page is not current. What does not belong
here: descriptions, which are declared with the columns in ``chunk_pipeline/warehouse/tables.py``.
"""

from __future__ import annotations

from pathlib import Path

from chunk_pipeline.warehouse.tables import TABLES, Partitioning, Table

PAGE = Path(__file__).with_name("tables.md")

INTRODUCTION = """\
# Tables

Parquet files under the warehouse are the truth; the catalog `chunk_pipeline.duckdb` holds those tables that
are marked so. Spans are half-open, `[start, end)`, in characters of the text in `contents`.

This page is made by `python docs/generate_tables.py` from `chunk_pipeline/warehouse/tables.py`; change the
descriptions there.
"""


def render() -> str:
    """The whole page, in Markdown: an overview, then one section a table in the order of ``TABLES``."""
    overview = ["| table | one row is about | in the catalog |", "| --- | --- | --- |"]
    for table in TABLES:
        held = "yes" if table.in_catalog else "no"
        overview.append(f"| [{table.name}](#{table.name}) | {_cell(', '.join(table.key))} | {held} |")
    sections = [INTRODUCTION, "\n".join(overview) + "\n", *map(section, TABLES)]
    return "\n".join(sections)


def section(table: Table) -> str:
    """A table's section: what it is, where it lies, its key and its columns."""
    lines = [
        f"## {table.name}",
        "",
        table.description,
        "",
        f"- files: `{_folder(table)}`",
        f"- key: {', '.join(f'`{column}`' for column in table.key)}",
        f"- order inside a file: {', '.join(f'`{column}`' for column in table.sort)}",
        "",
        "| column | type | null | description |",
        "| --- | --- | --- | --- |",
    ]
    lines += [
        f"| `{field.name}` | `{_cell(str(field.type))}` | {'yes' if field.nullable else 'no'} "
        f"| {_cell(table.describe(field.name))} |"
        for field in table.schema
    ]
    return "\n".join(lines) + "\n"


def _folder(table: Table) -> str:
    """Where the table's files lie in the warehouse; a partitioning's value names its levels."""
    levels = [] if table.partitioning is Partitioning.WHOLE else table.partitioning.value.split("_")
    return "/".join([table.name, *(f"{level}=…" for level in levels), "<digest>.parquet"])


def _cell(text: str) -> str:
    """Text that stays in one cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
