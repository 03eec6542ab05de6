"""Nested regions laid out as a row of atoms, each with what is open ahead of it and behind it.

Only what does not fit is taken apart, with a stack of its own: deep nesting costs memory and no recursion.
What does not belong here: which atoms make a piece (``regions``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

GLUE = 0.5
"""Share of the limit from which what is ahead of a first part, or behind a last, is an atom of its own."""

_GLANCE = 64

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
        self._blank: Boundary | None = None

    def atoms(self, root: Region) -> Iterator[Atom]:
        """The atoms of a root region, in order."""
        edge = self._boundary(root, 0)
        whole = _Stretch(root.start, root.end, None, edge, edge, edge)
        parts = root.parts()
        stack = [self._inside(whole, root._replace(alone=True), parts) if parts else iter([whole])]
        while stack:
            stretch = next(stack[-1], None)
            if stretch is None:
                stack.pop()
                continue
            for each in self._opened(stretch, stack):
                atom = self._atom(each)
                if atom is not None:
                    yield atom

    def _opened(self, stretch: _Stretch, stack: list[Iterator[_Stretch]]) -> Sequence[_Stretch]:
        """What of the stretch is not taken apart; what is goes on the stack."""
        part = stretch.part
        if part is None or self._fits(stretch):
            return (stretch,)
        parts = part.parts()
        if not parts:
            return self._indivisible(stretch, part)
        glued = self._limit * GLUE
        head, core, tail = _unglued(
            stretch, part, part.start - stretch.start > glued, stretch.end - part.end > glued
        )
        stack += [iter([tail]), self._inside(core, part, parts)]
        return (head,)

    def _inside(self, stretch: _Stretch, region: Region, parts: Sequence[Region]) -> Iterator[_Stretch]:
        """The parts of a region, the first and the last with what is glued to the stretch's ends."""
        inside = stretch.inside if region.alone else self._boundary(region, stretch.inside.depth + 1)
        ahead, begin = stretch.ahead, stretch.start
        for place, part in enumerate(parts):
            more = place + 1 < len(parts)
            stop = parts[place + 1].start if more else stretch.end
            behind = inside if more else stretch.behind
            if part.alone:
                if place == 0:
                    yield _Stretch(begin, part.start, None, ahead, inside, inside)
                self._start_run()
                edge = self._boundary(part, 0)
                yield _Stretch(part.start, part.end, part, edge, edge, edge)
                self._start_run()
                yield _Stretch(part.end, stop, None, inside, behind, inside)
            else:
                yield _Stretch(begin if place == 0 else part.start, stop, part, ahead, behind, inside)
            ahead = inside

    def _start_run(self) -> None:
        self._run += 1
        self._blank = None

    def _boundary(self, region: Region, depth: int) -> Boundary:
        return Boundary(region, depth, len(region.opening) + self._room(region.label), len(region.closing))

    def _fits(self, stretch: _Stretch) -> bool:
        spent = stretch.ahead.opens + stretch.behind.closes
        if spent + stretch.end - stretch.start <= self._limit:
            return True
        start, end = self._trim(self._text, stretch.start, stretch.end)
        return spent + end - start <= self._limit

    def _indivisible(self, stretch: _Stretch, part: Region) -> Sequence[_Stretch]:
        """The stretch, or if that makes its part fit, the part apart from what is glued to it."""
        for head, tail in ((True, False), (False, True), (True, True)):
            pieces = _unglued(stretch, part, head, tail)
            if self._fits(pieces[1]):
                return pieces
        return [stretch]

    def _atom(self, stretch: _Stretch) -> Atom | None:
        """The trimmed stretch; a blank one only hands on its boundary, if that is in fewer regions."""
        start, end = self._trim(self._text, stretch.start, stretch.end)
        ahead = stretch.ahead
        if self._blank is not None and self._blank.depth < ahead.depth:
            ahead = self._blank
        self._blank = ahead if start >= end else None
        return None if start >= end else Atom(start, end, ahead, stretch.behind, self._run)


def trim_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space at both ends."""
    return trim_characters(text, start, end, None)


def trim_blank_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Without blank lines at the start and white space at the end: the first line keeps its indentation."""
    solid, end = trim_characters(text, start, end, None)
    if solid >= end:
        return solid, end
    breaks = max(text.rfind("\n", start, solid), text.rfind("\r", start, solid))
    return (breaks + 1 if breaks >= 0 else start), end


def trim_characters(text: str, start: int, end: int, characters: str | None) -> tuple[int, int]:
    """Without any of these characters at both ends; looks no further than it must."""
    glance = _GLANCE
    while end - start > glance:
        part = text[start : start + glance]
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
