"""What no chunk of a document holds, and whether it may be so.

A gap is a longest stretch in no chunk. It may hold white space (and, in JSON, structural characters), or what
skips list; anything else is lost. What does not belong here: how chunks follow each other (``joints``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunk_pipeline.chunking.chunk import Skip, Span
from chunk_pipeline.chunking.faults import WORST, Fault, Stretch

_EXCERPT = 80

Flags = npt.NDArray[np.bool_]
"""One flag for each character."""
Counts = npt.NDArray[np.int32]
"""One number for each character."""


class Gaps(NamedTuple):
    """Gaps by what is in them.

    Attributes:
        blank: Nothing that counts.
        skipped: Skips list all that counts.
        lost: Something that counts and that no skip lists: an error.
    """

    blank: int
    skipped: int
    lost: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is in no chunk.

    Attributes:
        gaps: Longest stretches in no chunk, by what is in them.
        skips: Number of skips.
        placed: Skips inside the text of which no chunk and no other skip holds anything.
        misplaced: The first skips that are not, at most ``WORST``.
    """

    gaps: Gaps
    skips: int
    placed: int
    misplaced: tuple[Fault, ...]


def left_out(skips: Sequence[Skip], held: Flags, skipped: Counts, lost: Flags) -> LeftOut:
    """Look at gaps and skips.

    Args:
        skips: The document's skips.
        held: Characters in some chunk.
        skipped: How many skips hold each character.
        lost: Characters that count and are in no chunk and no skip.
    """
    astray = _misplaced(skips, held, skipped)
    gaps = _count_gaps(held, skipped > 0, lost)
    return LeftOut(gaps, len(skips), len(skips) - len(astray), tuple(astray[:WORST]))


def times_held(length: int, spans: Sequence[Span]) -> Counts:
    """How many of the spans hold each of a text's ``length`` characters."""
    # A span beyond the text is a fault of its own; here it holds what there is.
    starts = np.fromiter((min(span.start, length) for span in spans), np.int64, len(spans))
    ends = np.fromiter((min(span.end, length) for span in spans), np.int64, len(spans))
    steps = np.zeros(length + 1, dtype=np.int32)
    np.add.at(steps, starts, 1)
    np.add.at(steps, ends, -1)
    return np.cumsum(steps[:length], dtype=np.int32)


def _count_gaps(held: Flags, skipped: Flags, lost: Flags) -> Gaps:
    starts, ends = _runs(~held)
    losing = _within(lost, starts, ends) > 0
    skipping = (_within(skipped, starts, ends) > 0) & ~losing
    n_lost, n_skipped = int(losing.sum()), int(skipping.sum())
    return Gaps(len(starts) - n_lost - n_skipped, n_skipped, n_lost)


def lost_stretches(text: str, lost: Flags, solid: Flags) -> tuple[Stretch, ...]:
    """The longest runs of lost characters, white space within them bridged.

    Args:
        text: The document.
        lost: Its lost characters.
        solid: Its characters that are no white space.

    Returns:
        At most ``WORST``, those with most lost characters first.
    """
    starts, ends = _runs(lost)
    if not len(starts):
        return ()
    apart = np.flatnonzero(_within(solid, ends[:-1], starts[1:]) > 0) + 1
    starts, ends = starts[np.r_[0, apart]], ends[np.r_[apart - 1, len(ends) - 1]]
    counts = _within(lost, starts, ends)
    return tuple(
        Stretch(Span(start, end), count, text[start : min(end, start + _EXCERPT)])
        for start, end, count in (
            (int(starts[place]), int(ends[place]), int(counts[place]))
            for place in np.lexsort((starts, -counts))[:WORST]
        )
    )


def _misplaced(skips: Sequence[Skip], held: Flags, skipped: Counts) -> list[Fault]:
    """Skips that reach behind the text, or that hold what a chunk or another skip holds too."""
    if not skips:
        return []
    length = len(held)
    starts = np.fromiter((min(skip.span.start, length) for skip in skips), np.int64, len(skips))
    ends = np.fromiter((min(skip.span.end, length) for skip in skips), np.int64, len(skips))
    in_chunks, in_others = _within(held, starts, ends), _within(skipped > 1, starts, ends)
    faults: list[Fault] = []
    for index, skip in enumerate(skips):
        if skip.span.end > length:
            reason = f"the skip ends behind the text's {length} characters"
        elif in_chunks[index]:
            reason = f"chunks hold {in_chunks[index]} characters of the skip"
        elif in_others[index]:
            reason = f"other skips hold {in_others[index]} characters of the skip"
        else:
            continue
        faults.append(Fault(index, "", skip.span, reason))
    return faults


def _runs(flags: Flags) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Starts and ends of the longest runs of set flags."""
    edges = np.flatnonzero(np.diff(np.r_[False, flags, False]))
    return edges[::2], edges[1::2]


def _within(
    flags: Flags, starts: npt.NDArray[np.intp] | npt.NDArray[np.int64], ends: npt.NDArray[np.intp]
) -> npt.NDArray[np.int32]:
    """How many flags are set in each ``[start, end)``."""
    before = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(flags, dtype=np.int32)))
    return before[ends] - before[starts]
