"""Records become entities by what they are numbered, not by what they are called."""

from __future__ import annotations

import pytest
from entity_records import record
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.entities.gazetteer import build_gazetteer, gazetteer_of, gazetteer_table
from chunk_pipeline.chunking.facts.facts import Facts, Identifier

HANA = ("ISIL", "NL-HaNA")
WIKIDATA = ("Wikidata", "Q18088080")


def test_records_that_share_an_identifier_are_one_entity() -> None:
    (entity,) = build_gazetteer(
        [
            record(1, "Nationaal Archief", ids=(HANA,), letters=("A",)),
            record(2, "National Archives of the Netherlands", ids=(WIKIDATA, HANA), letters=("U",)),
            record(3, "Algemeen Rijksarchief", ids=(WIKIDATA,), ghcid="NL-ZH-DHA-A-NA"),
        ]
    )
    assert entity.entity_id == "NL-ZH-DHA-A-NA"
    assert entity.custodian_type == ("A",)
    assert entity.names == (
        "Algemeen Rijksarchief",
        "Nationaal Archief",
        "National Archives of the Netherlands",
    )
    assert entity.source_ids == tuple(f"registry/csv_registry:isil.csv#{row}" for row in (1, 2, 3))
    assert Identifier(scheme="GHCID", value="NL-ZH-DHA-A-NA") in entity.identifiers


def test_an_equal_name_makes_no_two_records_one() -> None:
    first, second = build_gazetteer([record(1, "Oudheidkamer"), record(2, "Oudheidkamer")])
    assert (first.entity_id, second.entity_id) == (
        "registry/csv_registry:isil.csv#1",
        "registry/csv_registry:isil.csv#2",
    )


def test_the_number_of_a_foundation_does_not_join_its_two_museums() -> None:
    foundation = ("KvK", "12345678")
    museums = build_gazetteer(
        [
            record(1, "Museum Oost", ids=(("ISIL", "NL-AbMO"), foundation)),
            record(2, "Museum West", ids=(("ISIL", "NL-AbMW"), foundation)),
            record(3, "Stichting Musea", ids=(foundation,)),
        ]
    )
    assert [each.names for each in museums] == [("Museum Oost",), ("Museum West",), ("Stichting Musea",)]
    assert [each.entity_id for each in museums][:2] == ["ISIL:NL-AbMO", "ISIL:NL-AbMW"]


def test_the_number_of_a_legal_person_joins_records_that_do_not_contradict_each_other() -> None:
    museums = build_gazetteer(
        [
            record(1, "Museum Oost", ids=(HANA, ("KvK", "12345678"))),
            record(2, "M. Oost", ids=(("KvK", "12345678"),)),
        ]
    )
    assert [each.entity_id for each in museums] == ["ISIL:NL-HaNA"]


def test_an_identifier_of_a_type_or_a_place_joins_nothing() -> None:
    shared = (("AAT", "300312281"), ("GEONAMES", "2747373"))
    assert (
        len(build_gazetteer([record(1, "Museum Oost", ids=shared), record(2, "Museum West", ids=shared)]))
        == 2
    )


def test_pieces_of_a_record_are_one_record() -> None:
    (entity,) = build_gazetteer([record(1, "Museum Oost"), record(1, "Museum Oost")])
    assert entity.source_ids == ("registry/csv_registry:isil.csv#1",)


def test_equal_source_ids_of_two_repositories_are_two_records() -> None:
    assert len(build_gazetteer([record(1, "Museum Oost"), record(1, "Museum West", repository="other")])) == 2


def test_a_record_that_nothing_can_find_is_no_entity() -> None:
    assert build_gazetteer([record(1)]) == ()


@pytest.mark.parametrize(
    ("name", "aliases"),
    [
        ("Stichting Café Erfgoed", ("Café Erfgoed",)),
        ("Nationaal Archief (NA)", ("Nationaal Archief",)),
        ("Stichting Museum Oost (voorheen West)", ("Museum Oost", "Stichting Museum Oost")),
        ("Stichting", ()),
        ("(NA)", ()),
    ],
)
def test_a_name_is_also_known_without_its_legal_form_and_brackets(
    name: str, aliases: tuple[str, ...]
) -> None:
    (entity,) = build_gazetteer([record(1, name)])
    assert entity.aliases == aliases


_IDS = st.sampled_from(
    [
        HANA,
        ("ISIL", "NL-B"),
        ("ISIL", "nl-b"),
        WIKIDATA,
        ("KvK", "12345678"),
        ("KvK", "87654321"),
        ("AAT", "1"),
        ("a:b%", "c:d"),
    ]
)
_RECORDS = st.lists(
    st.builds(
        lambda row, names, ids, ghcid, kind: record(row, *names, ids=tuple(ids), ghcid=ghcid, kind=kind),
        st.integers(1, 9),
        st.lists(st.sampled_from(["Oost", "Stichting Oost", " Oost  West", "Ünï"]), max_size=2),
        st.lists(_IDS, max_size=3),
        st.sampled_from([None, "NL-ZH-DHA-A-NA", "NL-ZH-DHA-A-NB"]),
        st.sampled_from(["Custodian", "Museum"]),
    ),
    max_size=9,
)


@settings(deadline=None)
@given(records=_RECORDS, shuffled=st.randoms())
def test_the_order_of_records_does_not_matter(records: list[tuple[str, Facts]], shuffled: object) -> None:
    before = build_gazetteer(records)
    shuffled.shuffle(records)  # type: ignore[attr-defined]
    assert build_gazetteer(records) == before


@settings(deadline=None)
@given(records=_RECORDS)
def test_ids_are_distinct_and_every_record_is_in_one_entity(records: list[tuple[str, Facts]]) -> None:
    entities = build_gazetteer(records)
    assert len({each.entity_id for each in entities}) == len(entities)
    sources = [source for each in entities for source in each.source_ids]
    assert len(set(sources)) == len(sources)
    told = {
        f"{repository}/{facts.source_id}"
        for repository, facts in records
        if facts.names or facts.identifiers or facts.ghcid
    }
    assert told <= set(sources)


@settings(deadline=None)
@given(records=_RECORDS)
def test_the_table_gives_the_entities_back(records: list[tuple[str, Facts]]) -> None:
    entities = build_gazetteer(records)
    assert gazetteer_of(gazetteer_table(entities)) == entities
