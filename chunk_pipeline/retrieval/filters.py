"""Which chunks a search may find, by what is known of them: country, type of custodian, tier, language.

A chunk of which a fact is not known does not pass a filter on it. Filtering by source belongs in ``search``.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.facts.countries import country_code
from chunk_pipeline.chunking.facts.defaults import as_language, as_tier
from chunk_pipeline.chunking.facts.types import type_letters
from chunk_pipeline.chunking.facts.vocabulary import TIERS, TYPE_NAMES, Tier, TypeLetter


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a chunk that can be asked for; ``None`` and no letters for what is not."""

    country_code: str | None = None
    custodian_type: tuple[str, ...] = ()
    data_tier: str | None = None
    language: str | None = None


NOTHING_KNOWN = Known()
"""Of code, for the most part."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a chunk must be; ``None`` asks nothing.

    Attributes:
        country: ISO 3166-1 alpha-2.
        type_letter: Among the chunk's types.
        tier: How far its source can be trusted; exactly this tier.
        language: ISO 639-1.
    """

    country: str | None = None
    type_letter: TypeLetter | None = None
    tier: Tier | None = None
    language: str | None = None


ASK_NOTHING = Filters()
"""Every chunk passes."""


def filters_of(
    country: str | None = None,
    type_of_custodian: str | None = None,
    tier: str | None = None,
    language: str | None = None,
) -> Filters:
    """Filters as a person gives them.

    Args:
        country: Code, or name in Dutch, English, German or French.
        type_of_custodian: Letter or name of a type.
        tier: 1 to 4, or the tier's name.
        language: ISO 639 code.

    Raises:
        ValueError: A value means nothing; the message lists what does.
    """
    return Filters(
        country=None if country is None else _country(country),
        type_letter=None if type_of_custodian is None else _type_letter(type_of_custodian),
        tier=None if tier is None else _tier(tier),
        language=None if language is None else _language(language),
    )


def chunks_that_pass(chunks: pa.Table, filters: Filters) -> pa.Array:
    """Ids of the chunks that pass, for ``search``'s ``among``.

    Args:
        chunks: Rows with ``chunk_id``, ``facts`` and ``metadata`` as in ``CHUNKS``.
        filters: What they must be.
    """
    facts = chunks["facts"].combine_chunks()
    passing = pa.array([True]).take(pa.array([0] * chunks.num_rows, pa.int32()))
    if filters.country is not None:
        passing = pc.and_(passing, _is(pc.struct_field(facts, "country_code"), filters.country))
    if filters.tier is not None:
        passing = pc.and_(passing, _is(pc.struct_field(facts, "data_tier"), filters.tier))
    if filters.language is not None:
        passing = pc.and_(passing, _is(languages_of(chunks), filters.language))
    if filters.type_letter is not None:
        passing = pc.and_(passing, _holds(pc.struct_field(facts, "custodian_type"), filters.type_letter))
    return chunks["chunk_id"].combine_chunks().filter(passing)


def known_of(chunks: pa.Table) -> list[Known]:
    """What is known of each chunk; nothing where the table has no ``facts``."""
    if "facts" not in chunks.column_names:
        return [NOTHING_KNOWN] * chunks.num_rows
    facts = [each or {} for each in chunks["facts"].to_pylist()]
    return [
        Known(
            each.get("country_code"), tuple(each.get("custodian_type") or ()), each.get("data_tier"), language
        )
        for each, language in zip(facts, languages_of(chunks).to_pylist(), strict=True)
    ]


def languages_of(chunks: pa.Table) -> pa.Array:
    """Language of each chunk: that of its facts, else that which a strategy read in the file; or null."""
    facts, metadata = chunks["facts"].combine_chunks(), chunks["metadata"].combine_chunks()
    return pc.coalesce(pc.struct_field(facts, "language"), pc.struct_field(metadata, "language"))


def _is(values: pa.Array, wanted: str) -> pa.Array:
    """Which values are the wanted one; a null is not."""
    return pc.fill_null(pc.equal(values, wanted), False)


def _holds(lists: pa.Array, wanted: str) -> pa.Array:
    """Which lists hold the wanted value; a null list does not."""
    rows = pc.list_parent_indices(lists).filter(_is(pc.list_flatten(lists), wanted))
    return pc.is_in(pa.array(range(len(lists)), pa.int64()), value_set=rows.cast(pa.int64()))


def _country(text: str) -> str:
    code = country_code(text)
    if code is None:
        raise ValueError(
            f"no country {text!r}; give an ISO 3166-1 code such as NL, "
            "or a name in Dutch, English, German or French"
        )
    return code


def _type_letter(text: str) -> TypeLetter:
    read = type_letters([text])
    if read.warnings or len(read.letters) != 1:
        listed = ", ".join(f"{letter} ({name})" for letter, name in TYPE_NAMES.items())
        raise ValueError(f"no type {text!r}; there are: {listed}")
    return read.letters[0]


def _tier(text: str) -> Tier:
    tier = as_tier(text)
    if tier is None:
        listed = ", ".join(f"{number} ({name})" for number, name in enumerate(TIERS, start=1))
        raise ValueError(f"no tier {text!r}; there are: {listed}")
    return tier


def _language(text: str) -> str:
    code = as_language(text)
    if code is None:
        raise ValueError(f"no language {text!r}; give an ISO 639 code such as nl, en, de or fr")
    return code
