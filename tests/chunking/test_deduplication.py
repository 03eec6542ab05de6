"""What is left out is said by a chunk that is kept, in any order, and a second look finds nothing more."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.deduplication import EXACT, Candidate, Duplicate, deduplicate

HANA = ("ISIL", "NL-HaNA")
PAGE = Candidate(
    chunk_id="page",
    record_id="",
    text="Het museum is open.",
    is_record=False,
    identifiers=(),
    data_tier="TIER_4_INFERRED",
    confidence=1.0,
    extraction_date=None,
    source_id="website:a.html#/html[1]",
    strategy="website",
    repository="site",
    path="a.html",
)
ROW = replace(
    PAGE,
    chunk_id="row",
    record_id="registry/row",
    text="Instelling: Nationaal Archief",
    is_record=True,
    identifiers=(HANA,),
    data_tier="TIER_1_AUTHORITATIVE",
    source_id="csv_registry:isil.csv#1",
    strategy="csv_registry",
)
INSTANCE = replace(
    ROW,
    chunk_id="instance",
    record_id="instances/one",
    text="preferred_label: Nationaal Archief",
    data_tier="TIER_2_VERIFIED",
    source_id="yaml_instance:a.yaml#0",
    strategy="yaml_instance",
)


def lost(*candidates: Candidate) -> list[tuple[str, str, str]]:
    return [each[:3] for each in deduplicate(candidates)]


def test_equal_texts_are_one_whatever_their_white_space_and_unicode_form() -> None:
    copy = replace(
        PAGE, chunk_id="copy", text="Het  muse\u0075m\nis open. ", source_id="website:b.html#/html[1]"
    )
    accents = replace(PAGE, chunk_id="é", text="caf\u00e9")
    apart = replace(accents, chunk_id="é2", text="cafe\u0301")
    assert lost(copy, PAGE, accents, apart) == [("copy", "page", EXACT), ("é2", "é", EXACT)]


def test_equal_texts_of_two_strategies_are_no_copies() -> None:
    assert lost(PAGE, replace(PAGE, chunk_id="other", strategy="docling_hybrid")) == []


def test_the_better_source_wins_in_the_order_of_tier_confidence_date_and_source_id() -> None:
    losing = replace(PAGE, chunk_id="a", source_id="z", extraction_date=date(2020, 1, 1), confidence=0.5)
    for change in (
        {"data_tier": "TIER_3_CROWD_SOURCED", "confidence": 0.1},
        {"confidence": 0.6, "extraction_date": None},
        {"extraction_date": date(2021, 1, 1), "source_id": "zz"},
        {"source_id": "y"},
    ):
        winner = replace(losing, **{"chunk_id": "b", **change})  # type: ignore[arg-type]
        assert lost(losing, winner) == [("a", "b", EXACT)], change


def test_records_that_share_an_identifier_are_one_and_the_reason_names_it() -> None:
    assert lost(INSTANCE, ROW) == [("instance", "row", "entity ISIL:NL-HaNA")]


def test_a_record_that_says_more_than_the_one_that_stands_for_it_is_marked() -> None:
    described = replace(INSTANCE, text="preferred_label: Nationaal Archief\ndescription: In Den Haag.")
    (found,) = deduplicate([ROW, described])
    assert found == Duplicate("instance", "row", "entity ISIL:NL-HaNA", says_more=True)
    (bare,) = deduplicate([ROW, replace(INSTANCE, text="- preferred_label: nationaal archief")])
    assert not bare.says_more
    copy = replace(PAGE, chunk_id="zz", source_id="website:z.html#/html[1]")
    assert not any(each.says_more for each in deduplicate([PAGE, copy]))


def test_a_chunk_that_only_mentions_an_entity_is_kept() -> None:
    assert lost(ROW, replace(PAGE, identifiers=(HANA,))) == []


def test_records_with_the_same_name_or_type_are_kept() -> None:
    others = {"identifiers": (("AAT", "300312281"), ("GEONAMES", "2747373"))}
    assert lost(replace(ROW, **others), replace(INSTANCE, **others)) == []  # type: ignore[arg-type]


def test_a_translation_of_a_record_is_kept() -> None:
    dutch, english = replace(ROW, language="nl"), replace(INSTANCE, language="en")
    assert lost(dutch, english) == []
    assert lost(dutch, replace(english, language=None)) == [("instance", "row", "entity ISIL:NL-HaNA")]


def test_two_museums_of_one_foundation_are_kept() -> None:
    foundation = ("KvK", "12345678")
    museum = replace(ROW, identifiers=(HANA, foundation))
    other = replace(INSTANCE, identifiers=(("ISIL", "NL-B"), foundation))
    assert lost(museum, other) == []
    assert lost(museum, replace(other, identifiers=(foundation,))) == [
        ("instance", "row", "entity KvK:12345678")
    ]


def test_a_record_is_left_out_in_all_its_pieces_or_in_none() -> None:
    pieces = [
        replace(INSTANCE, chunk_id=f"p{place}", text=f"piece {place}", ordinal=place) for place in (0, 1)
    ]
    other = [
        replace(each, chunk_id=f"q{each.ordinal}", record_id="instances/two", identifiers=())
        for each in pieces
    ]
    longer = [*other, replace(other[0], chunk_id="q2", text="piece 2", ordinal=2)]
    assert lost(*pieces, *longer) == []
    assert lost(*pieces, *other) == [("q0", "p0", EXACT), ("q1", "p1", EXACT)]
    assert lost(ROW, *pieces) == [(each, "row", "entity ISIL:NL-HaNA") for each in ("p0", "p1")]
    winner = [replace(each, data_tier="TIER_1_AUTHORITATIVE") for each in pieces]
    assert lost(*winner, replace(ROW, data_tier="TIER_2_VERIFIED"))[0][:2] == ("row", "p0")


def test_records_joined_only_through_a_third_are_both_kept_when_it_is_left_out() -> None:
    wikidata = ("Wikidata", "Q18088080")
    between = replace(INSTANCE, identifiers=(HANA, wikidata))
    third = replace(
        INSTANCE, chunk_id="third", record_id="instances/three", identifiers=(wikidata,), source_id="z"
    )
    assert lost(ROW, between, third) == [("instance", "row", "entity ISIL:NL-HaNA")]


_CANDIDATES = st.lists(
    st.builds(
        lambda number, record, text, ids, tier, confidence, when, strategy, language: replace(
            ROW,
            chunk_id=number,
            record_id=record,
            text=text,
            is_record=bool(record),
            identifiers=tuple(ids),
            data_tier=tier,
            confidence=confidence,
            extraction_date=when,
            source_id=record or number,
            strategy=strategy,
            language=language,
        ),
        st.integers(0, 99).map(str),
        st.sampled_from(["", "r1", "r2", "r3", "r4"]),
        st.sampled_from(["a", "a ", "b", "c"]),
        st.lists(
            st.sampled_from([HANA, ("ISIL", "NL-B"), ("Wikidata", "Q1"), ("KvK", "1"), ("KvK", "2")]),
            max_size=3,
        ),
        st.sampled_from(["TIER_1_AUTHORITATIVE", "TIER_4_INFERRED"]),
        st.sampled_from([0.5, 1.0]),
        st.sampled_from([None, date(2020, 1, 1)]),
        st.sampled_from(["csv_registry", "yaml_instance"]),
        st.sampled_from([None, "nl", "en"]),
    ),
    max_size=14,
    unique_by=lambda each: each.chunk_id,
)


@settings(deadline=None, max_examples=300)
@given(candidates=_CANDIDATES, seed=st.integers())
def test_it_is_order_free_idempotent_and_conserving(candidates: list[Candidate], seed: int) -> None:
    duplicates = deduplicate(candidates)
    shuffled = list(candidates)
    Random(seed).shuffle(shuffled)
    assert deduplicate(shuffled) == duplicates
    gone = {each.chunk_id for each in duplicates}
    kept = [each for each in candidates if each.chunk_id not in gone]
    assert len(kept) + len(duplicates) == len(candidates)
    assert {each.winner_id for each in duplicates} <= {each.chunk_id for each in kept}
    assert deduplicate(kept) == ()


@settings(deadline=None, max_examples=300)
@given(candidates=_CANDIDATES)
def test_a_loser_has_in_common_with_its_winner_what_the_reason_says(candidates: list[Candidate]) -> None:
    of_id = {each.chunk_id: each for each in candidates}
    for duplicate in deduplicate(candidates):
        assert shares(duplicate, of_id, candidates)


def shares(duplicate: Duplicate, of_id: dict[str, Candidate], candidates: list[Candidate]) -> bool:
    loser, winner = of_id[duplicate.chunk_id], of_id[duplicate.winner_id]
    if duplicate.reason == EXACT:
        return loser.strategy == winner.strategy and loser.text.split() == winner.text.split()
    ids = [
        {
            f"{scheme}:{value}"
            for each in candidates
            if (each.strategy, each.record_id) == (end.strategy, end.record_id)
            for scheme, value in each.identifiers
        }
        for end in (loser, winner)
    ]
    return (
        loser.is_record and winner.is_record and duplicate.reason.removeprefix("entity ") in ids[0] & ids[1]
    )
