"""Nested regions laid out as a row of atoms, each with what is open ahead of it and behind it.

Only what does not fit is taken apart, with a stack of its own: deep nesting costs memory and no recursion.
What does not belong here: which atoms make a piece (``regions``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

GLUE = 0.5
"""Share of what openings leave of the limit from which what is glued to a part is an atom of its own."""

_GLANCE = 64

_SHORT = 1024

_tuple = tuple.__new__
"""Makes what there are many of, in half the time that ``Atom(…)`` takes."""

Trim = Callable[[str, int, int], tuple[int, int]]
"""``(text, start, end)`` to the ``[start, end)`` of what must be kept; empty where nothing must."""


class Region(NamedTuple):
    """A stretch of a document that may be taken apart.

    Attributes:
        start: First character.
        end: Character after the last.
        parts: Gives the regions inside, in order and disjoint; none where it cannot be taken apart. Called
            only if the region does not fit. Whatever stands ahead of the first part goes with it, what stands
            between two goes with the one before, and what stands behind the last goes with it; where that
            does not fit, what stands ahead or behind is a piece of its own.
        opening: What stands for everything that is open at a boundary between its parts, outer regions
            included: written ahead of a piece that begins there.
        closing: What closes that, written behind a piece that ends there.
        label: What a piece that begins inside it is told to be in; passed on to the caller.
        alone: A document of its own: no piece crosses its ends, and there its own opening and closing hold,
            not those of the region that it is in. So a caller can leave outer openings out from some depth
            on. Its end is exact: what stands behind it does not go with it. Where a region around it fits,
            that is not taken apart, and this not asked; the root always is.
    """

    start: int
    end: int
    parts: Callable[[], Sequence[Region]] = tuple
    opening: str = ""
    closing: str = ""
    label: str = ""
    alone: bool = False


def leaf(start: int, end: int) -> Region:
    """``Region(start, end)``, one that cannot be taken apart, in half the time: there are many."""
    return _tuple(Region, (start, end, tuple, "", "", "", False))


class Boundary(NamedTuple):
    """A place between two atoms.

    Attributes:
        region: The innermost region that it is in.
        depth: How many regions it is in, not counting the root or one that is alone.
        opens: Characters that a piece spends if it begins here.
        closes: Characters that a piece spends if it ends here.
    """

    region: Region
    depth: int
    opens: int
    closes: int


class Atom(NamedTuple):
    """A stretch that is not taken apart.

    Attributes:
        start: First character, trimmed.
        end: Character after the last, trimmed.
        ahead: The boundary where it begins.
        behind: The boundary where it ends.
        run: Atoms of different runs are never in one piece.
    """

    start: int
    end: int
    ahead: Boundary
    behind: Boundary
    run: int


class _Stretch(NamedTuple):
    """A part with what is glued to its ends, or glue alone; ``inside`` is its region's inner boundary."""

    start: int
    end: int
    part: Region | None
    ahead: Boundary
    behind: Boundary
    inside: Boundary


_Row = Iterator[_Stretch]


