from __future__ import annotations

from datetime import date

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.facts.defaults import Defaults, defaults


def _defaults(**given: str) -> Defaults:
    return defaults(Document("r", "a.csv", "", "csv_registry", attributes=tuple(given.items())))


def test_a_source_says_country_date_tier_and_language() -> None:
    read = _defaults(
        country="Nederland", extraction_date="2025-08-01", data_tier="1", language="nl-NL", team="x"
    )
    assert read == Defaults("NL", date(2025, 8, 1), "TIER_1_AUTHORITATIVE", "nl")


@pytest.mark.parametrize("tier", ["2", "TIER_2", "tier_2_verified"])
def test_a_tier_has_three_spellings(tier: str) -> None:
    assert _defaults(data_tier=tier).data_tier == "TIER_2_VERIFIED"


def test_what_cannot_be_used_is_left_out_and_named() -> None:
    read = _defaults(country="Utopia", extraction_date="yesterday", data_tier="5", language="xx")
    assert read.warnings == (
        "unusable_default: country='Utopia'",
        "unusable_default: extraction_date='yesterday'",
        "unusable_default: data_tier='5'",
        "unusable_default: language='xx'",
    )
    assert read == Defaults(warnings=read.warnings)


def test_blank_values_say_nothing() -> None:
    assert _defaults(country=" ", language="") == Defaults()
