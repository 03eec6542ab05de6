"""The regions of what is nested by indentation (Pug, Sass, Stylus, YAML) and of plain text.

An indented line belongs to the last one above it that is indented less; a piece from below it begins with the
lines that it is in, without their attributes. What does not belong here: which language is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from chunk_pipeline.chunking.javascript.names import line
from chunk_pipeline.chunking.regions import Region
from chunk_pipeline.chunking.vue.around import BUDGET, SLICE, Around, Outline

_LINE = re.compile(r"([^\S\r\n]*)([^\s][^\r\n]*)")
_BRACKET = re.compile(r""""(?:[^"\\]|\\(?s:.))*"|'(?:[^'\\]|\\(?s:.))*'|[()]|\n[^\S\n]*\n""")
_COMMENT = re.compile(r"//|#(?=\s)")
_HEAD = re.compile(r"[^\s(]+")
_PARAGRAPH = re.compile(r"(?:[^\r\n]*\S[^\r\n]*(?:\r\n|[\r\n]|\Z))+")
_TABS = 8
_LABEL = 40
_ATTRIBUTES = 4000
"""Characters that a tag's attributes have at most, so that a bracket that is never closed costs little."""


class Line(NamedTuple):
    """A line with what is indented below it.

    Attributes:
        start: First character, its indentation included.
        solid: First character that is not indentation.
        head: Character after its own last.
        end: Character after the last of what is below it.
        lines: The lines right below it.
    """

    start: int
    solid: int
    head: int
    end: int
    lines: list[Line]


def lines_of(text: str, start: int, end: int, brackets: bool) -> list[Line]:
    """The outermost lines at ``[start, end)``.

    Args:
        text: The document.
        start: First character.
        end: Character after the last.
        brackets: Whether a line goes on until its round brackets are closed, as in Pug.
    """
    root = Line(start, start, start, end, [])
    stack: list[tuple[int, Line]] = [(-1, root)]
    place = start
    while found := _LINE.search(text, place, end):
        begin, solid, place = found.start(), found.start(2), found.end()
        if brackets and "(" in found[2]:
            place = _closed(text, solid, place, end)
        indent = len(found[1].expandtabs(_TABS))
        while stack[-1][0] >= indent:
            _close(stack)
        stack.append((indent, Line(begin, solid, place, place, [])))
    while len(stack) > 1:
        _close(stack)
    return root.lines


def _close(stack: list[tuple[int, Line]]) -> None:
    _, last = stack.pop()
    outer = stack[-1][1]
    outer.lines.append(last._replace(end=last.lines[-1].end) if last.lines else last)


def _closed(text: str, start: int, line_end: int, end: int) -> int:
    """Where the line ends on which the brackets of a line are closed; its own end if they are not."""
    depth, end = 0, min(end, start + _ATTRIBUTES)
    for token in _BRACKET.finditer(text, start, end):
        if token.start() >= line_end and not depth:
            break
        if token[0][0] == "\n":
            break
        depth += (token[0] == "(") - (token[0] == ")")
        if depth <= 0 and token[0] == ")" and token.end() >= line_end:
            found = text.find("\n", token.end(), end)
            return len(text[: found if found >= 0 else end].rstrip("\r"))
    return line_end


class LineRegions:
    """Takes lines apart, as far as it is asked.

    Args:
        text: The document.
        limit: Characters of a chunk.

    Attributes:
        outline: The names of the lines that were seen.
    """

    def __init__(self, text: str, limit: int) -> None:
        self.outline = Outline()
        self._text = text
        self._budget = int(limit * BUDGET)
        self._slice = max(1, int(limit * SLICE))

    def root(self, lines: Sequence[Line], start: int, end: int) -> Region:
        """The region of lines at ``[start, end)``."""
        return Around().region(start, end, lambda: self._row(lines, Around()))

    def _row(self, lines: Sequence[Line], around: Around) -> list[Region]:
        """Lines that follow each other, small comments with what they are ahead of."""
        regions: list[Region] = []
        begin: int | None = None
        for place, each in enumerate(lines):
            start = each.start if begin is None else begin
            comment = not each.lines and _COMMENT.match(self._text, each.solid, each.head)
            begin = start if comment and each.end - start <= self._slice and place + 1 < len(lines) else None
            if begin is None:
                regions.append(self._line(each, around)._replace(start=start))
        return regions

    def _line(self, row: Line, around: Around) -> Region:
        name = self._name(row)
        if _COMMENT.match(name):
            name = "_"
        self.outline.note(row.start, around.label, name)
        indent = self._text[row.start : row.solid]
        inside = around.into(f"{indent}{name}\n", "", name)
        if inside.size <= self._budget:
            return inside.region(row.start, row.end, partial(self._parts, row, around, inside))
        apart = Around(label=around.label)
        inside = apart.into(f"{indent}{name}\n", "", name)
        return around.alone(inside.region(row.start, row.end, partial(self._parts, row, apart, inside)))

    def _parts(self, row: Line, around: Around, inside: Around) -> list[Region]:
        regions = self._row(row.lines, inside)
        if row.head - row.start > self._slice:
            regions.insert(0, around.sliced(self._text, row.start, row.head, self._slice))
        return regions

    def _name(self, row: Line) -> str:
        found = _HEAD.match(self._text, row.solid, row.head)
        return line(found[0], _LABEL) if found else "_"


def paragraphs(text: str, start: int, end: int, limit: int) -> Region:
    """The region of plain text at ``[start, end)``: paragraphs, in them lines, in these slices.

    Args:
        text: The document.
        start: First character.
        end: Character after the last.
        limit: Characters of a chunk.
    """
    around, size = Around(), max(1, int(limit * SLICE))
    return around.region(
        start,
        end,
        lambda: [
            around.region(*found.span(), partial(_lines, text, *found.span(), size))
            for found in _PARAGRAPH.finditer(text, start, end)
        ],
    )


def _lines(text: str, start: int, end: int, size: int) -> list[Region]:
    return [
        Around().sliced(text, found.start(), found.end(), size) for found in _iterate_lines(text, start, end)
    ]


def _iterate_lines(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return _LINE.finditer(text, start, end)
