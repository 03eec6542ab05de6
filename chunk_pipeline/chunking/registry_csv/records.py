"""Records of a CSV file with the place of every field: RFC 4180, read as leniently as Python's ``csv``.

``csv`` itself gives values without places. What does not belong here: which separator a file has and what its
columns mean (``layout``, ``mappings``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import UnparsableError

SEPARATORS = (",", ";", "\t", "|")
"""Separators that are tried, in this order."""


class Stretch(NamedTuple):
    """Characters ``[start, end)`` of the source."""

    start: int
    end: int


class Field(NamedTuple):
    """A cell.

    Attributes:
        start: Its first character in the source, quote included.
        end: The character after its last.
        value: Its text, without quotes.
        parts: Where the value stands: stretches of the source that joined are the value.
        quoted: Whether it is in quotes.
        trailing: Whether text follows its closing quote, which is a quote in the wrong place.
    """

    start: int
    end: int
    value: str
    parts: tuple[Stretch, ...]
    quoted: bool = False
    trailing: bool = False

    def place(self, offset: int) -> int:
        """Where in the source a character of the value stands.

        Args:
            offset: Of the character in ``value``.

        Raises:
            IndexError: The value has no such character.
        """
        for part in self.parts:
            length = part.end - part.start
            if offset < length:
                return part.start + offset
            offset -= length
        raise IndexError("the value ends ahead of it")


class Record(NamedTuple):
    """A row.

    Attributes:
        start: Its first character in the source.
        end: The character after its last, without the line end.
        fields: Its cells; none for a blank line.
    """

    start: int
    end: int
    fields: tuple[Field, ...]

    @property
    def blank(self) -> bool:
        """Whether no cell has anything in it but white space."""
        return not any(field.value.strip() for field in self.fields)


def records(text: str, separator: str, start: int = 0) -> Iterator[Record]:
    r"""The records of a text, blank lines among them.

    A quote counts where a field begins; inside such a field two are one, and what follows the closing one is
    of the field too. Anywhere else it is a character like others. Rows end at ``\n``, ``\r`` or ``\r\n``.

    Args:
        text: The file.
        separator: One character.
        start: Where to begin.

    Raises:
        UnparsableError: A quote is never closed; the message has its line.
    """
    position = start
    while position < len(text):
        begin = position
        fields: list[Field] = []
        if text[position] not in "\r\n":
            position = _fields(text, separator, position, fields)
        yield Record(begin, position, tuple(fields))
        position = _behind_line_end(text, position)


def _fields(text: str, separator: str, position: int, fields: list[Field]) -> int:
    """Read the fields of the record that begins at a position; gives where it ends."""
    while True:
        field = _field(text, separator, position)
        fields.append(field)
        position = field.end
        if position >= len(text) or text[position] != separator:
            return position
        position += 1


def _field(text: str, separator: str, start: int) -> Field:
    if text[start : start + 1] != '"':
        end = _bare(text, separator, start)
        return Field(start, end, text[start:end], (Stretch(start, end),) if end > start else ())
    parts: list[Stretch] = []
    position = start + 1
    while True:
        quote = text.find('"', position)
        if quote < 0:
            line = text.count("\n", 0, start) + 1
            raise UnparsableError(
                f"line {line}: a quote is opened and never closed; close it, or write two quotes for one"
            )
        if text[quote + 1 : quote + 2] != '"':
            break
        parts.append(Stretch(position, quote + 1))
        position = quote + 2
    end = _bare(text, separator, quote + 1)
    parts += [Stretch(position, quote), Stretch(quote + 1, end)]
    kept = tuple(part for part in parts if part.end > part.start)
    value = "".join(text[part.start : part.end] for part in kept)
    return Field(start, end, value, kept, quoted=True, trailing=end > quote + 1)


def _bare(text: str, separator: str, start: int) -> int:
    """Where a field without quotes ends."""
    found = _end(separator).search(text, start)
    return found.start() if found else len(text)


@cache
def _end(separator: str) -> re.Pattern[str]:
    return re.compile(rf"[\r\n{re.escape(separator)}]")


def _behind_line_end(text: str, position: int) -> int:
    if text[position : position + 2] == "\r\n":
        return position + 2
    return position + 1


def inner_record(record: Record, separator: str, columns: int | None = None) -> Record:
    """A record whose whole line is one quoted cell, read once more inside.

    Quotes that the cells had were lost when the line was put in quotes, so a separator in the last cell,
    which is where free text stands, cannot be told from one between cells: surplus cells belong to the last.

    Args:
        record: A record.
        separator: Between the cells inside.
        columns: Cells that a row has; any number where ``None``.

    Returns:
        The record of the inner cells; the same record if it is not one quoted cell, followed by empty ones
        at most.
    """
    if not wraps_line(record):
        return record
    outer = record.fields[0]
    fields: list[Field] = []
    position = 0
    while position <= len(outer.value):
        last = columns is not None and len(fields) == columns - 1
        field = _inner_field(outer.value, separator, position, last)
        fields.append(_translated(field, outer))
        position = field.end + 1
    return Record(record.start, record.end, tuple(fields))


def wraps_line(record: Record) -> bool:
    """Whether a record is one quoted cell, followed by empty ones at most."""
    if not record.fields or not record.fields[0].quoted or record.fields[0].trailing:
        return False
    return not any(field.value.strip() for field in record.fields[1:])


def _inner_field(line: str, separator: str, start: int, last: bool) -> Field:
    """A cell of a line in which line breaks are of the cells."""
    if line[start : start + 1] == '"':
        quoted = _quoted_inside(line, separator, start)
        if quoted is not None and (not last or quoted.end == len(line)):
            return quoted
    end = -1 if last else line.find(separator, start)
    end = len(line) if end < 0 else end
    return Field(start, end, line[start:end], (Stretch(start, end),) if end > start else ())


def _quoted_inside(line: str, separator: str, start: int) -> Field | None:
    """A cell in quotes that begins at a position and ends where a cell may."""
    try:
        field = _field(line, separator, start)
    except UnparsableError:
        return None
    ends_well = field.end == len(line) or line[field.end] == separator
    return field if ends_well and not field.trailing else None


def _translated(field: Field, outer: Field) -> Field:
    """A field of another field's value, with places in the source."""
    parts: list[Stretch] = []
    for part in field.parts:
        parts.extend(_within(outer, part))
    start = parts[0].start if parts else _place(outer, field.start)
    end = parts[-1].end if parts else start
    return field._replace(start=start, end=end, parts=tuple(parts))


def _within(outer: Field, wanted: Stretch) -> Iterator[Stretch]:
    """Where characters of a field's value stand in the source."""
    behind = 0
    for part in outer.parts:
        first = max(wanted.start, behind)
        behind += part.end - part.start
        shift = part.end - behind
        if first < min(wanted.end, behind):
            yield Stretch(first + shift, min(wanted.end, behind) + shift)


def _place(outer: Field, offset: int) -> int:
    return outer.place(offset) if offset < len(outer.value) else outer.end - 1
