"""Where the table of a CSV file is: its separator, its header row, and the registry that its columns tell.

All are found together: the separator is the one with which some row holds most names of known columns. What
does not belong here: which of the rows below are records (``rows``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.registry_csv.mappings import (
    COLUMNS_KEY,
    RegistryMapping,
    folded,
    mappings,
)
from chunk_pipeline.chunking.registry_csv.records import (
    SEPARATORS,
    Record,
    inner_record,
    records,
    wraps_line,
)

HEADER_ROWS = 30
"""Rows from the top among which the header is looked for."""

MAX_CHARACTERS = 100_000_000

_SHOWN = 20
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is to be read.

    Attributes:
        separator: Between the cells.
        wrapped: What separates the cells of lines that are put in quotes as a whole, if they are.
        header: Place of the header among the records.
        columns: Names of the columns, as they are written.
    """

    separator: str
    wrapped: str | None
    header: int
    columns: tuple[str, ...]

    def records(self, text: str) -> Iterator[Record]:
        """All records of the file, title lines and header among them.

        Raises:
            UnparsableError: A quote is never closed.
        """
        for record in records(text, self.separator):
            yield inner_record(record, self.wrapped, len(self.columns)) if self.wrapped else record


@dataclass(frozen=True, slots=True)
class Table:
    """A file's layout with the mapping of its columns.

    Attributes:
        layout: Where the table is.
        registry: Name of the mapping.
        mapping: What the columns mean.
    """

    layout: Layout
    registry: str
    mapping: RegistryMapping


class _Candidate(NamedTuple):
    """A layout and mapping, and how well they fit: more known columns, then fewer rows of another width."""

    known: int
    ragged: int
    table: Table


def find_table(text: str, extra: Mapping[str, str] | None = None) -> Table:
    """The table of a file with known columns.

    Args:
        text: The file.
        extra: Columns that its source maps, column name to slot.

    Raises:
        UnparsableError: No known column is found; the message lists the columns and says how to map them. Or
            the file is empty, binary or too large, or a quote is never closed.
    """
    refuse(text)
    known = mappings(extra or {})
    best: _Candidate | None = None
    heads = list(_heads(text))
    for separator, wrapped, head in heads:
        for candidate in _candidates(separator, wrapped, head, known):
            if best is None or (candidate.known, -candidate.ragged) > (best.known, -best.ragged):
                best = candidate
    if best is None:
        raise _unknown(heads)
    return replace(best.table, mapping=best.table.mapping.widened(known.values()))


def guessed(text: str) -> Layout:
    """The layout of a file without known columns: most cells in its widest row, which counts as header.

    Raises:
        UnparsableError: As in :func:`find_table`.
    """
    refuse(text)
    best = Layout(",", None, 0, ())
    for separator, wrapped, head in _heads(text):
        for place, record in enumerate(head):
            if len(record.fields) > len(best.columns):
                best = Layout(separator, wrapped, place, _names(record))
    return best


def column_name(value: str) -> str:
    """What a column is called whose header says so; a very long one is cut behind a word."""
    name = " ".join(value.split())
    if len(name) <= _LONGEST_NAME:
        return name
    return name[: _LONGEST_NAME + 1].rpartition(" ")[0] or name[:_LONGEST_NAME]


def refuse(text: str) -> None:
    """Refuse what is no CSV file at all.

    Raises:
        UnparsableError: It is empty, binary, or too large.
    """
    if not text.strip():
        raise UnparsableError("the file is empty: a registry needs a header row and records")
    if "\0" in text:
        raise UnparsableError("NUL characters: this is binary, or UTF-16 without a byte order mark")
    if len(text) > MAX_CHARACTERS:
        raise UnparsableError(f"CSV of over {MAX_CHARACTERS:,} characters; split the file")


def _heads(text: str) -> Iterator[tuple[str, str | None, list[Record]]]:
    """The first rows by each separator, and by each pair of them where lines are in quotes as a whole."""
    for separator in SEPARATORS:
        head: list[Record] = []
        # A quote that is never closed is an error of the rows, which say so by the right separator.
        with suppress(UnparsableError):
            head.extend(islice(records(text, separator), HEADER_ROWS))
        yield separator, None, head
        if any(wraps_line(record) for record in head):
            for inner in SEPARATORS:
                yield separator, inner, [inner_record(record, inner) for record in head]


def _candidates(
    separator: str, wrapped: str | None, head: Sequence[Record], known: Mapping[str, RegistryMapping]
) -> Iterator[_Candidate]:
    for place, record in enumerate(head):
        columns = _names(record)
        names = {folded(column) for column in columns} - {""}
        ragged = sum(not each.blank and len(each.fields) != len(columns) for each in head[place:])
        for registry, mapping in known.items():
            matched = len(names.intersection(mapping.by_name))
            if matched and names.issuperset(map(folded, mapping.requires)):
                layout = Layout(separator, wrapped, place, columns)
                yield _Candidate(matched, ragged, Table(layout, registry, mapping))


def _names(record: Record) -> tuple[str, ...]:
    return tuple(column_name(field.value) for field in record.fields)


def _unknown(heads: Sequence[tuple[str, str | None, list[Record]]]) -> UnparsableError:
    rows = [record for _, _, head in heads for record in head]
    widest = max((_names(record) for record in rows), key=len, default=())
    columns = [name for name in widest if name]
    shown = ", ".join(repr(name[:60]) for name in columns[:_SHOWN])
    more = f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
    return UnparsableError(
        f"no known column among {shown or 'none'}{more}; say what they mean in the source's metadata, as "
        f"{COLUMNS_KEY}: 'Name of the column=preferred_label; Another=settlement'"
    )
