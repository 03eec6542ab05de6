"""What the sources file says of all files of a source, under ``metadata:``.

The stages read it here; what a file says of itself goes before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.facts.countries import country_code
from chunk_pipeline.chunking.facts.vocabulary import TIERS, Tier


@dataclass(frozen=True, slots=True)
class Defaults:
    """Facts of a source; ``None`` for what it does not say.

    Attributes:
        country_code: ISO 3166-1 alpha-2.
        extraction_date: When the source was taken.
        data_tier: How far it can be trusted.
        language: ISO 639-1, or 639-3 where that has no code.
        warnings: Values that could not be used, as ``unusable_default: key='value'``.
    """

    country_code: str | None = None
    extraction_date: date | None = None
    data_tier: Tier | None = None
    language: str | None = None
    warnings: tuple[str, ...] = ()


def defaults(document: Document) -> Defaults:
    """The facts that a document's source gives; unusable ones are left out and named in ``warnings``."""
    given = {key: value.strip() for key, value in document.attributes if value.strip()}
    country = country_code(given.get("country", ""))
    taken = as_date(given.get("extraction_date", ""))
    tier = as_tier(given.get("data_tier", ""))
    language = as_language(given.get("language", ""))
    read = {"country": country, "extraction_date": taken, "data_tier": tier, "language": language}
    warnings = [
        f"unusable_default: {key}={given[key]!r}"
        for key, value in read.items()
        if value is None and key in given
    ]
    return Defaults(country, taken, tier, language, tuple(warnings))


def as_date(text: str) -> date | None:
    """An ISO 8601 date, also with a time behind it; nothing if it is none."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def as_tier(text: str) -> Tier | None:
    """A tier by its number (``1``), by ``TIER_1``, or by its name, in any case."""
    wanted = text.strip().upper()
    for number, tier in enumerate(TIERS, start=1):
        if wanted in {str(number), f"TIER_{number}", tier}:
            return tier
    return None


def as_language(text: str) -> str | None:
    """A language by its ISO 639 code of two or three letters, also with a region (``nl-NL``)."""
    import pycountry

    code = text.strip().replace("_", "-").partition("-")[0].lower()
    found = pycountry.languages.get(**{"alpha_2" if len(code) == 2 else "alpha_3": code}) if code else None
    if found is None:
        return None
    return str(getattr(found, "alpha_2", found.alpha_3))