class Flattening:
    """Takes regions apart as far as the limit asks; used once.

    Args:
        text: The document.
        limit: Characters that a piece has at most.
        room: Characters that the caller needs besides, by label.
        trim: See ``cut_regions``.
    """

    def __init__(self, text: str, limit: int, room: Callable[[str], int], trim: Trim) -> None:
        self._text = text
        self._limit = limit
        self._room = room
        self._trim = trim
        self._run = 0
        self._atoms: list[Atom] = []

    def atoms(self, root: Region) -> list[Atom]:
        """The atoms of a root region, in order."""
        edge = self._boundary(root, 0)
        whole = _Stretch(root.start, root.end, None, edge, edge, edge)
        parts = root.parts()
        rows: list[_Row] = [
            self._inside(whole, root._replace(alone=True), parts, 0) if parts else iter([whole])
        ]
        while rows:
            stretch = next(rows[-1], None)
            if stretch is None:
                rows.pop()
                continue
            start, end = self._trim(self._text, stretch.start, stretch.end)
            part = stretch.part
            if part is None or stretch.ahead.opens + end - start + stretch.behind.closes <= self._limit:
                self._add(stretch, start, end)
            else:
                self._open(stretch, part, rows)
        return self._atoms

    def _open(self, stretch: _Stretch, part: Region, rows: list[_Row]) -> None:
        """Take a stretch apart: what is glued to its part becomes atoms, the part's own go on the stack."""
        parts, depth = part.parts(), stretch.inside.depth + (not part.alone)
        if not parts:
            for each in self._indivisible(stretch, part):
                self._add(each, *self._trim(self._text, each.start, each.end))
            return
        glued = (self._limit - stretch.inside.opens - stretch.inside.closes) * GLUE
        head, tail = part.start - stretch.start > glued, stretch.end - part.end > glued
        if head or tail:
            ahead, stretch, behind = _unglued(stretch, part, head, tail)
            self._add(ahead, *self._trim(self._text, ahead.start, ahead.end))
            rows.append(iter([behind]))
        while not (head or tail) and len(parts) == 1 and _fills(parts[0], part):
            inner = parts[0].parts()
            if not inner:
                break
            part, parts, depth = parts[0], inner, depth + 1
        rows.append(self._inside(stretch, part, parts, depth))

    def _inside(self, stretch: _Stretch, region: Region, parts: Sequence[Region], depth: int) -> _Row:
        """The parts of a region, the first and the last with what is glued to the stretch's ends.

        Those that fit, as nearly all do, become atoms at once.
        """
        inside = stretch.inside if region.alone else self._boundary(region, depth)
        text, limit, trim, add = self._text, self._limit, self._trim, self._atoms.append
        spaces_only = trim is trim_space
        begin, ahead, others = stretch.start, stretch.ahead, parts[1:]
        stops = [*[part.start for part in others], stretch.end]
        behinds = [*[inside for _ in others], stretch.behind]
        for part, stop, behind in zip(parts, stops, behinds, strict=True):
            if part.alone:
                yield from self._alone(_Stretch(begin, stop, part, ahead, behind, inside))
            else:
                if spaces_only and stop - begin <= _SHORT and not text[begin].isspace():
                    start, end = begin, begin + len(text[begin:stop].rstrip())  # As ``trim``, without a call.
                else:
                    start, end = trim(text, begin, stop)
                if start < end and ahead.opens + end - start + behind.closes <= limit:
                    add(_tuple(Atom, (start, end, ahead, behind, self._run)))
                else:
                    yield _Stretch(begin, stop, part, ahead, behind, inside)
            begin, ahead = stop, inside

    def _alone(self, stretch: _Stretch) -> _Row:
        """What stands ahead of a part that is alone, the part in a run of its own, what stands behind it."""
        begin, stop, part, ahead, behind, inside = stretch
        if part is None:
            return
        yield _Stretch(begin, part.start, None, ahead, inside, inside)
        self._run += 1
        edge = self._boundary(part, 0)
        yield _Stretch(part.start, part.end, part, edge, edge, edge)
        self._run += 1
        yield _Stretch(part.end, stop, None, inside, behind, inside)

    def _boundary(self, region: Region, depth: int) -> Boundary:
        return Boundary(region, depth, len(region.opening) + self._room(region.label), len(region.closing))

    def _indivisible(self, stretch: _Stretch, part: Region) -> Sequence[_Stretch]:
        """The stretch, or if that makes its part fit, the part apart from what is glued to it."""
        for head, tail in ((True, False), (False, True), (True, True)):
            pieces = _unglued(stretch, part, head, tail)
            core = pieces[1]
            start, end = self._trim(self._text, core.start, core.end)
            if core.ahead.opens + end - start + core.behind.closes <= self._limit:
                return pieces
        return (stretch,)

    def _add(self, stretch: _Stretch, start: int, end: int) -> None:
        """Add the trimmed stretch, if anything of it is left."""
        if start < end:
            self._atoms.append(Atom(start, end, stretch.ahead, stretch.behind, self._run))


def trim_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space at both ends."""
    if start < end and not text[start].isspace():
        if not text[end - 1].isspace():
            return start, end
        if end - start <= _SHORT:  # The way of most parts: only the line end is behind them.
            return start, start + len(text[start:end].rstrip())
    return trim_characters(text, start, end, None)


def trim_blank_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Without blank lines at the start and white space at the end: the first line keeps its indentation."""
    if start < end <= start + _SHORT and not text[start].isspace():
        return start, start + len(text[start:end].rstrip())  # The way of most parts.
    solid, end = trim_characters(text, start, end, None)
    if solid >= end:
        return solid, end
    breaks = max(text.rfind("\n", start, solid), text.rfind("\r", start, solid))
    return (breaks + 1 if breaks >= 0 else start), end


def trim_characters(text: str, start: int, end: int, characters: str | None) -> tuple[int, int]:
    """Without any of these characters at both ends; looks no further than it must."""
    if end - start <= _GLANCE:
        part = text[start:end]
        kept = part.lstrip(characters)
        start += len(part) - len(kept)
        return start, start + len(kept.rstrip(characters))
    glance = _GLANCE
    while end - start > _GLANCE:
        part = text[start : min(start + glance, end)]
        kept = part.lstrip(characters)
        start += len(part) - len(kept)
        if kept:
            break
        glance *= 2
    glance = _GLANCE
    while end - start > glance:
        part = text[end - glance : end]
        kept = part.rstrip(characters)
        end -= len(part) - len(kept)
        if kept:
            return start, end
        glance *= 2
    part = text[start:end]
    kept = part.lstrip(characters)
    start += len(part) - len(kept)
    return start, start + len(kept.rstrip(characters))


def _fills(part: Region, region: Region) -> bool:
    """Whether the only part of a region is all of it, so that no boundary is between the two."""
    return part.start == region.start and part.end == region.end and not part.alone


def _unglued(stretch: _Stretch, part: Region, head: bool, tail: bool) -> tuple[_Stretch, _Stretch, _Stretch]:
    """What stands ahead of the part, the part, and what stands behind it; empty where not asked for."""
    inside = stretch.inside
    start = part.start if head else stretch.start
    end = part.end if tail else stretch.end
    return (
        _Stretch(stretch.start, start, None, stretch.ahead, inside, inside),
        _Stretch(
            start, end, part, inside if head else stretch.ahead, inside if tail else stretch.behind, inside
        ),
        _Stretch(end, stretch.end, None, inside, stretch.behind, inside),
    )
