"""GHCIDs such as ``NL-ZH-DHA-A-NA``: country, region, settlement, types and an abbreviation of the name."""

from __future__ import annotations

import re
from typing import NamedTuple

from chunk_pipeline.chunking.facts.country_codes import alpha_2
from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES

_LETTERS = "".join(TYPE_NAMES)
SHAPE = (
    rf"[A-Z]{{2}}-[A-Z0-9]{{1,3}}-[A-Z0-9]{{3}}-[{_LETTERS}]{{1,6}}-[A-Z0-9]{{1,12}}"
    r"(?:-(?:Q[1-9]\d{0,11}|[a-z0-9]+(?:_[a-z0-9]+){1,20}))?"
)
"""The pattern of a GHCID in running text; the last part tells two custodians apart that abbreviate alike."""

_GHCID = re.compile(rf"(?:https?://\S*/)?({SHAPE})", re.IGNORECASE)
_LONGEST = 300


class Ghcid(NamedTuple):
    """A GHCID in its parts, upper case but for a name in ``suffix``."""

    country: str
    region: str
    settlement: str
    types: str
    abbreviation: str
    suffix: str = ""

    @property
    def text(self) -> str:
        """The identifier as one word."""
        return "-".join(part for part in self if part)


def parse_ghcid(text: str) -> Ghcid | None:
    """A GHCID, in any case, or the last part of an address; nothing if the text is no such thing.

    The country is ISO 3166-1 alpha-2; ``UK`` is read as ``GB``.
    """
    match = _GHCID.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return None
    country, region, settlement, types, abbreviation, *rest = match[1].split("-")
    suffix = "".join(rest)
    if (code := alpha_2(country)) is None or len(set(types.upper())) < len(types):
        return None
    suffix = suffix.lower() if "_" in suffix else suffix.upper()
    return Ghcid(code, region.upper(), settlement.upper(), types.upper(), abbreviation.upper(), suffix)
