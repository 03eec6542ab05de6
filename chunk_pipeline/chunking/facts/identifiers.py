"""Identifiers in running text and in fields: by pattern, checked by their check digits where they have them.

Values are text and are kept as written (``01234567`` keeps its zero), but for blanks and dots in numbers and
case where a scheme has only one. What the identifiers stand for belongs in ``chunking.entities``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.facts.country_codes import alpha_2, is_region
from chunk_pipeline.chunking.facts.facts import Identifier
from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.facts.ghcid import Ghcid, parse_ghcid
from chunk_pipeline.chunking.facts.identifier_patterns import ISIL, PATTERNS, SCHEME_NAMES

__all__ = ["FoundIdentifier", "Ghcid", "identifiers_in", "normalised", "parse_ghcid"]

_ISIL = re.compile(ISIL, re.IGNORECASE)
_KVK = re.compile(r"0?\d{8}")
_WIKIDATA = re.compile(r"Q[1-9]\d{0,11}", re.IGNORECASE)
_NUMBER_GAPS = re.compile(r"[\s.]")
_WORD = re.compile(r"[a-z]{4}")
_LONGEST = 500
_LONGEST_ISIL = 16


class FoundIdentifier(NamedTuple):
    """An identifier and where it stands, ``text[start:end]``, without its label or address."""

    scheme: str
    value: str
    start: int
    end: int


def identifiers_in(text: str) -> tuple[FoundIdentifier, ...]:
    """The identifiers that a text holds, by place; no two overlap.

    KvK numbers, VIAF, ISNI and ORCID count only behind their label or in an address; ISIL and Wikidata ids
    alone, if they are not an ordinary word (``US-based``), a region (``NL-ZH``), a year or a quarter.
    """
    found: list[FoundIdentifier] = []
    taken: set[int] = set()
    for each in _candidates(text):
        places = range(each.start, each.end)
        if taken.isdisjoint(places):
            taken.update(places)
            found.append(each)
    return tuple(sorted(found, key=lambda each: each.start))


def normalised(scheme: str, value: str) -> Identifier | None:
    """A field that holds an identifier.

    Args:
        scheme: Name of the scheme in any spelling; empty where the field does not say.
        value: The identifier, or its address.

    Returns:
        Its scheme and value, nothing if the scheme is known and the value not one of its, or if no scheme is
        given and the value does not tell it. Schemes that are not known here are taken as they are.
    """
    words, text = fold(scheme), value.strip()
    if not text or len(text) > _LONGEST:
        return None
    known = SCHEME_NAMES.get(words)
    if known is None and words:
        return Identifier(scheme=scheme.strip(), value=text)
    if known is None:
        return _told_by_itself(text)
    checked = _checked(known, _without_address(known, text))
    return Identifier(scheme=known, value=checked) if checked else None


def _candidates(text: str) -> Iterator[FoundIdentifier]:
    """Every find that is valid, the most certain patterns first."""
    for scheme, pattern, bare in PATTERNS:
        for match in pattern.finditer(text):
            start = match.start("value")
            written = match["value"].rstrip(".,;:")
            value = _checked(scheme, written)
            if value and not (bare and scheme == "ISIL" and not _alone_an_isil(value)):
                yield FoundIdentifier(scheme, value, start, start + len(written))


def _told_by_itself(text: str) -> Identifier | None:
    """An identifier whose scheme follows from how it looks."""
    if _WIKIDATA.fullmatch(text):
        return Identifier(scheme="Wikidata", value=text.upper())
    found = identifiers_in(text)
    whole = [
        each for each in found if each.end == len(text) and (each.start == 0 or "://" in text[: each.start])
    ]
    return Identifier(scheme=whole[0].scheme, value=whole[0].value) if len(whole) == 1 else None


def _without_address(scheme: str, text: str) -> str:
    if "/" not in text or (scheme in {"DOI", "Handle", "ISIL"} and "://" not in text):
        return text
    return next((each.value for each in identifiers_in(text) if each.scheme == scheme), text)


def _checked(scheme: str, text: str) -> str | None:
    """The value as it is kept, or nothing if it is not one of the scheme's."""
    match scheme:
        case "ISIL":
            return _isil(text)
        case "KvK":
            number = _NUMBER_GAPS.sub("", text)
            return number if _KVK.fullmatch(number) and number.strip("0") else None
        case "Wikidata":
            return text.upper() if _WIKIDATA.fullmatch(text) else None
        case "GHCID":
            ghcid = parse_ghcid(text)
            return ghcid.text if ghcid else None
        case "ISNI" | "ORCID":
            return _isni(text, hyphens=scheme == "ORCID")
        case "DOI":
            return text.lower()
        case _:
            return text


def _isil(text: str) -> str | None:
    if not _ISIL.fullmatch(text) or len(text) > _LONGEST_ISIL or parse_ghcid(text):
        return None
    prefix, _, unit = text.partition("-")
    known = len(prefix) != 2 or alpha_2(prefix) is not None
    return f"{prefix.upper()}-{unit}" if known else None


def _alone_an_isil(isil: str) -> bool:
    """Whether it is an ISIL without a label: ``NL-HaNA``, not ``US-based``, ``NL-ZH`` or ``DE-10115``."""
    prefix, _, unit = isil.partition("-")
    if not _is_agency(prefix) or is_region(isil) or len(unit) < 3 or _WORD.search(unit):
        return False
    if any(alpha_2(part) for part in unit.split("-")):
        return False
    digits = sum(each.isdigit() for each in unit)
    if digits:
        return len(unit) > 6 if digits == len(unit) else not re.fullmatch(r"\d{4}[A-Z]{2}", unit)
    return any(each.isupper() for each in unit[1:]) and unit.isalpha()


def _is_agency(prefix: str) -> bool:
    """Whether ISILs with that prefix are given out, and it is no ordinary word: Congo's ``CD-`` is none."""
    from stdnum import isil

    return prefix in {"UK", "SE", "ES"} or (
        prefix not in {"O", "EUR", "GTB"} and isil.is_valid(f"{prefix}-1")
    )


def _isni(text: str, *, hyphens: bool) -> str | None:
    from stdnum import isni
    from stdnum.exceptions import ValidationError

    try:
        number: str = isni.validate(text.upper())
    except ValidationError:
        return None
    return "-".join(number[place : place + 4] for place in range(0, 16, 4)) if hyphens else number
