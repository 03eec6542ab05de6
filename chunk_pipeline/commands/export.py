"""``chunk-pipeline export``: a table as a file for people and their programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer
from rich.table import Table as Shown
from upath import UPath

from chunk_pipeline.commands.console import errors, output
from chunk_pipeline.commands.failures import UsageError
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.atomic import write_atomically
from chunk_pipeline.warehouse.export import (
    Condition,
    ExportError,
    Format,
    condition_of,
    exported_schema,
    parts_of,
    table_named,
    write_table,
)
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.plain_text import plain_lines
from chunk_pipeline.warehouse.tables import TABLES, Table


def export(
    table: Annotated[str | None, typer.Argument(help="Its name; --list has them all.")] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="Default: what the name of the file ends in, else csv."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="COLUMN=VALUE",
            help="Only rows with this value; nothing behind = is empty. May be repeated: all must hold.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write, whole or not at all. Default: standard output."),
    ] = None,
    list_tables: Annotated[bool, typer.Option("--list", help="List the tables and end.")] = False,
) -> None:
    """Write a table as CSV, JSON (an array, a row a line) or Parquet.

    CSV may be opened in a spreadsheet: a text that would be a formula has an apostrophe in front. It is
    UTF-8, separated by commas; an empty cell is null, nested columns are JSON.

    To read it back: csv.field_size_limit(10**9); csv.DictReader(open(FILE, encoding="utf-8", newline=""));
    each cell of a text column through chunk_pipeline.warehouse.export.unguarded.

    Exit code 2 for a table or column that is not there.
    """
    warehouse = Workspace(Settings()).warehouse
    if list_tables:
        _list(warehouse)
        return
    if table is None:
        raise UsageError(f"name a table; there are: {', '.join(each.name for each in TABLES)}")
    try:
        declared = table_named(table)
        conditions = [condition_of(declared, text) for text in where or ()]
    except ExportError as error:
        raise UsageError(str(error)) from error
    chosen = form or _format_of(file)
    if file is None:
        _to_output(warehouse, declared, conditions, chosen)
    else:
        _to_file(warehouse, declared, conditions, chosen, file)


def _list(warehouse: Warehouse) -> None:
    shown = Shown("table", "rows", "what it holds")
    for table in TABLES:
        stored = (warehouse.stored(table, partition) for partition in warehouse.partitions(table))
        shown.add_row(table.name, str(sum(each.rows for each in stored if each)), table.description)
    output.print(shown)


def _format_of(file: Path | None) -> Format:
    ending = file.suffix[1:].lower() if file else ""
    return Format(ending) if ending in list(Format) else Format.CSV


def _to_file(
    warehouse: Warehouse, table: Table, conditions: list[Condition], form: Format, file: Path
) -> None:
    target = file.resolve()
    if target.exists() and not target.is_file():
        raise UsageError(
            f"{file} is not a file that can be replaced; leave -o out to write to standard output"
        )
    count = 0

    def write(opened: BinaryIO) -> None:
        nonlocal count
        count = write_table(opened, form, exported_schema(table), parts_of(warehouse, table, conditions))

    write_atomically(UPath(target), write)
    errors.print(f"{count} rows of {table.name} in {file}")


def _to_output(warehouse: Warehouse, table: Table, conditions: list[Condition], form: Format) -> None:
    stream: BinaryIO = sys.stdout.buffer
    if stream.isatty():
        if form is Format.PARQUET:
            raise UsageError("Parquet is not for a terminal; add -o FILE")
        stream = cast(BinaryIO, _Terminal(stream))
    write_table(stream, form, exported_schema(table), parts_of(warehouse, table, conditions))


class _Terminal:
    """A terminal in the place of a file: what would act on it is written out."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        """Show some whole lines."""
        text = data.decode().replace("\r\n", "\n")
        return self._stream.write(plain_lines(text).encode())
