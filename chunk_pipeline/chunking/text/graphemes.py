"""Where a text may be cut between two characters without breaking what a reader sees as one.

A short form of Unicode's extended grapheme clusters (UAX #29): marks, joined emoji, flags, Hangul syllables
and CRLF stay whole. What does not belong here: words and sentences.
"""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_MARKS = frozenset({"Mn", "Me", "Mc"})
_LEADING_JAMO, _LATER_JAMO = ("\u1100", "\u115f"), ("\u1160", "\u11ff")


def whole_before(text: str, at: int, floor: int) -> int:
    """The last place in ``[floor, at]`` where no grapheme is cut; ``at`` itself where there is none.

    Args:
        text: The text; no grapheme that begins ahead of ``floor`` may reach beyond it.
        at: Where one would like to cut, in characters.
        floor: The earliest place that will do.
    """
    place = at
    while place > floor and _joined(text, place, floor):
        place -= 1
    return place if not _joined(text, place, floor) else at


def _joined(text: str, at: int, floor: int) -> bool:
    """Whether the characters on both sides of a place are one grapheme."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after.isascii():
        return before == "\r" and after == "\n"
    if _extends(after) or before == _JOINER:
        return True
    if _is_flag(after):
        return _flags_before(text, at, floor) % 2 == 1
    return _LATER_JAMO[0] <= after <= _LATER_JAMO[1] and _LEADING_JAMO[0] <= before <= _LATER_JAMO[1]


def _extends(character: str) -> bool:
    """Combining marks, variation selectors, the joiner, skin tones, tags."""
    return (
        character == _JOINER
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or unicodedata.category(character) in _MARKS
    )


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flags_before(text: str, at: int, floor: int) -> int:
    """Regional indicators in a row ahead of a place; the pairs begin at ``floor`` or at another character."""
    first = at
    while first > max(0, floor - 1) and _is_flag(text[first - 1]):
        first -= 1
    return at - first
