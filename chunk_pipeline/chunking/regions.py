"""Cutting nested text so that every piece is whole in its grammar and none is over the limit.

A document is a row of regions; a region that does not fit is taken apart into its own. Between two parts of a
region a piece may end or begin if what the source has open there is closed behind the one and opened again
ahead of the other. Of the places that fit, the outermost is taken, and of those the last, so that pieces are
runs of whole regions wherever that can be. What does not belong here: any grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

FULL_ENOUGH = 0.3
"""Share of the limit that a piece must fill to end at an inner boundary while there are deeper ones."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a document that may be taken apart.

    Attributes:
        start: First character.
        end: Character after the last.
        parts: Gives the regions inside, in order and disjoint; none where it cannot be taken apart. Called
            only if the region does not fit. Whatever stands ahead of the first part goes with it, what stands
            between two goes with the one before, and what stands behind the last goes with it.
        opening: What stands for everything that is open at a boundary between its parts, outer regions
            included: written ahead of a piece that begins there.
        closing: What closes that, written behind a piece that ends there.
        label: What a piece that begins inside it is told to be in; passed on to the caller.
    """

    start: int
    end: int
    parts: Callable[[], Sequence[Region]] = tuple
    opening: str = ""
    closing: str = ""
    label: str = ""


class Piece(NamedTuple):
    """A piece of the document, to become a chunk.

    Attributes:
        start: First character, no white space.
        end: Character after the last, which is no white space.
        opening: Written ahead of it.
        closing: Written behind it.
        label: Of the region inside which it begins; empty at the top.
    """

    start: int
    end: int
    opening: str
    closing: str
    label: str


class _Atom(NamedTuple):
    """A stretch that is not taken apart. ``depth`` counts the regions that the boundary ahead of it is in."""

    start: int
    end: int
    depth: int
    outer: Region


def cut_regions(text: str, root: Region, limit: int, room: Callable[[str], int]) -> Iterator[Piece]:
    """Cut the parts of a root region into pieces.

    Args:
        text: The document.
        root: Its parts are the outermost regions.
        limit: Characters that a piece has at most, opening and closing included. A region that cannot be
            taken apart may be longer; the caller must look.
        room: Characters that the caller needs besides (a header), given the label of a piece.

    Yields:
        Pieces in order, disjoint; together they hold all that is not white space from the root's start to
        its end.
    """
    atoms = list(_flattened(text, root, root.start, root.end, 0, limit, room))
    first = 0
    while first < len(atoms):
        last = _last(atoms, first, limit, room)
        start, end = _trimmed(text, atoms[first].start, atoms[last].end)
        begins, ends = atoms[first].outer, atoms[last + 1].outer if last + 1 < len(atoms) else root
        if start < end:
            yield Piece(start, end, begins.opening, ends.closing, begins.label)
        first = last + 1


def _flattened(
    text: str, region: Region, start: int, end: int, depth: int, limit: int, room: Callable[[str], int]
) -> Iterator[_Atom]:
    """The parts of a region that is known not to fit, with what is glued to its ends, as atoms.

    Every atom but the first begins at a boundary inside this region or a deeper one; the first begins where
    the region does, so its depth and its outer region are set by the caller.
    """
    parts = region.parts()
    for place, part in enumerate(parts):
        begin = start if place == 0 else part.start
        stop = parts[place + 1].start if place + 1 < len(parts) else end
        size = stop - begin + len(region.opening) + len(region.closing) + room(region.label)
        inner = list(_flattened(text, part, begin, stop, depth + 1, limit, room)) if size > limit else []
        if inner:
            yield inner[0]._replace(depth=depth, outer=region)
            yield from inner[1:]
        else:
            yield _Atom(begin, stop, depth, region)


def _last(atoms: Sequence[_Atom], first: int, limit: int, room: Callable[[str], int]) -> int:
    """The last atom of the piece that begins with ``first``: outermost boundary that fits, then the last."""
    begins = atoms[first]
    spent = len(begins.outer.opening) + room(begins.outer.label) - begins.start
    best, best_rank, furthest = first, (2, 0), first
    for index in range(first, len(atoms)):
        following = atoms[index + 1] if index + 1 < len(atoms) else None
        depth = following.depth if following else 0
        closing = len(following.outer.closing) if following else 0
        size = spent + atoms[index].end + closing
        if size <= limit:
            rank = (0 if depth == 0 or size >= FULL_ENOUGH * limit else 1, depth)
            furthest = index
            if rank <= best_rank:
                best, best_rank = index, rank
        elif atoms[index].end - begins.start > limit:
            break
        if depth < begins.depth:
            break
    return best if best_rank[0] == 0 else furthest


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    body = text[start:end]
    return start + len(body) - len(body.lstrip()), start + len(body.rstrip())
