"""What is open around a part of a block, and the regions that carry it.

Three things are common to templates, styles and the rest: what is nested is written around a piece again;
where that takes too much of the limit, a part stands alone in its block; and a place at which a piece would
not parse is given up. What does not belong here: what blocks are made of.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from chunk_pipeline.chunking.javascript.literals import slices
from chunk_pipeline.chunking.javascript.maker import solid_from
from chunk_pipeline.chunking.regions import Region

ARROW = " › "
"""Between the names of a path."""

BUDGET = 0.25
"""Share of the limit that is spent on what is open inside a block; what is nested deeper stands alone."""

LARGE = 0.2
"""Share of the limit from which a tag or a comment is a part of its own."""

SLICE = 0.1
"""Share of the limit that a slice of a text has at most."""

_LONGEST = 160


class Around(NamedTuple):
    """What is open around a part, inside its block.

    Attributes:
        opening: Written ahead of a piece that begins there.
        closing: Written behind one that ends there.
        label: Path to it in the block.
    """

    opening: str = ""
    closing: str = ""
    label: str = ""

    @property
    def size(self) -> int:
        """Characters that a piece spends on it."""
        return len(self.opening) + len(self.closing)

    def into(self, opening: str, closing: str, name: str = "") -> Around:
        """What is open inside a part that is opened and closed like that; only the path's end is kept."""
        label = joined(self.label, name)
        if len(label) > _LONGEST:
            label = "…" + ARROW + joined(*label.split(ARROW)[-2:])
        return Around(self.opening + opening, closing + self.closing, label)

    def region(self, start: int, end: int, parts: Callable[[], Sequence[Region]]) -> Region:
        """The region at ``[start, end)`` of these parts, between which this is open."""
        return Region(start, end, parts, self.opening, self.closing, self.label)

    def alone(self, region: Region) -> Region:
        """What is in here, where that is open, as one region that stands alone: nothing is open around it."""
        apart = Region(region.start, region.end, lambda: [region], label=self.label, alone=True)
        return self.region(region.start, region.end, lambda: [apart])

    def sliced(self, text: str, start: int, end: int, size: int) -> Region:
        """Literal text, which may be cut at white space."""
        return self.region(start, end, partial(_slices, text, start, end, size))


class Frame:
    """Puts the regions of a block's content into the block's tags.

    Args:
        text: The document.
        opening: The start tag.
        closing: The end tag.
        name: Of the block.
        forbidden: Characters at which no region but a first one may begin; may grow.
    """

    def __init__(self, text: str, opening: str, closing: str, name: str, forbidden: set[int]) -> None:
        self._text = text
        self._opening = opening
        self._closing = closing
        self._name = name
        self._forbidden = forbidden

    def framed(self, region: Region, offset: int = 0) -> Region:
        """A region of the content in its block.

        Args:
            region: It and all inside it are counted from ``offset`` on.
            offset: A character of the document.
        """
        return Region(
            region.start + offset,
            region.end + offset,
            partial(self._parts, region, offset),
            self._opening + region.opening,
            region.closing + self._closing,
            joined(self._name, region.label),
            region.alone,
        )

    def _parts(self, region: Region, offset: int) -> list[Region]:
        return [self.framed(each, offset) for each in self._allowed(region.parts(), offset)]

    def _allowed(self, regions: Sequence[Region], offset: int) -> Sequence[Region]:
        """The regions, those at a forbidden place joined with the one ahead."""
        if not self._forbidden:
            return regions
        kept: list[Region] = []
        for region in regions:
            if kept and solid_from(self._text, region.start + offset) in self._forbidden:
                region = _together(kept.pop(), region)
            kept.append(region)
        return kept


class Outline:
    """Names of parts, by where they begin and what they are in."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[str, str]] = {}
        self._places: list[int] = []

    def note(self, place: int, label: str, name: str) -> None:
        """What begins at a character, in what has that label, is called that."""
        if name:
            self._names[place] = (label, name)

    def named(self, start: int, end: int, label: str) -> list[str]:
        """Names of what begins at ``[start, end)`` right in what has that label, each once."""
        if len(self._places) != len(self._names):
            self._places = sorted(self._names)
        within = self._places[bisect_left(self._places, start) : bisect_left(self._places, end)]
        names = (self._names[place] for place in within)
        return list(dict.fromkeys(name for outer, name in names if outer == label))


def joined(*names: str) -> str:
    """A path of those names that are not empty."""
    return ARROW.join(name for name in names if name)


def listed(names: Iterable[str]) -> str:
    """Up to three names, or the first and the last of more."""
    row = list(names)
    return ", ".join(row) if len(row) <= 3 else f"{row[0]} … {row[-1]}"


def _slices(text: str, start: int, end: int, size: int) -> list[Region]:
    return [Region(*each) for each in slices(text, start, end, size, escapes=False)]


def _together(ahead: Region, behind: Region) -> Region:
    """Two neighbours as one, which can be taken apart where the larger can."""
    larger = ahead if ahead.end - ahead.start >= behind.end - behind.start else behind
    if ahead.alone or behind.alone:
        return Region(ahead.start, behind.end)
    return larger._replace(start=ahead.start, end=behind.end)
