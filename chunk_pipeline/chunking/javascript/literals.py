"""Where a long string, template text, comment, regular expression or JSX text may be cut.

Cuts are made at line ends or other white space where there is any nearby, and never inside an escape. What
does not belong here: what is written around the pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SHARE = 8
"""A slice is about the limit divided by this."""

_LINE_BREAK = re.compile(r"(?s:.*)\n[^\S\n]*")
_SPACE = re.compile(r"(?s:.*[^\\\s])\s+|(?s:.*)[,;](?=[^\s])")
_ESCAPE = re.compile(r"\\(?:u\{[0-9a-fA-F]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|\r\n|\r?\n|(?s:.))")
_CLASS_TOKEN = re.compile(r"\\u\{[0-9a-fA-F]*\}|\\[ux][0-9a-fA-F]{2,4}|\\[pP]\{[^}]*\}|(?s:\\.)|[^\\]")
_REGEX_TOKEN = re.compile(r"(?s:\\.)|\[(?:[^\]\\]|(?s:\\.))*\]|[^\\\[]")


def slices(text: str, start: int, end: int, size: int, escapes: bool) -> Iterator[tuple[int, int]]:
    """Cut a stretch of literal text.

    Args:
        text: The document.
        start: First character of the stretch.
        end: Character after its last.
        size: Characters that a slice has at most.
        escapes: Whether a backslash escapes what follows.

    Yields:
        ``[start, end)`` of slices that follow each other without a gap.
    """
    while end - start > size:
        cut = _boundary(text, start, start + size)
        if escapes:
            cut = _outside_escape(text, start, cut, end)
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def pattern_slices(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int, bool]]:
    """Cut the pattern of a regular expression between its tokens.

    Args:
        text: The document.
        start: First character of the pattern.
        end: Character after its last.
        size: Characters that a slice has at most, but for a single token.

    Yields:
        ``[start, end)`` of slices that follow each other, and whether it is one character class (with its
        brackets) that is larger than that.
    """
    begin = place = start
    while place < end:
        token = _REGEX_TOKEN.match(text, place, end)
        stop = token.end() if token else end
        large = stop - place > size and text[place] == "["
        if begin < place and (large or stop - begin > size):
            yield begin, place, False
            begin = place
        if large:
            yield place, stop, True
            begin = stop
        place = stop
    if begin < end:
        yield begin, end, False


def class_slices(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut a character class, given with its brackets, between its members; no range is cut."""
    begin = place = start + (2 if text.startswith("[^", start) else 1)
    first = start
    while place < end - 1:
        token = _CLASS_TOKEN.match(text, place, end - 1)
        stop = token.end() if token else end - 1
        if stop - begin > size and begin < place and text[place] != "-" and text[place - 1] != "-":
            yield first, place
            first = begin = place
        place = stop
    yield first, end


def _boundary(text: str, start: int, edge: int) -> int:
    """The last line end, white space or comma in the second half of a slice; else its very end."""
    floor = start + (edge - start) // 2
    for boundary in (_LINE_BREAK, _SPACE):
        found = boundary.match(text, floor, edge)
        if found:
            return found.end()
    return edge


def _outside_escape(text: str, start: int, cut: int, end: int) -> int:
    """The cut, moved behind the escape that it is in."""
    place = text.rfind("\\", max(start, cut - 12), cut)
    while place > start and text[place - 1] == "\\":
        place -= 1
    while 0 <= place < cut:
        found = _ESCAPE.match(text, place, end)
        if not found:
            break
        if found.end() > cut:
            return found.end()
        place = text.find("\\", found.end(), cut)
    return cut
