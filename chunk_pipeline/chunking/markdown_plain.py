"""Blocks of Markdown whose lines alone tell what they are: most of what people write, without a parse.

Only what begins at the margin and can be nothing else by CommonMark 0.31 is taken; the first line that may be
anything else is where a parser goes on, so whatever is unusual may be left to it. What does not belong here:
what is inside of these blocks, and headings (``markdown_outline``).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from chunk_pipeline.chunking.markdown_outline import fence_closing

_REST = r"[^\n]*(?:\n|\Z)"
_BULLETED = r"(?=[^\s\-+*_]|\*{1,2}[A-Za-z`\[]|_{1,2}[A-Za-z])"
"""What a list item begins with that is no thematic break, no list and not empty."""
_WORD = (
    r"(?:[^\s#>\-+*0-9`~<=|:_\[]|\*{1,2}[A-Za-z\[(`]|_{1,2}[A-Za-z]|`{1,2}[^`\s]"
    r"|[0-9]+(?=[.)][^\s]|[^0-9.)])|\[[^\]\\\n]*\](?!:))"
)
"""What a line begins with that can only be of a paragraph."""
_BLOCK = re.compile(
    rf"(?P<blank>(?:[ \t\r]*\n)+|[ \t\r]+\Z)"
    rf"|(?P<paragraph>{_WORD}{_REST}(?:[ \t]*{_WORD}{_REST})*)"
    rf"|(?P<fence>(?:`{{3,}}(?=[^`\n]*(?:\n|\Z))|~{{3,}}))"
    rf"|(?P<list>(?:[-*+]|[0-9]{{1,9}}[.)])[ ]{{1,4}}{_BULLETED})"
    rf"|(?P<table>\|[^\\\n]*\|[ \t\r]*\n\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t\r]*(?:\n|\Z)(?:\|{_REST})*)"
    rf"|(?P<rule>(?:\*{{3,}}|-{{3,}})[ \t\r]*(?:\n|\Z))"
)
_BLANK_LINES = re.compile(r"(?:[ \t\r]*\n)*")
_ENDS = re.compile(r"[ \t\r]*(?:\n|\Z)")
_INTERRUPTS = re.compile(
    rf"`{{3,}}[^`\n]*(?:\n|\Z)|~{{3,}}|\*{{3,}}[ \t\r]*(?:\n|\Z)|(?:[-*+]|1[.)])[ ]{{1,4}}{_BULLETED}"
)
"""What ends a paragraph without a blank line between."""


class PlainBlock(NamedTuple):
    """A block ``[start, end)`` of whole lines; its kind is one of ``markdown_blocks``."""

    kind: str
    start: int
    end: int


def plain_blocks(text: str, start: int, end: int) -> tuple[list[PlainBlock], int]:
    """The blocks from a place on, as far as their lines alone tell them.

    Args:
        text: With line feeds, or those behind carriage returns.
        start: A line that is in no block.
        end: Where a heading at the top level begins, or the text's end.

    Returns:
        The blocks in order, and the line, in none of them, from which on a parser must tell; ``end`` where
        nothing is left.
    """
    found: list[PlainBlock] = []
    place = start
    while place < end:
        match = _BLOCK.match(text, place, end)
        kind = match.lastgroup if match else None
        if match is None or kind is None:
            break
        stop = match.end()
        if kind != "blank":
            stop = _end(text, place, end, match, kind)
            if stop < 0:
                break
            found.append(PlainBlock(kind, place, stop))
        place = stop
    return found, place


def _end(text: str, start: int, end: int, match: re.Match[str], kind: str) -> int:
    """Where a block ends; -1 where that is in doubt."""
    stop = match.end()
    if kind == "paragraph":
        return stop if _ENDS.match(text, stop, end) or _INTERRUPTS.match(text, stop, end) else -1
    if kind == "fence":
        closing = fence_closing(text[start], stop - start).search(text, stop, end)
        return min(closing.end() + 1, end) if closing else end
    if kind == "list":
        return _list_end(text, start, end, match[0])
    if kind == "table":
        head, ruler = text[start:stop].split("\n", 2)[:2]
        return stop if head.count("|") == ruler.count("|") and _ENDS.match(text, stop, end) else -1
    return stop


def _list_end(text: str, start: int, end: int, marker: str) -> int:
    """Where a list ends; -1 unless its items are of one kind and its other lines indented as they ask."""
    mark = marker.rstrip()[-1]
    rows = _rows(mark, len(marker)).match(text, start, end)
    if rows is None:
        return -1
    stop = rows.end()
    blank = _ENDS.match(text, stop, end)
    if blank is None:
        return stop if text.startswith(("```", "~~~"), stop) and _INTERRUPTS.match(text, stop, end) else -1
    following = _BLANK_LINES.match(text, stop, end)
    first = text[following.end()] if following and following.end() < end else ""
    same = first.isdigit() if mark in ".)" else first == mark
    # Reference definitions are to the parser the list's that they follow.
    return -1 if same or first == "[" or first.isspace() else stop


@cache
def _rows(mark: str, width: int) -> re.Pattern[str]:
    """The lines of a list whose first item's marker is so wide, blank lines at its end left out."""
    if mark in ".)":
        item = rf"[0-9]{{1,{width - 2}}}[{mark}][ ]{_BULLETED}"
    else:
        item = rf"[{mark}][ ]{{1,{width - 1}}}{_BULLETED}"
    inner = rf"[ ]{{{width}}}|\t" if width <= 4 else rf"[ ]{{{width}}}"
    return re.compile(rf"{_REST}(?:(?:[ \t\r]*\n)*(?:{item}|(?:{inner})[ \t]*[^\s]){_REST})*")
