"""Makes regions of a script's nodes that find out what they are made of when they are asked.

What does not belong here: what nodes are made of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.javascript.frames import Frames
from chunk_pipeline.chunking.javascript.literals import SHARE
from chunk_pipeline.chunking.javascript.names import Name
from chunk_pipeline.chunking.javascript.open import Open, Parts
from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.javascript.wrappers import Wrap
from chunk_pipeline.chunking.region_atoms import Region, leaf

if TYPE_CHECKING:
    from tree_sitter import Node

HEAVY = 0.3
"""Share of the limit from which a part of a construct counts as large."""


class RegionMaker(ABC):
    """Makes regions.

    What nodes are made of is a method and no argument: an argument that knows the maker in turn would be a
    cycle, and each syntax tree would wait for the garbage collector.

    Args:
        source: The script.
        limit: Characters of a chunk.

    Attributes:
        source: The script.
        heavy: Size from which a part of a construct counts as large.
        slice: Size of a slice of literal text, and of what is never taken apart.
        scopes: By label: the declarations that a piece with that label begins in.
        frames: What is written around the rows.
    """

    def __init__(self, source: Source, limit: int) -> None:
        self.source = source
        self.heavy = int(limit * HEAVY)
        self.slice = max(1, limit // SHARE)
        self.scopes: dict[str, tuple[Name, ...]] = {"": ()}
        self.frames = Frames(source.grammar)
        self._forbidden: frozenset[int] = frozenset()

    @abstractmethod
    def parts_of(self, node: Node, around: Open) -> Parts | None:
        """What a node is made of; none if it cannot be taken apart."""

    def forbid(self, places: frozenset[int]) -> None:
        """Let no region but a first one begin at these characters from now on."""
        self._forbidden |= places

    def node(self, node: Node, around: Open, start: int | None = None) -> Region:
        """The region of a node, or of what begins ahead of it with its comments."""
        place = self.source.place
        begin = place(node.start_byte) if start is None else start
        end = place(node.end_byte)
        if end - begin <= self.slice:
            return leaf(begin, end)
        return Region(begin, end, partial(self._opened_node, begin, end, node, around))

    def lazy(self, start: int, end: int, parts_of: Callable[[], Parts | None]) -> Region:
        """The region at ``[start, end)`` that is made of what the function gives."""
        return Region(start, end, partial(self._opened, start, end, parts_of))

    def row(self, start: int, end: int, parts: Parts) -> Region:
        """The region at ``[start, end)`` that is made of these parts."""
        if self._forbidden:
            parts = parts._replace(regions=self._allowed(parts.regions))
        region = parts.inside.as_region(start, end, parts)
        self.scopes.setdefault(region.label, parts.inside.scope)
        if parts.kind:
            self.frames.note(region.opening, region.closing, parts.kind)
        return region

    def _opened_node(self, start: int, end: int, node: Node, around: Open) -> Sequence[Region]:
        return self._opened(start, end, partial(self.parts_of, node, around))

    def _opened(self, start: int, end: int, parts_of: Callable[[], Parts | None]) -> Sequence[Region]:
        parts = parts_of()
        if not parts or not parts.regions:
            return ()
        return [self.row(start, end, self._framed(start, end, parts))]

    def _framed(self, start: int, end: int, parts: Parts) -> Parts:
        """Parts within rows of one part each, whose boundaries are ahead of them all and behind them all."""
        outer = parts.outer
        if outer is None:
            return parts
        first, last = parts.regions[0].start, parts.regions[-1].end
        if start < first:
            ahead = outer.into(Wrap("", parts.stand_in))
            parts = parts._replace(regions=[self.row(first, last, parts)], inside=ahead, literal=False)
        if last < end:
            behind = outer.into(Wrap(parts.stand_in, ""))
            parts = parts._replace(regions=[self.row(start, last, parts)], inside=behind, literal=False)
        return parts

    def _allowed(self, regions: list[Region]) -> list[Region]:
        """The regions, those at a forbidden place joined with the one ahead."""
        kept: list[Region] = []
        for region in regions:
            if kept and solid_from(self.source.text, region.start) in self._forbidden:
                ahead = kept.pop()
                region = Region(ahead.start, region.end, _larger(ahead, region).parts)
            kept.append(region)
        return kept


def solid_from(text: str, start: int) -> int:
    """The first character from ``start`` on that is no white space, or the text's end."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _larger(one: Region, other: Region) -> Region:
    return one if one.end - one.start >= other.end - other.start else other
