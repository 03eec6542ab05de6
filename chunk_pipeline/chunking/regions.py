"""Cutting nested text so that every piece is whole in its grammar and none is over the limit.

A document is a row of regions; a region that does not fit is taken apart into its own. Between two parts of a
region a piece may end or begin if what the source has open there is closed behind the one and opened again
ahead of the other. Of the places that fit, the outermost is taken, and of those the last, so that pieces are
runs of whole regions wherever that can be. How regions become atoms is in ``region_atoms``. What does not
belong here: any grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.region_atoms import Atom, Flattening, Region, Trim, trim_blank_lines, trim_space

__all__ = ["FULL_ENOUGH", "Piece", "Region", "Trim", "cut_regions", "trim_blank_lines", "trim_space"]

FULL_ENOUGH = 0.3
"""Share of the limit that a piece must fill to end at an inner boundary while there are deeper ones."""


class Piece(NamedTuple):
    """A piece of the document, to become a chunk.

    Attributes:
        start: First character, no white space (but for what ``trim`` leaves).
        end: Character after the last, which is no white space.
        opening: Written ahead of it.
        closing: Written behind it.
        label: Of the region inside which it begins; the root's at the top.
    """

    start: int
    end: int
    opening: str
    closing: str
    label: str


def cut_regions(
    text: str, root: Region, limit: int, room: Callable[[str], int], trim: Trim = trim_space
) -> Iterator[Piece]:
    """Cut the parts of a root region into pieces.

    Time and memory are linear in the parts that are asked for and in their openings and closings; nothing
    recurses. A caller whose nesting may be deep must bound the openings itself (see ``Region.alone``).

    Args:
        text: The document.
        root: Its parts are the outermost regions; its own opening and closing stand between them and at the
            ends of the document.
        limit: Characters that a piece has at most, opening and closing included. A region that cannot be
            taken apart may exceed it.
        room: Characters that the caller needs besides (a header), given the label of a piece.
        trim: Gives the ``[start, end)`` of a stretch without what need not be in a piece: white space at both
            ends by default; ``trim_blank_lines`` keeps the indentation of the first line.

    Yields:
        Pieces in order, disjoint; together they hold all that is not trimmed from the root's start to its
        end.
    """
    atoms = Flattening(text, limit, room, trim).atoms(root)
    first = 0
    while first < len(atoms):
        last = _last(atoms, first, limit)
        begins, ends = atoms[first].ahead.region, atoms[last].behind.region
        yield Piece(atoms[first].start, atoms[last].end, begins.opening, ends.closing, begins.label)
        first = last + 1


def _last(atoms: Sequence[Atom], first: int, limit: int) -> int:
    """The last atom of the piece that begins with ``first``: outermost boundary that fits, then the last.

    A piece that began inside a region does not run on behind the region's end, unless it would be small.
    """
    start, _, begins, _, run = atoms[first]
    origin, floor, enough = start - begins.opens, begins.depth, FULL_ENOUGH * limit
    best, best_rank, furthest = first, (2, 0), first
    for index in range(first, len(atoms)):
        _, end, _, (_, depth, _, closes), its_run = atoms[index]
        size = end - origin + closes
        if its_run != run or end - origin > limit:
            break
        if size <= limit:
            rank = (0 if depth == 0 or size >= enough else 1, depth)
            furthest = index
            if rank <= best_rank:
                best, best_rank = index, rank
        if depth < floor:
            if size >= enough:
                break
            floor = depth
    return best if best_rank[0] == 0 else furthest
