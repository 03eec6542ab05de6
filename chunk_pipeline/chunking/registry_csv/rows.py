"""The rows of a registry: which are records, and why the others are none.

What does not belong here: the text of a record's chunk (``chunks``) and its facts (``facts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Skip, Span
from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.registry_csv.layout import Table, column_name
from chunk_pipeline.chunking.registry_csv.mappings import folded
from chunk_pipeline.chunking.registry_csv.reading import EXTRA_COLUMN
from chunk_pipeline.chunking.registry_csv.records import Field, Record

ABOVE = "above the header row"
HEADER = "header row"
REPEATED_HEADER = "header row, repeated"
DOCUMENTATION = "documentation row"
EMPTY = "empty row"
ONLY_NUMBERED = "empty row but for its number"

_MARKERS = frozenset(
    {
        *("note", "optional", "required", "mandatory", "eg", "ie", "etc"),
        *("verplicht", "optioneel", "bijv", "bijvoorbeeld", "enz", "zb", "pflicht"),
    }
)
"""What tells how a cell is to be filled, folded."""
_FEWEST_EXPLAINED = 3
_LETTER = re.compile(r"[^\W\d_]")


class Cell(NamedTuple):
    """A cell of a record with something in it.

    Attributes:
        name: The slot that it fills, else the name of its column.
        slot: That slot, where it has one.
        field: Where it stands.
    """

    name: str
    slot: str | None
    field: Field


@dataclass(frozen=True, slots=True)
class Row:
    """A record.

    Attributes:
        number: Its place behind the header, from 1; all rows count.
        record: Its cells as they are in the file.
        cells: Those with something in them, in the order of columns.
        warnings: What is odd about it, as ``rule: what``.
    """

    number: int
    record: Record
    cells: tuple[Cell, ...]
    warnings: tuple[str, ...]

    def value(self, slot: str) -> str | None:
        """The text of the cell that fills a slot."""
        return next((cell.field.value.strip() for cell in self.cells if cell.slot == slot), None)


class _Columns(NamedTuple):
    names: tuple[str, ...]
    slots: tuple[str | None, ...]
    numbering: tuple[bool, ...]


def rows(text: str, table: Table) -> Iterator[Row | Skip]:
    """The records of a registry, and what is left out with the reason, in the order of the file.

    Raises:
        UnparsableError: A quote is never closed.
    """
    header = table.layout.header
    columns = _Columns(
        table.layout.columns,
        tuple(table.mapping.slot(name) for name in table.layout.columns),
        tuple(table.mapping.numbers(name) for name in table.layout.columns),
    )
    blank: Skip | None = None
    for place, record in enumerate(table.layout.records(text)):
        reason = ABOVE if place < header else HEADER
        if place > header:
            reason = _no_record(record, columns, place - header)
        if reason == EMPTY and not record.fields:
            # Lines without anything in them are one skip, however many there are.
            blank = Skip(Span(blank.span.start if blank else record.start, _end(record, text)), EMPTY)
            continue
        if blank:
            yield blank
            blank = None
        if reason:
            yield Skip(Span(record.start, _end(record, text)), reason)
        else:
            yield _row(place - header, record, columns)
    if blank:
        yield blank


def _end(record: Record, text: str) -> int:
    """Where a row that is left out ends: of an empty line behind the first character of its line break."""
    return max(record.end, min(record.start + 1, len(text)))


def _no_record(record: Record, columns: _Columns, number: int) -> str:
    """Why a row below the header is no record; empty if it is one."""
    filled = [place for place, field in enumerate(record.fields) if field.value.strip()]
    if not filled:
        return EMPTY
    if all(place < len(columns.names) and columns.numbering[place] for place in filled):
        return ONLY_NUMBERED
    if _repeats(record, columns.names):
        return REPEATED_HEADER
    return DOCUMENTATION if number == 1 and _explains(record, columns.names) else ""


def _repeats(record: Record, names: Sequence[str]) -> bool:
    """Whether a row has the names of most columns, and nothing else."""
    said = [folded(column_name(field.value)) for field in record.fields]
    same = sum(bool(value) and value == folded(name) for value, name in zip(said, names, strict=False))
    return same == sum(bool(value) for value in said) and same * 2 >= len(names)


def _explains(record: Record, names: Sequence[str]) -> bool:
    """Whether a row says what columns are for: most of its texts name their column or say how to fill it."""
    texts = [
        (set(fold(field.value).split()), set(fold(name).split()))
        for field, name in zip(record.fields, names, strict=False)
        if _LETTER.search(field.value)
    ]
    explained = sum(len(words) > 1 and bool(words & (name | _MARKERS)) for words, name in texts)
    return explained >= _FEWEST_EXPLAINED and explained * 2 >= len(texts)


def _row(number: int, record: Record, columns: _Columns) -> Row:
    cells: list[Cell] = []
    warnings: list[str] = []
    filled: dict[str, str] = {}
    for place, field in enumerate(record.fields):
        value = field.value.strip()
        if not value:
            continue
        known = place < len(columns.names)
        name = columns.names[place] or EXTRA_COLUMN if known else EXTRA_COLUMN
        slot = columns.slots[place] if known else None
        if slot is not None and slot in filled:
            if value != filled[slot]:
                warnings.append(f"slot_conflict: {slot} is {filled[slot][:80]!r}, {name} says {value[:80]!r}")
            slot = None
        elif slot is not None:
            filled[slot] = value
        cells.append(Cell(slot or name, slot, field))
    return Row(number, record, tuple(cells), (*warnings, *_oddities(record, columns)))


def _oddities(record: Record, columns: _Columns) -> Iterator[str]:
    count, expected = len(record.fields), len(columns.names)
    surplus = any(field.value.strip() for field in record.fields[expected:])
    if count < expected or surplus:
        yield f"ragged_row: {count} cells, the header has {expected}"
    if any(field.trailing for field in record.fields):
        yield "stray_quote: text follows the closing quote of a cell"
