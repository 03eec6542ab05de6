"""Where sentences end, and how whole sentences are packed into chunks.

A sentence ends at a mark (``. ! ? … 。 ！ ？``) with the quotes and brackets that close it, at a blank line,
and at a line break ahead of a list item, a heading, a table row or a fence. The full stop of an abbreviation,
an initial, a number or a numbered item ends none. What does not belong here: meaning (``text.semantic``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunk_pipeline.chunking.text.boundaries import next_solid
from chunk_pipeline.chunking.text.recursive import recursive_cuts

_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_`]*+(?=\s)"
    r"|[。！？]+[”’」』）]*"
    r"|\n[^\S\n]*(?=\n|[-*+>#|•]|```|~~~|\d+[.)]\s)"
)
_LAST_WORD = re.compile(r"(?:^|[\s(\[\"'“‘«])([^\s(\[\"'“‘«]*)$")
_NEXT = re.compile(r"\s*[\"'“‘«(\[]*(\S?)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_NUMBER = re.compile(r"\d+")

_WITHIN = re.compile(
    r"mr|mrs|ms|dr|prof|st|mt|gen|col|sgt|capt|lt|rev|hon|vs|cf|viz|approx|figs?|eqs?|sec|vol|pp|eds?|art|ch"
    r"|e\.?g|i\.?e|z\.b|bzw|usw|mme|mlle|p\.ex",
    re.IGNORECASE,
)
"""Abbreviations that do not end a sentence, without their last full stop."""

_PERHAPS = re.compile(
    r"etc|inc|ltd|co|corp|al|jr|sr|dept|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|mon|tue|wed|thu|fri|sat|sun|no|nr",
    re.IGNORECASE,
)
"""Those that end it unless a lower-case letter or a digit follows."""

_LOOK_BACK = 24
_LOOK_AHEAD = 8


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text.

    Args:
        text: Any text.

    Returns:
        (start, end) in characters and in order. Sentences begin and end with no white space, and what is
        between them is white space.
    """
    stop = len(text.rstrip())
    found: list[tuple[int, int]] = []
    start = next_solid(text, 0)
    for match in _END.finditer(text, 0, stop):
        end = match.end() if text[match.start()] != "\n" else match.start()
        if end <= start or (
            text[match.start()] == "." and not _ends(text, start, match.start(), match.end())
        ):
            continue
        end = start + len(text[start:end].rstrip())
        found.append((start, end))
        start = next_solid(text, end)
    if start < stop:
        found.append((start, stop))
    return found


def sentence_cuts(text: str, size: int) -> list[tuple[int, int, int]]:
    """Pack whole sentences into chunks; a longer one is cut as ``recursive_cuts`` does, without overlap.

    Args:
        text: Any text.
        size: The limit, in characters; at least 1.

    Returns:
        (start, end, 0) in characters and in order. Chunks begin and end with no white space, and what is
        between them is white space.

    Raises:
        ValueError: The size is below 1.
    """
    cuts: list[tuple[int, int, int]] = []
    for start, end in units(text, size):
        if cuts and end - cuts[-1][0] <= size:
            start = cuts.pop()[0]
        cuts.append((start, end, 0))
    return cuts


def units(text: str, size: int) -> Iterator[tuple[int, int]]:
    """The sentences of a text; of those that are over the size, the pieces."""
    for start, end in sentences(text):
        if end - start <= size:
            yield start, end
        else:
            for first, last, _ in recursive_cuts(text[start:end], size):
                yield start + first, start + last


def _ends(text: str, start: int, mark: int, end: int) -> bool:
    """Whether a full stop (or several) at ``mark`` ends the sentence from ``start``."""
    ahead = _NEXT.match(text, end, end + _LOOK_AHEAD)
    following = ahead.group(1) if ahead else ""
    goes_on = following.islower() or following.isdigit()
    if text.startswith("..", mark):
        return not following.islower()
    word = _word_before(text, start, mark)
    if _NUMBER.fullmatch(word):
        # ``1.`` at the beginning of a line is the number of what follows.
        return text[max(start, mark - len(word) - _LOOK_BACK) : mark - len(word)].strip(" \t>") != ""
    if _WITHIN.fullmatch(word) or (len(word) == 1 and word.isalpha() and word != "I"):
        return False
    return not (goes_on and (_PERHAPS.fullmatch(word) or _INITIALS.fullmatch(word)))


def _word_before(text: str, start: int, mark: int) -> str:
    found = _LAST_WORD.search(text[max(start, mark - _LOOK_BACK) : mark])
    return found.group(1) if found else ""
