"""Measuring stretches of a text in tokens of cl100k_base without encoding it for every question.

The text is cut into pieces at places where the vocabulary's own pre-tokeniser always cuts, whatever stands
further off; so tokens of pieces add up. Most pieces are tokens, few of the others are distinct, each of those
is encoded once, and a stretch costs a difference of prefix sums and a count of the pieces at its edges. What
does not belong here: chunks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.chunking.text.edges import ODD_SPACES, safe_edges
from chunk_pipeline.chunking.text.pieces import piece_counter
from chunk_pipeline.chunking.text.vocabulary import are_tokens
from chunk_pipeline.chunking.tokens import first_tokens

_LONG, _FEW = 16, 2
"""Characters for each token that are surely many, and few."""

_SURROGATES = re.compile("[\ud800-\udfff]")


class TokenRuler:
    """Measures one text in tokens; what reads as a special token counts as plain text.

    A stretch must begin and end with no white space to be measured exactly.
    """

    exact = False

    def __init__(self, text: str) -> None:
        try:
            source = text.encode()
        except UnicodeEncodeError:
            # A lone surrogate has no UTF-8; what stands for it has as many characters.
            text = _SURROGATES.sub("\ufffd", text)
            source = text.encode()
        self._text = text
        self._tokens = piece_counter().count
        edges = safe_edges(source, not text.isascii() and any(each in text for each in ODD_SPACES))
        places = edges if text.isascii() else edges - _later_bytes(source).searchsorted(edges)
        sums = np.zeros(len(edges), dtype=np.int64)
        np.cumsum(_counts(text, places, are_tokens(source, edges)), out=sums[1:])
        # Two ascending rows of numbers: edges of pieces, and the tokens ahead of each.
        self._edges = _row(places)
        self._sums = _row(sums)

    def count(self, start: int, end: int) -> int:
        """Tokens of ``[start, end)``."""
        first, last = self._first_edge(start), bisect_right(self._edges, end) - 1
        if first > last:
            return self._tokens(self._text[start:end])
        inside = self._sums[last] - self._sums[first]
        head, tail = self._text[start : self._edges[first]], self._text[self._edges[last] : end]
        return inside + self._tokens(head) + self._tokens(tail)

    def fits(self, start: int, end: int, size: int) -> bool:
        """Whether there are at most ``size`` tokens."""
        return self.count(start, end) <= size

    def reach(self, start: int, size: int) -> int:
        """About the furthest place; ``fits`` must confirm what ends there, for tokens may join otherwise."""
        first = self._first_edge(start)
        if self._edges[first] - start > _LONG * size:
            # Not the whole piece is encoded for each chunk of it.
            end = self._within(start, self._edges[first], size)
            if end < self._edges[first]:
                return end
        room = size - self._tokens(self._text[start : self._edges[first]])
        if room < 0:
            return self._within(start, self._edges[first], size)
        last = bisect_right(self._sums, self._sums[first] + room) - 1
        if last + 1 == len(self._edges):
            return self._edges[last]
        room -= self._sums[last] - self._sums[first]
        end = self._within(self._edges[last], self._edges[last + 1], room) if room else self._edges[last]
        return max(end, start + 1)

    def back(self, end: int, size: int) -> int:
        """The first edge of a piece with at most ``size`` tokens from it; ``end`` if there is none."""
        last = bisect_right(self._edges, end) - 1
        if end - self._edges[last] > _LONG * size:
            return end
        room = size - self._tokens(self._text[self._edges[last] : end])
        return end if room < 0 else self._edges[bisect_left(self._sums, self._sums[last] - room)]

    def _first_edge(self, start: int) -> int:
        """The first edge of a stretch, its number, that does not depend on what is ahead of the stretch."""
        first = bisect_left(self._edges, start)
        if first + 1 < len(self._edges) and start < self._edges[first] < start + 2:
            first += 1
        return first

    def _within(self, start: int, end: int, size: int) -> int:
        """The end of the first ``size`` tokens of a piece: whole characters of them, one at least."""
        window = _FEW * size
        while True:
            part = self._text[start : min(end, start + window)]
            length = first_tokens(part, size)
            if length < len(part) or start + len(part) == end:
                return start + max(length, 1)
            window *= _FEW


def _row(numbers: NDArray[np.int64]) -> Sequence[int]:
    """An array as a sequence of ints that ``bisect`` reads without copying it."""
    return cast("Sequence[int]", numbers.data)


def _counts(text: str, places: NDArray[np.int64], single: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Tokens of each piece; those that are one are known, and each distinct other is encoded once."""
    counts = np.ones(len(single), dtype=np.int64)
    others = np.flatnonzero(~single)
    starts, ends = places[others].tolist(), places[others + 1].tolist()
    pieces = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    counts[others] = piece_counter().counts(pieces)
    return counts


def _later_bytes(source: bytes) -> NDArray[np.int64]:
    """Offsets of the bytes of UTF-8 that begin no character."""
    return np.flatnonzero((np.frombuffer(source, dtype=np.uint8) & 0xC0) == 0x80)
