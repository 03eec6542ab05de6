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

from chunk_pipeline.chunking.text_pieces import piece_counter
from chunk_pipeline.chunking.text_vocabulary import are_tokens
from chunk_pipeline.chunking.tokens import first_tokens

_OTHER, _LETTER, _DIGIT, _MARK, _SPACE, _BREAK, _BLANK = range(7)


def _kinds() -> NDArray[np.uint8]:
    """What each byte is; those beyond ASCII are ``_OTHER``."""
    kinds = np.full(256, _OTHER, dtype=np.uint8)
    for octet in range(128):
        character = chr(octet)
        kinds[octet] = _LETTER if character.isalpha() else _DIGIT if character.isdigit() else _MARK
    kinds[list(b"\t\x0b\x0c")] = _BLANK
    kinds[list(b"\r\n")] = _BREAK
    kinds[ord(" ")] = _SPACE
    return kinds


def _pairs() -> NDArray[np.bool_]:
    """[kind ahead, kind behind]: whether the pre-tokeniser cuts between such two, whatever is around."""
    pairs = np.zeros((7, 7), dtype=np.bool_)
    pairs[[_LETTER, _DIGIT], _MARK] = True
    pairs[_LETTER, _DIGIT] = pairs[_DIGIT, _LETTER] = pairs[_MARK, _DIGIT] = True
    for white in (_SPACE, _BREAK, _BLANK):
        pairs[[_LETTER, _DIGIT], white] = True
    pairs[_SPACE, _DIGIT] = True
    pairs[[_MARK, _OTHER], _SPACE] = True
    pairs[_BREAK, [_LETTER, _DIGIT, _MARK, _OTHER]] = True
    return pairs


_KINDS, _PAIRS = _kinds(), _pairs().ravel()
_LONG, _FEW = 16, 2
"""Characters for each token that are surely many, and few."""

_ODD_SPACES = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
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
        edges = _safe_edges(source, not text.isascii() and any(each in text for each in _ODD_SPACES))
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


def _safe_edges(source: bytes, odd_spaces: bool) -> NDArray[np.int64]:
    """Offsets in bytes where the pre-tokeniser always cuts, both ends of the text included.

    Besides the pairs these are: ahead of the last white space of a run, if that is a space; ahead of a
    letter behind two marks, or a space and a mark; behind the last line break of a run of white space. What
    is beyond ASCII counts as solid unless some of it is white space.
    """
    kinds = _KINDS.take(np.frombuffer(source, dtype=np.uint8))
    cuts = np.ones(len(kinds) + 1, dtype=np.bool_)
    cuts[1:-1] = _PAIRS.take(kinds[:-1] * np.uint8(7) + kinds[1:])
    if odd_spaces:
        cuts[1:-1] &= (kinds[:-1] != _OTHER) & (kinds[1:] != _OTHER)
    white = kinds >= _SPACE
    solid = ~white & (kinds != _OTHER) if odd_spaces else ~white
    spaces, marks = kinds == _SPACE, kinds == _MARK
    cuts[1:-2] |= spaces[1:-1] & white[:-2] & solid[2:]
    cuts[2:-1] |= (spaces[:-2] | marks[:-2]) & marks[1:-1] & (kinds[2:] == _LETTER)
    cuts[_indents(kinds == _BREAK, white, solid)] = True
    return np.flatnonzero(cuts)


def _indents(
    lines: NDArray[np.bool_], blank: NDArray[np.bool_], solid: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Offsets behind the last line break of runs of white space that go on and end at something solid."""
    breaks = np.flatnonzero(lines)
    words = np.flatnonzero(blank[:-1] & ~blank[1:]) + 1
    if not len(breaks) or not len(words):
        return np.empty(0, dtype=np.int64)
    at = np.searchsorted(words, breaks)
    following = np.append(breaks[1:], len(lines))
    run_ends = words[np.minimum(at, len(words) - 1)]
    last = (at < len(words)) & (following >= run_ends) & solid[run_ends]
    return breaks[last] + 1


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
