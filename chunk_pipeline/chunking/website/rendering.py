"""A section as plain text, each character with its place in the reading.

Paragraphs stand apart, an item of a list behind ``- ``, the cells of a row between `` | ``; what is put
between holds no letter and no digit, so that the words are those of the source. What does not belong here:
sizes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from chunk_pipeline.chunking.text.sentences import sentences
from chunk_pipeline.chunking.website.page import Page, Places
from chunk_pipeline.chunking.website.sections import Section

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_NOTHING = -1


@dataclass(frozen=True, slots=True)
class Body:
    """A section's text.

    Attributes:
        text: What is shown.
        places: For each character its place in the reading; -1 for what was put between.
        breaks: Where it may be cut: not inside a row or an item.
    """

    text: str
    places: Places
    breaks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """For each element the nearest of its kind that it is or stands in; -1 where there is none."""

    items: tuple[int, ...]
    rows: tuple[int, ...]
    cells: tuple[int, ...]
    preformatted: tuple[int, ...]


def surroundings(page: Page, items: Collection[int]) -> Surroundings:
    """What each element stands in.

    Args:
        page: The page.
        items: Its elements that are items of lists.
    """
    return Surroundings(
        _nearest(page, items),
        _nearest(page, _of(page, "tr")),
        _nearest(page, _of(page, "td", "th")),
        _nearest(page, _of(page, "pre", "textarea")),
    )


def render(page: Page, around: Surroundings, section: Section) -> Body:
    """The text of a section."""
    writer = _Writer(page, around)
    for node in section.nodes:
        writer.write(node)
    return writer.body()


class _Writer:
    """A section's text as it grows."""

    def __init__(self, page: Page, around: Surroundings) -> None:
        self._page, self._around = page, around
        self._parts: list[str] = []
        self._places: list[Places] = []
        self._length = 0
        self._before = _NOTHING
        self._item = _NOTHING
        self._ends: list[tuple[int, bool]] = []

    def write(self, node: int) -> None:
        """Add a text node behind those written."""
        page, owner = self._page, int(self._page.owners[node])
        item = self._around.items[owner]
        between, is_line = self._between(node)
        if is_line:
            self._end_line(node, self._length + len(between))
        marks = "- " if item >= 0 and item != self._item and (is_line or not self._parts) else ""
        if marks and self._is_inside(self._item, item):
            marks = ""  # Back from a list in the item.
        self._put(between + marks)
        self._item = item
        first, behind = int(page.first[node]), int(page.behind[node])
        text = page.reading.text[first:behind]
        if self._around.preformatted[owner] >= 0:
            self._put(text, np.arange(first, behind, dtype=np.int64))
            self._before = node
            return
        place = 0
        for blanks in _BLANKS.finditer(text):
            self._put(text[place : blanks.start()], np.arange(first + place, first + blanks.start()))
            self._put(" ")
            place = blanks.end()
        self._put(text[place:], np.arange(first + place, behind))
        self._before = node

    def body(self) -> Body:
        """What was written."""
        text = "".join(self._parts)
        places = np.concatenate(self._places) if self._places else np.zeros(0, dtype=np.int64)
        return Body(text, places, tuple(self._breaks(text)))

    def _between(self, node: int) -> tuple[str, bool]:
        """What stands ahead of a node, and whether a line begins with it."""
        if self._before < 0:
            return "", False
        reading, page = self._page.reading, self._page
        gap = slice(int(page.behind[self._before]), int(page.first[node]))
        if gap.start == gap.stop:
            return "", False
        breaks = int((reading.starts[gap] == reading.ends[gap]).sum())
        if not breaks:
            return " ", False
        left, right = int(page.owners[self._before]), int(page.owners[node])
        rows, cells, items = self._around.rows, self._around.cells, self._around.items
        if rows[right] >= 0 and rows[left] == rows[right] and cells[left] != cells[right]:
            return " | ", False
        is_close = breaks == 1 or items[left] != items[right] or rows[left] != rows[right]
        return ("\n" if is_close else "\n\n"), True

    def _end_line(self, node: int, start: int) -> None:
        """Note that the text may be cut at ``start``, where the node begins, and whether it was free text."""
        left, right = int(self._page.owners[self._before]), int(self._page.owners[node])
        items, rows = self._around.items, self._around.rows
        in_item = items[right] >= 0 and items[left] == items[right]
        if not in_item and (rows[right] < 0 or rows[left] != rows[right]):
            self._ends.append((start, items[left] < 0 and rows[left] < 0))

    def _breaks(self, text: str) -> list[int]:
        last = int(self._page.owners[self._before])
        is_free = self._around.items[last] < 0 and self._around.rows[last] < 0
        found: list[int] = []
        start = 0
        for end, free in [*self._ends, (len(text), is_free)]:
            if free:
                found.extend(start + each for each, _ in sentences(text[start:end]))
            found.append(end)
            start = end
        return found

    def _is_inside(self, inner: int, outer: int) -> bool:
        return inner >= 0 and outer in self._page.ancestors(inner)

    def _put(self, text: str, places: Places | None = None) -> None:
        if text:
            self._parts.append(text)
            self._places.append(np.full(len(text), _NOTHING, dtype=np.int64) if places is None else places)
            self._length += len(text)


def _of(page: Page, *tags: str) -> frozenset[int]:
    return frozenset(number for number, element in enumerate(page.elements) if element.tag in tags)


def _nearest(page: Page, wanted: Collection[int]) -> tuple[int, ...]:
    found: list[int] = []
    for number, element in enumerate(page.elements):
        found.append(
            number if number in wanted else found[element.parent] if element.parent >= 0 else _NOTHING
        )
    return tuple(found)
