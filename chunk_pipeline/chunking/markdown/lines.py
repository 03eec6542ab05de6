"""Lines of Markdown, and what begins on one: a heading or a code fence (CommonMark 0.31, 4.2 and 4.5).

Enough to tell headings from code without a parser. What does not belong here: any other block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")


class Line(NamedTuple):
    """A line of a text: ``[start, end)``, its line break included, and its characters without it."""

    start: int
    end: int
    content: str


class Heading(NamedTuple):
    """An ATX heading: its level from 1 to 6, and its text as written."""

    level: int
    title: str


class Fence(NamedTuple):
    """What a fenced code block began with: its mark (`` ` `` or ``~``) and how many of them."""

    mark: str
    length: int

    def is_closed_by(self, content: str) -> bool:
        """Whether the line ends the block: as many marks at least, and nothing behind them."""
        stripped = content.strip()
        return len(stripped) >= self.length and not stripped.strip(self.mark)


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a text; a line ends with a line feed, a carriage return, or both."""
    for match in _LINE.finditer(text):
        yield Line(match.start(), match.end(), match[0].rstrip("\r\n"))


def heading_of(content: str) -> Heading | None:
    """The heading that a line is."""
    match = _HEADING.match(content) if "#" in content else None
    return Heading(len(match[1]), match[2] or "") if match else None


def fence_of(content: str) -> Fence | None:
    """The fence that a line begins, however far it is indented (it may be in a list)."""
    match = _FENCE.match(content.lstrip())
    run = (match[1] or match[2]) if match else ""
    return Fence(run[0], len(run)) if run else None


class HeadingPath:
    """The titles of the headings that a place is under, outermost first."""

    def __init__(self) -> None:
        self._open: list[Heading] = []

    def enter(self, heading: Heading) -> None:
        """Go under a heading: those of its level and below are left."""
        while self._open and self._open[-1].level >= heading.level:
            self._open.pop()
        self._open.append(heading)

    @property
    def titles(self) -> tuple[str, ...]:
        """Each on one line."""
        return tuple(" ".join(heading.title.split()) for heading in self._open)
