"""Where the items of a converted text stand in that text, found by their letters and digits.

Docling gives what a reader sees of Markdown and no offsets. Its items come in the order of the source, so
each is looked for behind the one before. What is not found begins nowhere, and what stands there belongs to
the item
ahead: slices between the places found hold all of the text. What does not belong here: where it is cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from chunk_pipeline.conversion.placed import CELLS, PlacedItem

REACH = 3_000
"""Letters behind the item before, in which one is looked for."""

HEADING_REACH = 200_000
"""Likewise for a heading, which is known by its line as well."""

_ENDINGS = (48, 24)
"""Letters at the end of a long text that are looked for to find its end."""

HEADING_LINE = 2_000
"""Characters of a line that may be a heading."""

_PREFIXES = (48, 24, 12, 6)
"""Letters of an item that is not found as a whole: of one that begins with text and goes on with a link."""

_HEADING_PREFIXES = (*_PREFIXES, 3)
"""Likewise of a heading."""

_ADDRESS = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)|</?\w[^<>]*>")
"""Addresses of links and pictures, and tags."""

_FENCE = re.compile(r"[ \t>]*(?:```|~~~)")


def aligned(text: str, items: Iterable[PlacedItem]) -> tuple[PlacedItem, ...]:
    """The items that are found in the text, with their places in it.

    Args:
        text: The source.
        items: Items in the order of the source; their own places are not looked at.

    Returns:
        The items in order. Each begins at a line, or in one where another item begins the line, and ends
        where the next begins.
    """
    finder = Finder(text)
    found = [(start, item) for item in items if (start := finder.find(item)) is not None]
    ends = [*(start for start, _ in found), len(text)][1:]
    return tuple(item._replace(start=start, end=end) for (start, item), end in zip(found, ends, strict=True))


class Finder:
    """Finds items one behind the other in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets = [place for place, each in enumerate(text) if each.isalnum()]
        self._letters = "".join(text[place] for place in self._offsets)
        self._at = 0
        self._last = -1

    def find(self, item: PlacedItem) -> int | None:
        """Where the item begins, behind the items found before; ``None`` if it is not found."""
        if item.is_heading:
            return self._heading(item.raw)
        begin = item.raw.partition(CELLS)[0] if item.label == "row" else item.raw
        place = self.skip(item.raw) if begin == item.raw else self.skip(item.raw, begin)
        return None if place is None else self._begin(place)

    @property
    def place(self) -> int:
        """Where what was passed by ends in the text."""
        return self._offsets[self._at - 1] + 1 if self._at else 0

    def advance(self, place: int) -> None:
        """Look for nothing ahead of this place any more."""
        self._at = max(self._at, bisect_left(self._offsets, place))

    def skip(self, *raws: str) -> int | None:
        """The place of the first letter of one of the texts, or of its beginning; found, it is passed by."""
        for raw in raws:
            place = self._pass(letters(raw), _PREFIXES, self._at + REACH)
            if place is not None:
                return place
        return None

    def pass_by(self, raw: str, stop: int) -> int | None:
        """Where a long text begins, ahead of ``stop``; its end is passed by too, with what is between."""
        key = letters(raw)
        limit = bisect_left(self._offsets, stop)
        start = self._pass(key, _PREFIXES[:-1], limit)
        if start is None:
            return None
        for length in _ENDINGS:
            place = self._letters.find(key[-length:], self._at, limit) if len(key) > 2 * length else -1
            if place >= 0:
                self._at = place + length
                break
        return self._begin(start)

    def _pass(self, key: str, prefixes: Iterable[int], limit: int) -> int | None:
        for length in (len(key), *(each for each in prefixes if each < len(key))):
            place = self._letters.find(key[:length], self._at, limit + length) if length else -1
            if 0 <= place <= limit:
                self._at = place + length
                return self._offsets[place]
        return None

    def _heading(self, raw: str) -> int | None:
        """Where a line begins that is this heading, by its letters without addresses of links."""
        key = letters(raw)
        limit = self._at + HEADING_REACH
        for length in (len(key), *(each for each in _HEADING_PREFIXES if each < len(key))):
            place = self._letters.find(key[:length], self._at, limit) if length else -1
            while place >= 0:
                start, end = self._line(self._offsets[place])
                behind = bisect_left(self._offsets, end)
                if self._is_heading(self._text[start:end], end, key):
                    self._at = behind
                    return self._begin(self._offsets[place])
                place = self._letters.find(key[:length], behind, limit)
        return None

    def _is_heading(self, line: str, end: int, key: str) -> bool:
        shown = letters(_ADDRESS.sub(" ", line[:HEADING_LINE]))
        if not shown.startswith(key):
            return False
        below = self._text[end + 1 : end + 4].strip()
        marked = line.lstrip(" \t>").startswith(("#", "<h", "<H")) or below.startswith(("=", "-"))
        return marked or shown == key

    def _begin(self, place: int) -> int:
        """The beginning of the line, or of the fence above it, unless an item begins there already."""
        start, _ = self._line(place)
        if start:
            above, end = self._line(start - 1)
            if _FENCE.match(self._text, above, end) and not letters(self._text[above:end])[16:]:
                start = above
        self._last = start if start > self._last else max(place, self._last + 1)
        return self._last

    def _line(self, place: int) -> tuple[int, int]:
        end = self._text.find("\n", place)
        return self._text.rfind("\n", 0, place) + 1, len(self._text) if end < 0 else end


def letters(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(each for each in text if each.isalnum())
