from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from chunk_pipeline.retrieval.filters import (
    ASK_NOTHING,
    NOTHING_KNOWN,
    Filters,
    Known,
    chunks_that_pass,
    filters_of,
    known_of,
    languages_of,
)
from chunk_pipeline.warehouse.tables import CHUNKS

ROWS: dict[str, tuple[dict[str, Any] | None, str | None]] = {
    "archive": (
        {
            "country_code": "NL",
            "custodian_type": ["A"],
            "data_tier": "TIER_1_AUTHORITATIVE",
            "language": "nl",
        },
        None,
    ),
    "both": ({"country_code": "BE", "custodian_type": ["A", "M"], "data_tier": "TIER_4_INFERRED"}, "en"),
    "bare": ({"custodian_type": []}, None),
    "code": (None, "nl"),
    "nothing": (None, None),
}


def _table(chunks: int = 1) -> pa.Table:
    """The rows as columns of several stretches each, as several files give them."""
    fields = [CHUNKS.schema.field(name) for name in ("chunk_id", "metadata", "facts")]
    rows = [
        {"chunk_id": name, "facts": facts, "metadata": {"language": language}}
        for name, (facts, language) in ROWS.items()
    ]
    size = -(-len(rows) // chunks)
    schema = pa.schema(fields)
    parts = [pa.Table.from_pylist(rows[at : at + size], schema=schema) for at in range(0, len(rows), size)]
    return pa.concat_tables(parts)


@pytest.mark.parametrize("chunks", [1, 3])
@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        (Filters(), list(ROWS)),
        (Filters(country="NL"), ["archive"]),
        (Filters(type_letter="A"), ["archive", "both"]),
        (Filters(type_letter="M"), ["both"]),
        (Filters(type_letter="L"), []),
        (Filters(tier="TIER_1_AUTHORITATIVE"), ["archive"]),
        (Filters(language="nl"), ["archive", "code"]),
        (Filters(language="en"), ["both"]),
        (Filters(country="BE", type_letter="A", tier="TIER_4_INFERRED", language="en"), ["both"]),
        (Filters(country="BE", language="nl"), []),
    ],
)
def test_a_chunk_passes_if_it_is_all_that_is_asked(filters: Filters, passing: list[str], chunks: int) -> None:
    assert chunks_that_pass(_table(chunks), filters).to_pylist() == passing


def test_no_chunks_pass_of_none() -> None:
    empty = _table().slice(0, 0)
    assert chunks_that_pass(empty, Filters(type_letter="A", language="nl")).to_pylist() == []


def test_a_language_is_that_of_the_facts_else_of_the_file() -> None:
    assert languages_of(_table()).to_pylist() == ["nl", "en", None, "nl", None]


def test_what_can_be_asked_of_a_chunk_is_told_with_it() -> None:
    known = dict(zip(ROWS, known_of(_table()), strict=True))
    assert known["archive"] == Known("NL", ("A",), "TIER_1_AUTHORITATIVE", "nl")
    assert known["both"] == Known("BE", ("A", "M"), "TIER_4_INFERRED", "en")
    assert known["code"] == Known(language="nl")
    assert known["nothing"] == known["bare"] == NOTHING_KNOWN


def test_filters_are_read_as_people_write_them() -> None:
    assert filters_of("Nederland", "museum", "1", "NL-nl") == Filters("NL", "M", "TIER_1_AUTHORITATIVE", "nl")
    assert filters_of("uk", "x", "TIER_2", "nld") == Filters("GB", "X", "TIER_2_VERIFIED", "nl")
    assert filters_of() == ASK_NOTHING


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"country": "Utopia"}, "no country 'Utopia'; give an ISO 3166-1 code such as NL"),
        ({"type_of_custodian": "Z"}, r"no type 'Z'; there are: G \(Gallery\), L \(Library\)"),
        ({"type_of_custodian": "M,A"}, "no type 'M,A'"),
        ({"type_of_custodian": ""}, "no type ''"),
        ({"tier": "5"}, r"no tier '5'; there are: 1 \(TIER_1_AUTHORITATIVE\)"),
        ({"language": "xx"}, "no language 'xx'; give an ISO 639 code such as nl"),
    ],
)
def test_a_filter_that_means_nothing_says_what_does(given: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        filters_of(**given)
