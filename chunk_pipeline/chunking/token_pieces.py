"""Cutting one record's text into pieces of so many tokens, whoever counts them.

A piece ends where a reader pauses: at a given place (the end of a row), a paragraph, a sentence, a line, a
word; a grapheme is the last that is cut. Tokens are those of a function, since each model has its own; it is
asked for a few stretches of text for each piece, so the time is about linear in the text. What does not
belong here: what a text is, and what is put above a piece.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from chunk_pipeline.chunking.text.boundaries import last_space, next_solid
from chunk_pipeline.chunking.text.graphemes import whole_before
from chunk_pipeline.chunking.text.sentences import sentences

Size = Callable[[str], int]
"""Tokens of a text; about additive: a longer text has as many or more."""

FULL_ENOUGH = 2
"""A piece ends at a paragraph or line in the part of its text behind one over this, else at a finer place."""

LARGEST_OVERLAP = 2
"""The overlap is at most the target divided by this."""

CHARACTERS_PER_TOKEN = 4
"""What is tried first."""

_NEARNESS = 64
"""A search for the furthest end stops this share of the piece short of it."""
_RATIO_STEPS = 4
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_WORD = re.compile(r"\s\S")
_SPACE = re.compile(r"\s+")


class Piece(NamedTuple):
    """A stretch of a text.

    Attributes:
        start: First character, overlap included.
        end: Character after the last.
        overlap: Characters at its start that the piece before holds too.
    """

    start: int
    end: int
    overlap: int


def cut_by_tokens(
    text: str,
    size: Size,
    target: int,
    maximum: int,
    overlap: int = 0,
    breaks: Sequence[int] | None = None,
) -> list[Piece]:
    """Cut a text into pieces of about ``target`` and at most ``maximum`` tokens.

    Each piece is filled towards the target. It ends at the last paragraph in its second half, else at its
    last sentence; a sentence that is over the target alone stays whole up to the maximum. A longer one is cut
    at lines, words and graphemes, in this order. White space behind an end belongs to the piece.

    Args:
        text: Any text.
        size: Tokens of ``text[start:end]`` with all that is put around a piece (a header, say).
        target: Size that a piece should have; 1 or more.
        maximum: Size that none may have more than; the target or more.
        overlap: Tokens that a piece may repeat of the one before, less what ``size`` gives for an empty text;
            whole sentences, or words where no sentence fits. At most half of the target is repeated, and
            nothing where the overlap would make a finer cut needed, or behind a cut word.
        breaks: Places where the text may be cut, such as the ends of rows. The text is cut nowhere else, and
            repeated from nowhere else, but inside a stretch between two of them that is over the maximum.

    Returns:
        Pieces in order; without their overlaps they partition the text. An empty text has none. A piece is
        over the maximum only if it is one character, or if an empty text is as large as the maximum: then the
        text is one piece.

    Raises:
        ValueError: The target is not in ``[1, maximum]``, or the overlap is below 0.
    """
    if not 1 <= target <= maximum or overlap < 0:
        raise ValueError(
            f"target {target}, maximum {maximum}, overlap {overlap}: the target must be in [1, maximum], "
            "the overlap 0 or more"
        )
    if not text:
        return []
    base = size("")
    if base >= maximum:
        return [Piece(0, len(text), 0)]
    cutter = _Cutter(text, size, max(target, base + 1), maximum, breaks)
    return cutter.pieces(base, min(overlap, target // LARGEST_OVERLAP))


class _Cutter:
    """One text being cut. ``start`` is where a piece begins, ``fresh`` what is new in it."""

    def __init__(
        self, text: str, size: Size, target: int, maximum: int, breaks: Sequence[int] | None
    ) -> None:
        self._text, self._size, self._target, self._maximum = text, size, target, maximum
        self._breaks: list[int] | None = None
        if breaks is not None:
            self._breaks = sorted({each for each in breaks if 0 < each < len(text)} | {len(text)})
        self._expected = target * CHARACTERS_PER_TOKEN

    @cached_property
    def _sentences(self) -> list[int]:
        """Where sentences begin, but for the first; and the text's end."""
        return [*(start for start, _ in sentences(self._text)[1:]), len(self._text)]

    @cached_property
    def _paragraphs(self) -> list[int]:
        return [found.end() for found in _PARAGRAPH.finditer(self._text)] + [len(self._text)]

    def pieces(self, base: int, overlap: int) -> list[Piece]:
        """All pieces.

        Args:
            base: Size of an empty text.
            overlap: Tokens that may be repeated.
        """
        found: list[Piece] = []
        fresh = before = 0
        while fresh < len(self._text):
            start = self._repeat_from(before, fresh, base + overlap) if overlap and fresh else fresh
            start, end = self._next(start, fresh)
            found.append(Piece(start, end, fresh - start))
            before, fresh = fresh, end
        return found

    def _next(self, start: int, fresh: int) -> tuple[int, int]:
        """Start and end of a piece; rather than cut at something finer, it repeats nothing."""
        starts = (start, fresh) if start < fresh else (fresh,)
        reaches = [self._reach(start, self._target)]
        if reaches[0] == len(self._text):
            return start, reaches[0]
        for end_at in (self._break, self._sentence, self._line, self._word):
            for index, each in enumerate(starts):
                if index == len(reaches):
                    reaches.append(self._reach(each, self._target))
                end = end_at(each, fresh, reaches[index])
                if end:
                    return each, end
        return fresh, self._character(fresh, reaches[-1])

    def _break(self, start: int, fresh: int, reach: int) -> int:
        """The last break within reach, else the next one up to the maximum; 0 if there is none."""
        if self._breaks is None:
            return 0
        paragraphs = self._last(self._paragraphs, start, _middle(fresh, reach), reach)
        if paragraphs and _has(self._breaks, paragraphs):
            return paragraphs
        found = self._last(self._breaks, start, fresh, reach)
        return found or self._following(self._breaks, start, max(fresh, reach))

    def _sentence(self, start: int, fresh: int, reach: int) -> int:
        """Likewise a paragraph in the second half, or a sentence."""
        return (
            self._last(self._paragraphs, start, _middle(fresh, reach), reach)
            or self._last(self._sentences, start, fresh, reach)
            or self._following(self._sentences, start, max(fresh, reach))
        )

    def _line(self, start: int, fresh: int, reach: int) -> int:
        """The last line end in the second half; 0 if there is none."""
        floor = max(_middle(fresh, reach), next_solid(self._text, fresh))
        end = self._text.rfind("\n", floor, reach) + 1
        return end if end and self._fits(start, end) else 0

    def _word(self, start: int, fresh: int, reach: int) -> int:
        """The last word's end within reach, else the next one up to the maximum; 0 if there is none."""
        floor = next_solid(self._text, fresh)
        end = last_space(self._text, floor, reach) if floor < reach else 0
        if end and self._fits(start, end):
            return end
        if self._target == self._maximum or reach < floor:
            return 0
        furthest = self._reach(start, self._maximum)
        found = _SPACE.search(self._text, reach, furthest)
        return found.end() if found and self._fits(start, found.end()) else 0

    def _character(self, start: int, reach: int) -> int:
        """The last end of a grapheme within reach; one character where none is."""
        end = whole_before(self._text, reach, start + 1) if reach > start + 1 else start + 1
        while end > start + 1 and not self._fits(start, end):
            end = whole_before(self._text, end - 1, start + 1)
        blank = next_solid(self._text, end)
        return blank if end < blank and self._fits(start, blank) else end

    def _last(self, places: Sequence[int], start: int, floor: int, reach: int) -> int:
        """The last of the places in ``(floor, reach]`` that fits; 0 if there is none."""
        index = bisect_right(places, reach) - 1
        while index >= 0 and places[index] > floor:
            if self._fits(start, places[index]):
                return places[index]
            index -= 1
        return 0

    def _following(self, places: Sequence[int], start: int, reach: int) -> int:
        """The first of the places behind ``reach`` if it is within the maximum; else 0."""
        index = bisect_right(places, reach)
        return places[index] if index < len(places) and self._fits(start, places[index]) else 0

    def _fits(self, start: int, end: int) -> bool:
        """Whether a stretch is within the maximum; of a very long one only the beginning is counted."""
        length = self._maximum * CHARACTERS_PER_TOKEN * 2
        while length < end - start:
            if self._size(self._text[start : start + length]) > self._maximum:
                return False
            length *= 2
        return self._size(self._text[start:end]) <= self._maximum

    def _reach(self, start: int, limit: int) -> int:
        """The furthest end of what fits from ``start`` on, or one somewhat nearer."""

        def used(length: int) -> int:
            return self._size(self._text[start : start + length])

        length = _longest(used, limit, len(self._text) - start, self._expected)
        if length:
            self._expected = length
        return start + length

    def _repeat_from(self, before: int, fresh: int, limit: int) -> int:
        """Where what is repeated begins, behind ``before``; ``fresh`` if nothing is.

        Args:
            before: First character that is new in the piece before, which is not repeated whole.
            fresh: Its end.
            limit: Size of what is repeated, at most.
        """
        at_break = self._breaks is not None and _has(self._breaks, fresh)
        if not (at_break or self._text[fresh - 1].isspace() or _has(self._sentences, fresh)):
            return fresh

        def used(length: int) -> int:
            return self._size(self._text[fresh - length : fresh])

        floor = max(fresh - _longest(used, limit, fresh - before, self._expected), before + 1)
        for places in (self._breaks or (), () if at_break else self._sentences):
            index = bisect_left(places, floor)
            if index < len(places) and places[index] < fresh:
                return places[index]
        word = None if at_break else _WORD.search(self._text, floor - 1, fresh)
        return word.end() - 1 if word else fresh


