"""The last of the coarsest boundaries within a stretch of a text, found at the speed of C.

The search runs backwards from the limit: ``str.rfind`` where the boundary is a fixed string, otherwise a
regular expression on the reversed stretch, which is several times as fast as one that backtracks. What does
not belong here: how long a chunk may be.
"""

from __future__ import annotations

import re

from chunk_pipeline.chunking.text.measure import Ruler

FULL_ENOUGH = 2
"""A chunk ends in the part of the limit behind one over this, even if only a finer boundary is there."""

_CLOSERS = r"[\"'”’»)\]]"
_CLOSING = re.compile(rf"{_CLOSERS}*")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
# Reversed, a sentence ends: white space, closing quotes or brackets, mark. The mark is what is rare.
_SENTENCE = re.compile(rf"[.!?…](?:(?<=\s.)|(?<=\s{_CLOSERS}.)|(?<=\s{_CLOSERS}{{2}}.))")
_WIDE_SENTENCE = re.compile(r"(?s:.*)[。！？][”’」』）]*")
_SPACE = re.compile(r"(?s:.*)\s")
_SOLID = re.compile(r"\S")


class Boundaries:
    """The boundaries of one text.

    Args:
        text: The text.
        ruler: Measures it.
        size: The limit in the ruler's unit.
    """

    def __init__(self, text: str, ruler: Ruler, size: int) -> None:
        self._text = text
        self._ruler = ruler
        self._size = size
        self._exact = ruler.exact

    def last(self, start: int, fresh: int, reach: int) -> int:
        """Where a chunk ends, without white space; 0 where that would cut a word.

        Args:
            start: Its first character.
            fresh: It must hold the first character from here on that is no white space.
            reach: The furthest that it may end; the text goes on there.
        """
        text = self._text
        while reach > start:
            middle = start + (reach - start) // FULL_ENOUGH
            end = text.rfind("\n\n", middle, reach + 2)
            if end < 0:
                end = self._finer(middle, reach)
            while end > 0 and text[end - 1].isspace():
                end -= 1
            if end <= fresh:
                end = self._first_half(fresh, reach)
            if end == 0 or self._exact or self._ruler.fits(start, end, self._size):
                return end
            reach = end - 1
        return 0

    def _first_half(self, fresh: int, reach: int) -> int:
        """The last resort: any boundary behind what is new; 0 if there is none."""
        solid = next_solid(self._text, fresh)
        if solid >= reach:
            return 0
        end = self._finer(solid + 1, reach)
        return len(self._text[:end].rstrip()) if end else 0

    def _finer(self, floor: int, reach: int) -> int:
        """The end of the coarsest boundary in ``[floor, reach]``, of those the last; 0 if there is none."""
        text = self._text
        # White space at the limit is not in the chunk, so a boundary may lie in all of it.
        edge = next_solid(text, reach) if text[reach].isspace() else reach
        reversed_stretch = text[floor:edge][::-1]
        found = _BLANK_LINE.search(reversed_stretch)
        if found:
            return edge - found.end()
        line = text.rfind("\n", floor, edge)
        if line >= 0:
            return line
        found = _SENTENCE.search(reversed_stretch)
        if found:
            return _past_closers(text, edge - found.start())
        if not text.isascii():
            found = _WIDE_SENTENCE.match(text, floor, edge)
            if found:
                return found.end()
        return last_space(text, floor, edge)


def _past_closers(text: str, start: int) -> int:
    found = _CLOSING.match(text, start)
    return found.end() if found else start


def last_space(text: str, floor: int, edge: int) -> int:
    """The end of the last white space in ``[floor, edge)``; 0 if there is none."""
    found = _SPACE.match(text, floor, edge)
    return found.end() if found else 0


def next_solid(text: str, start: int) -> int:
    """The first character from ``start`` on that is no white space; the text's end if there is none."""
    found = _SOLID.search(text, start)
    return found.start() if found else len(text)
