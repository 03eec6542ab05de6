"""The headings at the top level of a Markdown document, without a parse, where the lines alone are proof.

A heading, a fence or HTML at the margin ends every list, quote and paragraph (CommonMark 0.31, 5.1), so what
is in these need not be known. What is indented by up to three spaces may be in a list or not: there, and
wherever else lines alone do not tell, the answer is ``None`` and a parser must find the headings. What does
not belong here: blocks (``markdown.blocks``).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple, cast

_MARK = re.compile(r"\n {0,3}(?:#{1,6}(?=[ \t\r\n]|\Z)|`{3,}|~{3,}|<|(?:=+|-+)[ \t]*\r?(?=\n|\Z))")
"""What may begin a heading, a fence or HTML, or end a heading. The line break is of the match, since looking
for a character is several times as fast as looking for the start of a line; so is a match without groups."""
_BLANK = re.compile(r"\n[ \t]*\r?(?=\n|\Z)")
_LONG_HTML = re.compile(
    r"<(?:(script|pre|style|textarea)(?=[\s>]|\Z)|(!--)|(\?)|(!\[CDATA\[)|(![a-z]))", re.I
)
_LONG_HTML_ENDS = ("-->", "?>", "]]>", ">")
_SPECIAL = re.compile(r"[\\`*_\[\]<&!\x00]")


TopHeading = tuple[int, int, str]
"""The first character of a heading, its level from 1 to 6, and its words without marks."""


def top_headings(text: str, containers: Mapping[int, int]) -> list[TopHeading] | None:
    """The headings of a document that are in no other block.

    Args:
        text: With line feeds, or those behind carriage returns; what is no CommonMark is masked.
        containers: Where a container of ``markdown.masks`` ends, by where it begins.

    Returns:
        In order; or ``None`` where a parser would have to tell.
    """
    places = _places(f"\n{text}")
    if places is None:
        return None
    starts = [place for place, _ in places]
    if any(bisect(starts, first) < bisect(starts, last) for first, last in containers.items()):
        return None
    lines = [_line_at(text, place) for place in starts]
    if any("[" in line for line in lines) and "]:" in text:
        return None
    titles = _titles(lines)
    return [(place, level, title) for (place, level), title in zip(places, titles, strict=True)]


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:end] if end >= 0 else text[start:]


def _places(text: str) -> list[tuple[int, int]] | None:
    """Where headings begin, and their levels; the text has a line break ahead of it that does not count."""
    found: list[tuple[int, int]] = []
    closed = -1
    html = _Html(-1, ends_blank=True)
    for mark in _MARK.finditer(text):
        place = mark.start()
        if place < closed:
            continue
        marks = mark[0]
        if marks[1] == "#" and place >= html.end:  # The way of most of them.
            found.append((place, len(marks) - 1))
            continue
        marks = marks[1:]
        kind = marks.lstrip(" ")[0]
        if kind == "<":
            html = html.and_from(text, mark.end() - 1)
        elif place < html.end:
            return None
        elif kind in "`~":
            end = _fence_end(text, mark.end(), marks)
            if end is None:
                return None
            closed = end
        elif kind == "#" or text[text.rfind("\n", 0, place) + 1 : place].strip(" \t\r\n"):
            # Indented, or below words: a heading if these are in no list.
            return None
    return found


def _fence_end(text: str, start: int, marks: str) -> int | None:
    """Where the line that closes a fence ends; ``start`` where it is none.

    An indented one is in a list or not; it is all the same if its lines are at least as far indented.
    """
    fence = marks.lstrip(" ")
    indent = len(marks) - len(fence)
    if fence[0] == "`" and "`" in _line_at(text, start):
        return start
    closing = fence_closing(fence[0], len(fence)).search(text, start)
    if not indent:
        return closing.end() if closing else len(text)
    if closing and len(closing[1]) == indent and not _outside(indent).search(text, start, closing.end()):
        return closing.end()
    return None


@cache
def fence_closing(mark: str, length: int) -> re.Pattern[str]:
    """The line that closes a fence of so many marks at the top level, and the line break ahead of it."""
    return re.compile(rf"\n( {{0,3}}){mark}{{{length},}}[ \t]*\r?(?=\n|\Z)")


@cache
def _outside(indent: int) -> re.Pattern[str]:
    """A line that is not blank and not so far indented."""
    return re.compile(rf"\n(?! {{{indent}}})[ \t]*[^ \t\r\n]")


class _Html(NamedTuple):
    """What may be an HTML block (CommonMark 0.31, 4.6).

    Attributes:
        end: Where it ends at the latest.
        ends_blank: Whether it ends with a blank line.
    """

    end: int
    ends_blank: bool

    def and_from(self, text: str, start: int) -> _Html:
        """With what may begin at a later place. Searches never overlap, so time is linear."""
        long = _LONG_HTML.match(text, start)
        if start < self.end:
            return self if self.ends_blank and not long else _Html(len(text), ends_blank=False)
        if long is None:
            blank = _BLANK.search(text, start)
            return _Html(blank.end() if blank else len(text), ends_blank=True)
        kind = long.lastindex or 1
        if kind == 1:
            end = re.compile(rf"</{long[1]}>", re.I).search(text, start)
            last = end.end() if end else -1
        else:
            last = text.find(_LONG_HTML_ENDS[kind - 2], start)
        line = text.find("\n", last) if last >= 0 else -1
        return _Html(line if line >= 0 else len(text), ends_blank=False)


def _titles(lines: list[str]) -> list[str]:
    """The words of heading lines; those with marks are parsed, all in one go."""
    titles = [_title(line) for line in lines]
    marked = [index for index, title in enumerate(titles) if _SPECIAL.search(title)]
    if marked:
        for index, title in zip(marked, _parsed_titles([lines[index] for index in marked]), strict=True):
            titles[index] = title
    return [" ".join(title.split()) for title in titles]


def _title(line: str) -> str:
    """What stands between the marks of a heading line."""
    title = line.lstrip("#").strip(" \t\r")
    if title.endswith("#"):
        ahead = title.rstrip("#")
        return ahead if ahead.endswith((" ", "\t")) else title if ahead else ""
    return title


def _parsed_titles(lines: list[str]) -> Iterator[str]:
    from pyromark import events

    words: list[str] = []
    for event in events("\n".join(lines)):
        if isinstance(event, str):
            continue
        name, value = cast("tuple[str, str]", next(iter(event.items())))
        if name in ("Text", "Code"):
            words.append(value)
        elif name == "End" and "Heading" in value:
            yield "".join(words)
            words.clear()