def _has(places: Sequence[int], place: int) -> bool:
    """Whether it is one of the places, which ascend."""
    index = bisect_left(places, place)
    return index < len(places) and places[index] == place


def _middle(fresh: int, reach: int) -> int:
    return fresh + max(0, reach - fresh) // FULL_ENOUGH


def _longest(used: Callable[[int], int], limit: int, most: int, expected: int) -> int:
    """The longest length in ``[0, most]`` whose size is within the limit, or one a little shorter.

    Args:
        used: Size of a length; about ascending.
        limit: What it may be.
        most: The longest length.
        expected: Where to look first.
    """
    low, high = 0, most + 1
    length = max(1, min(expected, most))
    for step in range(2 * most.bit_length() + _RATIO_STEPS + 2):
        tokens = used(length)
        if tokens <= limit:
            low = length
        else:
            high = length
        near = max(1, (low if high > most else high) // _NEARNESS)
        if high - low == 1 or (low and high <= most and high - low <= near):
            break
        if step < _RATIO_STEPS:
            length = length * limit // max(tokens, 1)
        else:
            length = 2 * low if high > most else (low + high) // 2
        # A little beyond what fits, or short of what does not, so that one more count can be the last.
        length = min(max(length, low + near), high - near)
        if not low < length < high:
            length = (low + high) // 2
    return low
