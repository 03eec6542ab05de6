"""Packing token sequences into batches of one fixed size, so that no work goes into padding.

A batch is the sequences laid end to end, filled up to the same number of tokens every time. Its matrix
products therefore have one shape whatever is encoded with what: that is what makes a text's vector the same,
bit for bit, in any company. What does not belong here: tokenising and computing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """Sequences of one length that lie next to each other in a batch.

    Attributes:
        start: First token's place in the batch.
        count: Number of sequences.
        length: Tokens of each.
    """

    start: int
    count: int
    length: int

    @property
    def stop(self) -> int:
        """The place after the last token."""
        return self.start + self.count * self.length


@dataclass(frozen=True, slots=True)
class Batch:
    """Sequences that are computed together.

    Attributes:
        members: Their numbers, in the order in which they lie.
        groups: Runs of equal length, covering the members in order.
    """

    members: tuple[int, ...]
    groups: tuple[Group, ...]


def pack(lengths: Sequence[int], capacity: int) -> list[Batch]:
    """Batches of at most ``capacity`` tokens that hold every sequence once, the longest first.

    Each batch takes the longest sequence left, then again one of the two that together fill best what is
    still free. The order of the sequences decides only ties: the same lengths always give the same batches.

    Args:
        lengths: Tokens of each sequence, at least 1.
        capacity: Tokens of a batch.

    Raises:
        ValueError: A sequence is empty or longer than a batch.
    """
    waiting: dict[int, list[int]] = {}
    for number in reversed(range(len(lengths))):
        length = int(lengths[number])
        if not 1 <= length <= capacity:
            raise ValueError(f"sequence {number} has {length} tokens; a batch takes 1 to {capacity}")
        waiting.setdefault(length, []).append(number)
    batches = []
    left = sorted(waiting)
    while left:
        batches.append(_batch(waiting, left, capacity))
    return batches


def _batch(waiting: dict[int, list[int]], left: list[int], capacity: int) -> Batch:
    """Take one batch out of the waiting sequences."""
    taken: dict[int, list[int]] = {}
    free = capacity
    while left and left[0] <= free:
        length = _best_fit(waiting, left, free) if taken else left[-1]
        taken.setdefault(length, []).append(waiting[length].pop())
        free -= length
        if not waiting[length]:
            left.remove(length)
    groups: list[Group] = []
    start = 0
    for length in sorted(taken, reverse=True):
        groups.append(Group(start, len(taken[length]), length))
        start = groups[-1].stop
    members = [number for length in sorted(taken, reverse=True) for number in taken[length]]
    return Batch(tuple(members), tuple(groups))


def _best_fit(waiting: dict[int, list[int]], left: list[int], free: int) -> int:
    """The longer of the two sequences, or the one, that fill the free tokens best; the longest of equals."""
    best = (0, 0)
    for length in reversed(left[: bisect_right(left, free)]):
        at = bisect_right(left, min(free - length, length))
        beside = left[at - 1] if at else 0
        if beside == length and len(waiting[length]) < 2:
            beside = left[at - 2] if at > 1 else 0
        best = max(best, (length + beside, length))
        if best[0] == free or 2 * length <= best[0]:
            break
    return best[1]
