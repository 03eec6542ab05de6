"""Names and identifiers are found as people write them, and only where they stand as words."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from entity_records import record
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.entities.gazetteer import build_gazetteer
from chunk_pipeline.chunking.entities.mention import Mention
from chunk_pipeline.chunking.entities.offsets import fold, fold_with_offsets
from chunk_pipeline.chunking.entities.recogniser import GazetteerRecogniser


def recogniser(*records: tuple[str, tuple[tuple[str, str], ...]]) -> GazetteerRecogniser:
    return GazetteerRecogniser(
        build_gazetteer(record(row, name, ids=ids) for row, (name, ids) in enumerate(records, start=1))
    )


HERITAGE = recogniser(
    ("Nationaal Archief", (("ISIL", "NL-HaNA"),)),
    ("Archief", (("ISIL", "NL-XxA"),)),
    ("Stichting Museum Straße", (("Wikidata", "Q18088080"),)),
    ("Museum Straße Noord", (("KvK", "12345678"),)),
    ("Musée d’Orsay", (("ISIL", "FR-MdO"),)),
    ("Museon", (("ISIL", "NL-DhMus"),)),
    ("ABC", (("ISIL", "NL-Abc1"),)),
    ("Musea en collecties", (("ISIL", "NL-MeC"),)),
)


def found(text: str, by: GazetteerRecogniser = HERITAGE) -> list[tuple[str, str, str]]:
    return [(each.surface, each.entity_id, each.resolved_by) for each in by.mentions(text)]


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("het Nationaal Archief.", "Nationaal Archief"),
        ("HET NATIONAAL ARCHIEF", "NATIONAAL ARCHIEF"),
        ("in (nationaal\n   archief)", "nationaal\n   archief"),
        ("Nationaal\u00a0Archief's", "Nationaal\u00a0Archief"),
        ("Natio\u00adnaal Archief", "Natio\u00adnaal Archief"),
    ],
)
def test_a_name_is_found_in_any_case_and_over_line_breaks(text: str, surface: str) -> None:
    assert found(text) == [(surface, "ISIL:NL-HaNA", "name")]


@pytest.mark.parametrize(
    "text",
    [
        "Nationaal Archiefdienst",
        "internationaal archief",
        "Nationaal_Archief",
        "Archief",
        "Musea en collecties",
    ],
)
def test_a_part_of_a_word_or_a_common_word_is_no_name(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text", ["MUSEE D'ORSAY", "musée d’orsay", unicodedata.normalize("NFD", "Musée d’Orsay"), "Musée d'Orsay"]
)
def test_accents_and_apostrophes_may_be_missing_or_apart(text: str) -> None:
    assert found(f"« {text} »") == [(text, "ISIL:FR-MdO", "name")]


def test_the_longest_of_the_names_that_begin_at_a_place_is_taken() -> None:
    assert found("Museum Strasse Noord") == [("Museum Strasse Noord", "KvK:12345678", "name")]
    assert found("Museum Strasse Noordwijk") == [("Museum Strasse", "Wikidata:Q18088080", "alias")]


def test_a_short_name_is_not_looked_for() -> None:
    assert found("ABC en abc") == []


def test_a_word_without_its_capital_is_less_sure() -> None:
    (named, plain) = HERITAGE.mentions("Museon, museon")
    assert (named.confidence, plain.confidence) == (0.9, 0.6)


def test_of_an_ambiguous_name_all_entities_are_given_less_sure() -> None:
    both = recogniser(("Oudheidkamer", (("ISIL", "NL-A1"),)), ("Oudheidkamer", (("ISIL", "NL-B1"),)))
    mentions = both.mentions("De Oudheidkamer.")
    assert [(each.entity_id, each.confidence) for each in mentions] == [
        ("ISIL:NL-A1", 0.45),
        ("ISIL:NL-B1", 0.45),
    ]


def test_a_name_of_many_entities_is_a_common_word() -> None:
    many = recogniser(*(("Oudheidkamer", (("ISIL", f"NL-A{number}"),)) for number in range(6)))
    assert found("De Oudheidkamer.", many) == []


def test_a_name_goes_before_the_same_alias() -> None:
    both = recogniser(
        ("Oudheidkamer", (("ISIL", "NL-A1"),)), ("Stichting Oudheidkamer", (("ISIL", "NL-B1"),))
    )
    assert found("De Oudheidkamer.", both) == [("Oudheidkamer", "ISIL:NL-A1", "name")]


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("code nl-hana.", "ISIL:NL-HaNA"),
        ("https://www.wikidata.org/wiki/Q18088080", "Wikidata:Q18088080"),
        ("KvK-nummer: 12345678", "KvK:12345678"),
    ],
)
def test_identifiers_of_records_are_found(text: str, entity: str) -> None:
    (mention,) = HERITAGE.mentions(text)
    assert (mention.entity_id, mention.resolved_by, mention.confidence) == (entity, "identifier", 1.0)


def test_an_identifier_that_no_record_has_is_its_own_entity() -> None:
    (mention,) = HERITAGE.mentions("ISIL: NL-UtHUA")
    assert (mention.entity_id, mention.confidence) == ("ISIL:NL-UtHUA", 0.8)


@pytest.mark.parametrize(
    "text", ["12345678", "X-NL-HaNA", "NL-HaNA-2x", "http://vocab.getty.edu/aat/300312281"]
)
def test_what_only_looks_like_an_identifier_of_an_entity_is_none(text: str) -> None:
    assert not {"ISIL:NL-HaNA", "KvK:12345678", "AAT:300312281"} & {each[1] for each in found(text)}


def test_an_empty_gazetteer_finds_nothing() -> None:
    assert GazetteerRecogniser(()).mentions("Nationaal Archief") == ()


_TEXT = st.lists(
    st.sampled_from(
        [
            "Straße",
            "strasse",
            "İ",
            "ﬁ",
            "\u0301",
            "\u00ad",
            " ",
            "\n",
            "é",
            "Nationaal Archief",
            "museum",
            "NL-HaNA",
            "💥",
            "ǆ",
            "½",
        ]
    )
).map("".join)


@settings(deadline=None)
@given(text=_TEXT)
def test_mentions_are_stretches_of_the_text_and_do_not_overlap(text: str) -> None:
    mentions: tuple[Mention, ...] = HERITAGE.mentions(text)
    places = sorted({(each.start, each.end) for each in mentions})
    assert all(text[each.start : each.end] == each.surface for each in mentions)
    assert all(left[1] <= right[0] for left, right in pairwise(places))


@settings(deadline=None)
@given(text=st.one_of(_TEXT, st.text()))
def test_folded_text_leads_back_to_what_it_was_made_of(text: str) -> None:
    folded = fold_with_offsets(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert folded.starts == sorted(folded.starts)
    for place, character in enumerate(folded.text):
        made = fold_with_offsets(text[folded.starts[place] : folded.ends[place]]).text
        assert character in made
    assert fold(fold(text)) == fold(text)
