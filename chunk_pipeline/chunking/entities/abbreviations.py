"""Acronyms and other names that a text itself gives to an entity, in brackets beside its name.

``Nationaal Archief (NA)``, ``NA (Nationaal Archief)`` and ``Nationaal Archief (hierna "het NA")``. An acronym
must be one of the name: its letters stand in the name in their order, the first at the start of a word
(Schwartz and Hearst, 2003). What does not belong here: finding the names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from chunk_pipeline.chunking.entities.offsets import fold
from chunk_pipeline.chunking.entities.words import COMMON

LONGEST = 60
"""Characters in brackets, at most."""

_BEHIND = re.compile(rf"\s{{0,3}}\(([^()\n]{{2,{LONGEST}}})\)")
_AHEAD = re.compile(r"(?<![\w-])([\w&.-]{2,10})\s{0,3}\(\Z")
_LEAD = re.compile(
    r"(?:hierna|voortaan|afgekort|afgekort als|kortweg|ook bekend als|ook wel|hereinafter|hereafter|"
    r"abbreviated|short|for short|also known as|aka|a\.k\.a\.|im folgenden|kurz|abgekürzt|auch bekannt als|"
    r"ci-après|en abrégé|aussi appelée?)\b[:,]?\s*",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:het|de|the|das|die|der|le|la|les|el)\s+", re.IGNORECASE)
_QUOTES = "\"'“”„‘’«» "
_ACRONYM = re.compile(r"[A-ZÀ-ÖØ-Þ][\w&.-]{1,9}")


class Abbreviation(NamedTuple):
    """Another name, exactly as the text gives it at ``text[start:end]``."""

    name: str
    start: int
    end: int


def abbreviation_of(text: str, start: int, end: int) -> Abbreviation | None:
    """The other name that a text gives to the entity named at ``text[start:end]``, or nothing."""
    return _behind(text, start, end) or _ahead(text, start, end)


def _behind(text: str, start: int, end: int) -> Abbreviation | None:
    match = _BEHIND.match(text, end)
    if match is None:
        return None
    inside = match[1]
    lead = _LEAD.match(inside)
    name = inside[lead.end() :] if lead else inside
    bare = name.strip(_QUOTES)
    if lead and (article := _ARTICLE.match(bare)):
        bare = bare[article.end() :].strip(_QUOTES)
    if not (is_acronym(bare, text[start:end]) or (lead and _is_alias(bare))):
        return None
    place = text.index(bare, match.start(1))
    return Abbreviation(bare, place, place + len(bare))


def _ahead(text: str, start: int, end: int) -> Abbreviation | None:
    window = max(0, start - 20)
    match = _AHEAD.search(text[window:start])
    if match is None or text[end : end + 1] != ")" or not is_acronym(match[1], text[start:end]):
        return None
    return Abbreviation(match[1], window + match.start(1), window + match.end(1))


def is_acronym(short: str, name: str) -> bool:
    """Whether a word is an acronym of a name: two capitals at least, its letters in the name in order."""
    if _ACRONYM.fullmatch(short) is None or sum(map(str.isupper, short)) < 2:
        return False
    letters = [each for each in fold(short) if each.isalnum()]
    words = fold(name)
    return len(letters) < len(words) and _in_order(letters, words)


def _in_order(letters: list[str], words: str) -> bool:
    """The algorithm of Schwartz and Hearst: from the right, the first letter at the start of a word."""
    place = len(words)
    for number in range(len(letters) - 1, -1, -1):
        place = words.rfind(letters[number], 0, place)
        while number == 0 and place > 0 and words[place - 1].isalnum():
            place = words.rfind(letters[0], 0, place)
        if place < 0:
            return False
    return True


def _is_alias(name: str) -> bool:
    words = fold(name).replace("-", " ").split()
    return (
        sum(map(str.isalnum, name)) >= 2 and name[:1].isupper() and not all(each in COMMON for each in words)
    )
