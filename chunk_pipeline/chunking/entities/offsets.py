"""Text folded for comparison, with the way back: where in the source each folded character stands.

Folding changes lengths (``ß`` becomes two letters, an accent of its own becomes none, a line break and its
indentation become one blank), so a place in folded text says nothing without the map. What does not belong
here: what is compared.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import NamedTuple

_SPECIAL = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("‘’‚‛`´ʼ", "'"),
    **dict.fromkeys("“”„‟", '"'),
    "\u00ad": "",
    "ø": "o",
    "đ": "d",
    "ł": "l",
    "æ": "ae",
    "œ": "oe",
    "ı": "i",
}
"""Typographic variants, the soft hyphen, and letters that Unicode does not take apart."""


class Folded(NamedTuple):
    """Folded text; ``text[i]`` comes from ``source[starts[i]:ends[i]]``.

    Accents and soft hyphens behind a character belong to it, so that a match ends behind them. A blank stands
    for all white space from its start to its end.
    """

    text: str
    starts: list[int]
    ends: list[int]

    def source(self, start: int, end: int) -> tuple[int, int] | None:
        """Where ``text[start:end]`` stands in the source; nothing if it begins or ends inside a character."""
        if start and self.starts[start] == self.starts[start - 1]:
            return None
        if end < len(self.text) and self.starts[end] == self.starts[end - 1]:
            return None
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> str:
    """A text without case and accents, white space collapsed and trimmed."""
    return fold_with_offsets(text).text.strip()


def fold_with_offsets(text: str) -> Folded:
    """A text without case and accents, each stretch of white space one blank, with the map back."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for place, character in enumerate(text):
        folded = " " if character.isspace() else _folded(character)
        is_more = folded == " " and pieces[-1:] == [" "]
        if folded and not is_more:
            pieces.append(folded)
            starts.extend([place] * len(folded))
            ends.extend([place + 1] * len(folded))
        elif is_more or (pieces and pieces[-1] != " "):
            _extend(starts, ends, place + 1)
    return Folded("".join(pieces), starts, ends)


def _extend(starts: list[int], ends: list[int], end: int) -> None:
    """Let the last source character end later, in each of the characters that it became."""
    last = starts[-1]
    for place in range(len(ends) - 1, -1, -1):
        if starts[place] != last:
            return
        ends[place] = end


@cache
def _folded(character: str) -> str:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    plain = "".join(each for each in apart if not unicodedata.combining(each))
    # A compatibility form may hold a blank of its own; it is not white space of the source.
    return "".join(_SPECIAL.get(each, each) for each in plain if not each.isspace())
