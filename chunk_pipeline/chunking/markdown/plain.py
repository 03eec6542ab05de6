"""Blocks of Markdown whose lines alone tell what they are: most of what people write, without a parse.

Only what begins at the margin and can be nothing else by CommonMark 0.31 is taken; the first line that may be
anything else is where a parser goes on, so whatever is unusual may be left to it. What does not belong here:
what is inside of these blocks, and headings (``markdown.outline``).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from chunk_pipeline.chunking.markdown.outline import fence_closing

_REST = r"[^\n]*(?:\n|\Z)"
_BULLETED = r"(?=[^\s\-+*_]|\*{1,2}[A-Za-z`\[]|_{1,2}[A-Za-z])"
"""What a list item begins with that is no thematic break, no list and not empty."""
_WORD = (
    r"(?:[^\s#>\-+*0-9`~<=|:_\[]|\*{1,2}[A-Za-z\[(`]|_{1,2}[A-Za-z]|`{1,2}[^`\s]"
    r"|[0-9]+(?=[.)][^\s]|[^0-9.)])|\[[^\]\\\n]*\](?!:))"
)
"""What a line begins with that can only be of a paragraph."""
_TAG = (
    r"<(?!(?i:script|pre|style|textarea)\b)"
    r"[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][\w.:-]*(?:=\"[^\"\n]*\")?)*"
    r"[ \t]*/?>[ \t\r]*(?:\n|\Z)"
)
"""A line that is an opening tag and no more, which begins HTML that goes on to a blank line."""
_MARKER = rf"[ ]{{0,3}}(?:[-*+]|[0-9]{{1,9}}[.)])[ ]{{1,4}}{_BULLETED}"
_BLOCK = re.compile(
    rf"(?P<blank>(?:[ \t\r]*\n)++|[ \t\r]+\Z)"
    rf"|(?P<paragraph>{_WORD}{_REST}(?:[ \t]*{_WORD}{_REST})*+)"
    rf"|(?P<fence>(?:`{{3,}}(?=[^`\n]*(?:\n|\Z))|~{{3,}}))"
    rf"|(?P<list>{_MARKER})"
    rf"|(?P<table>\|[^\\\n]*\|[ \t\r]*\n\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t\r]*(?:\n|\Z)(?:\|{_REST})*+)"
    rf"|(?P<rule>(?:\*{{3,}}|-{{3,}})[ \t\r]*(?:\n|\Z))"
    rf"|(?P<quote>(?:>{_REST})++)"
    rf"|(?P<html>{_TAG})"
)
_BLANK_LINES = re.compile(r"(?:[ \t\r]*\n)*")
_ENDS = re.compile(r"[ \t\r]*(?:\n|\Z)")
_INTERRUPTS = re.compile(
    rf"`{{3,}}[^`\n]*(?:\n|\Z)|~{{3,}}|\*{{3,}}[ \t\r]*(?:\n|\Z)"
    rf"|[ ]{{0,3}}(?:[-*+]|1[.)])[ ]{{1,4}}{_BULLETED}"
)
"""What ends a paragraph without a blank line between."""


PlainBlock = tuple[str, int, int]
"""The kind of a block, as in ``markdown.blocks``, and its ``[start, end)``: whole lines."""


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
            found.append((kind, place, stop))
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
        if head.count("|") != ruler.count("|"):
            return -1
    return stop if kind == "rule" or _ENDS.match(text, stop, end) else -1


def _list_end(text: str, start: int, end: int, marker: str) -> int:
    """Where a list ends; -1 unless its items are of one kind and its other lines indented as they ask."""
    mark = marker.rstrip()[-1]
    rows = _rows(mark, _indent(marker), len(marker)).match(text, start, end)
    if rows is None:
        return -1
    stop = rows.end()
    if _ENDS.match(text, stop, end) is None:
        return stop if text.startswith(("```", "~~~"), stop) and _INTERRUPTS.match(text, stop, end) else -1
    following = _BLANK_LINES.match(text, stop, end)
    first = text[following.end()] if following and following.end() < end else ""
    same = first.isdigit() if mark in ".)" else first == mark
    # Reference definitions are to the parser the list's that they follow.
    return -1 if same or first == "[" or first.isspace() else stop


def plain_items(text: str, start: int, end: int) -> list[PlainBlock]:
    """The items of a list that ``plain_blocks`` gave: lines that are indented as the first begin one."""
    begin = _item(_indent(text[start : start + 4]))
    starts = [start, *(match.end() for match in begin.finditer(text, start, end)), end]
    return [("item", first, last) for first, last in pairwise(starts)]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@cache
def _item(indent: int) -> re.Pattern[str]:
    return re.compile(rf"\n(?=[ ]{{{indent}}}[^\s])")


@cache
def _rows(mark: str, indent: int, width: int) -> re.Pattern[str]:
    """The lines of a list, blank lines at its end left out.

    Args:
        mark: What marks its items.
        indent: Columns ahead of the first one's mark, and of each other's.
        width: Columns ahead of the first one's words; other lines are indented as far at least.
    """
    if mark in ".)":
        item, wider = rf"[0-9]{{1,{width - indent - 2}}}[{mark}][ ]", rf"[0-9]{{1,9}}[{mark}][ ]{{1,4}}"
    else:
        item, wider = rf"[{mark}][ ]{{1,{width - indent - 1}}}", rf"[{mark}][ ]{{1,4}}"
    ahead = " " * indent
    # Lines under an item that is wider than the first might be behind it.
    last = rf"(?={ahead}[^\s]|[ \t\r]*(?:\n|\Z)(?![ \t]*[\n ]))"
    inner = rf"[ ]{{{width}}}|\t" if width <= 4 else rf"[ ]{{{width}}}"
    item, wider = rf"{ahead}{item}{_BULLETED}{_REST}", rf"{ahead}{wider}{_BULLETED}{_REST}{last}"
    line = rf"{item}|(?:{inner})[ \t]*[^\s]{_REST}|{wider}"
    return re.compile(rf"{_REST}(?:(?:[ \t\r]*\n)*+(?:{line}))*+")
