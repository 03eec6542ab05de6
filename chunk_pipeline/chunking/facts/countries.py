"""Which country is meant: ISO 3166-1 codes, and names in Dutch, English, German and French.

A GHCID and an ISIL begin with a country too, and a source may name one in the sources file; the order in
which they are believed is here. Finding identifiers in a text is not.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from chunk_pipeline.chunking.facts.country_codes import alpha_2
from chunk_pipeline.chunking.facts.country_names import ARTICLES, EVERYDAY_NAMES
from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.facts.ghcid import parse_ghcid
from chunk_pipeline.chunking.facts.vocabulary import CountrySource

LANGUAGES = ("nl", "de", "fr")
"""Translations of ISO 3166-1 that are read beside its English."""

_LONGEST = 100
"""Characters of a name; longer text names no country."""


def resolve_country(
    explicit: str | None, ghcid: str | None, isil: str | None, source: str | None
) -> tuple[str | None, CountrySource | None]:
    """The country of a record, by what says it best.

    Args:
        explicit: Code or name that the record gives.
        ghcid: Its GHCID, which begins with a country.
        isil: Its ISIL, whose prefix may be a country.
        source: Code or name that the sources file gives for all records of the source.

    Returns:
        Alpha-2 code and which of the four gave it; what names no country is passed over. Nothing, if none
        does.
    """
    parsed = parse_ghcid(ghcid) if ghcid else None
    said: tuple[tuple[str | None, CountrySource], ...] = (
        (country_code(explicit or ""), "explicit"),
        (parsed.country if parsed else None, "ghcid"),
        (isil_country(isil or ""), "isil"),
        (country_code(source or ""), "source"),
    )
    return next(((code, how) for code, how in said if code), (None, None))


def isil_country(isil: str) -> str | None:
    """The country of an ISIL's prefix, or nothing where the prefix is another agency's, such as ``OCLC``."""
    prefix, hyphen, _ = isil.strip().partition("-")
    return alpha_2(prefix) if hyphen and len(prefix) == 2 else None


def country_code(text: str) -> str | None:
    """The alpha-2 code of the country that a text names, or nothing.

    Args:
        text: Alpha-2 or alpha-3 code in any case, ``UK``, or a name in one of four languages, with or without
            its article.
    """
    if len(text) > _LONGEST:
        return None
    words = fold(text)
    bare = next((words[len(each) :] for each in ARTICLES if words.startswith(each)), words)
    return alpha_2(words) or _names().get(words) or _names().get(bare)


@cache
def _names() -> Mapping[str, str]:
    """Folded name to code. A name that two countries have is left out."""
    import pycountry

    claimed: dict[str, set[str]] = {}
    shortened: dict[str, set[str]] = {}
    for country in pycountry.countries:
        for name in _spellings(country):
            claimed.setdefault(fold(name), set()).add(country.alpha_2)
            shortened.setdefault(fold(name.partition(",")[0]), set()).add(country.alpha_2)
    names = {name: min(codes) for name, codes in (shortened | claimed).items() if len(codes) == 1 and name}
    return MappingProxyType(names | {fold(name): code for code, name in _everyday()})


def _spellings(country: Any) -> Iterator[str]:
    import pycountry

    english = [getattr(country, each, None) for each in ("name", "common_name", "official_name")]
    for name in filter(None, english):
        yield name
        for language in LANGUAGES:
            yield _translation(pycountry.LOCALES_DIR, language).gettext(name)


@cache
def _translation(folder: str, language: str) -> gettext.NullTranslations:
    return gettext.translation("iso3166-1", folder, languages=[language])


def _everyday() -> Iterator[tuple[str, str]]:
    return ((code, name) for code, names in EVERYDAY_NAMES.items() for name in names)
