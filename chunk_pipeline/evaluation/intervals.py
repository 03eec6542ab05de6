"""Arithmetic on many stretches of text at once, for judgements and for metrics on characters.

Every document is given a place on one line, so that a stretch of any document is an interval of whole numbers
and two stretches of different documents never meet. What a stretch means does not belong here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals ``[start, end)`` on the line, each belonging to an owner (a chunk, a gold row).

    Attributes:
        owner: Owner of each interval, shape (n,).
        start: First characters, shape (n,).
        end: Characters after the last, shape (n,).
    """

    owner: Int
    start: Int
    end: Int

    def lengths(self, n_owners: int) -> Int:
        """Characters of each owner, shape (n_owners,); an owner's intervals must be disjoint."""
        return _sum_by(self.owner, self.end - self.start, n_owners)

    def take(self, owners: Int) -> tuple[Int, Intervals]:
        """The intervals of these owners, one after the other, and for each its place in ``owners``."""
        order = np.argsort(self.owner, kind="stable")
        sorted_owner = self.owner[order]
        first = np.searchsorted(sorted_owner, owners, side="left")
        last = np.searchsorted(sorted_owner, owners, side="right")
        place, index = expand(first, last)
        rows = order[index]
        return place, Intervals(self.owner[rows], self.start[rows], self.end[rows])


def expand(first: Int, last: Int) -> tuple[Int, Int]:
    """Every whole number of the ranges ``[first, last)``: (which range, the number), each shape (total,)."""
    counts = np.maximum(last - first, 0)
    which = np.repeat(np.arange(len(first), dtype=np.int64), counts)
    before = np.cumsum(counts) - counts
    return which, np.arange(len(which), dtype=np.int64) - before[which] + first[which]


def union_lengths(intervals: Intervals, n_owners: int) -> Int:
    """Characters in at least one of an owner's intervals, shape (n_owners,)."""
    if not len(intervals.owner):
        return np.zeros(n_owners, dtype=np.int64)
    # Each owner gets a copy of the line for itself, so one sweep does all owners.
    width = int(intervals.end.max()) + 1
    start = intervals.start + intervals.owner * width
    end = intervals.end + intervals.owner * width
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    reached = np.concatenate(([start[0]], np.maximum.accumulate(end)[:-1]))
    fresh = np.maximum(end - np.maximum(start, reached), 0)
    return _sum_by(intervals.owner[order], fresh, n_owners)


def overlaps(left: Intervals, right: Intervals) -> tuple[Int, Int, Int]:
    """Shared characters of every pair that shares any.

    Returns:
        (index into ``left``, index into ``right``, characters), each shape (pairs,).
    """
    order = np.argsort(right.start, kind="stable")
    start, end = right.start[order], right.end[order]
    # Right intervals may overlap, so ends are not sorted; the furthest end so far is.
    furthest = np.maximum.accumulate(end) if len(end) else end
    first = np.searchsorted(furthest, left.start, side="right")
    last = np.searchsorted(start, left.end, side="left")
    i, place = expand(first, last)
    shared = np.minimum(left.end[i], end[place]) - np.maximum(left.start[i], start[place])
    kept = shared > 0
    return i[kept], order[place[kept]], shared[kept]


def _sum_by(owner: Int, values: Int, n_owners: int) -> Int:
    return np.bincount(owner, weights=values, minlength=n_owners).astype(np.int64)
