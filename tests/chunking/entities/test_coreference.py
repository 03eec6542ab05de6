"""Short forms lead to what the same conversation has named before, and to nothing else."""

from __future__ import annotations

import pytest
from entity_records import record

from chunk_pipeline.chunking.entities.abbreviations import abbreviation_of, is_acronym
from chunk_pipeline.chunking.entities.coreference import NominalResolver
from chunk_pipeline.chunking.entities.gazetteer import build_gazetteer
from chunk_pipeline.chunking.entities.recogniser import GazetteerRecogniser

ENTITIES = build_gazetteer(
    [
        record(1, "Nationaal Archief", ids=(("ISIL", "NL-HaNA"),)),
        record(2, "Museon-Omniversum", ids=(("ISIL", "NL-DhMus"),), letters=("M",)),
        record(3, "Teylers Museum", ids=(("ISIL", "NL-HlmTM"),), letters=("M", "L", "X")),
        record(4, "Oude Kern", ids=(("ISIL", "NL-OK1"),), letters=("M",)),
        record(5, "Oude Kern", ids=(("ISIL", "NL-OK2"),), letters=("L",)),
        record(6, "Musée d'Orsay", ids=(("ISIL", "FR-MdO"),)),
    ]
)
RECOGNISER, RESOLVER = GazetteerRecogniser(ENTITIES), NominalResolver(ENTITIES)


def added(*texts: str) -> list[list[tuple[str, str, str]]]:
    found = [RECOGNISER.mentions(each) for each in texts]
    resolved = RESOLVER.resolve(texts, found)
    assert all(set(before) <= set(after) for before, after in zip(found, resolved, strict=True))
    for text, mentions in zip(texts, resolved, strict=True):
        assert list(mentions) == sorted(mentions)
        assert all(text[each.start : each.end] == each.surface for each in mentions)
    return [
        [(each.surface, each.entity_id, each.resolved_by) for each in after if each not in before]
        for before, after in zip(found, resolved, strict=True)
    ]


def test_an_acronym_is_known_from_its_definition_on_and_in_later_texts() -> None:
    first, second = added(
        "Wat is NA? Het Nationaal Archief (NA) is groot.", "De NA heeft NAW-gegevens, na 2000."
    )
    assert first == second == [("NA", "ISIL:NL-HaNA", "acronym")]


def test_an_acronym_may_stand_ahead_of_its_name() -> None:
    assert added("Het NA (Nationaal Archief) en het NA.") == [[("NA", "ISIL:NL-HaNA", "acronym")] * 2]


def test_another_name_may_be_given_in_brackets() -> None:
    (mentions,) = added("Teylers Museum (hierna: “het Pieter”) is oud. Het Pieter is open.")
    assert mentions == [("Pieter", "ISIL:NL-HlmTM", "acronym")] * 2


@pytest.mark.parametrize(
    ("short", "name", "is_one"),
    [
        ("NA", "Nationaal Archief", True),
        ("RKD", "Rijksbureau voor Kunsthistorische Documentatie", True),
        ("KB", "Koninklijke Bibliotheek", True),
        ("VOC", "Nationaal Archief", False),
        ("Na", "Nationaal Archief", False),
        ("AN", "Nationaal Archief", False),
        ("Haag", "Nationaal Archief", False),
    ],
)
def test_an_acronym_has_the_letters_of_its_name_in_order(short: str, name: str, is_one: bool) -> None:
    assert is_acronym(short, name) is is_one


def test_what_stands_in_brackets_is_mostly_no_name() -> None:
    text = "Nationaal Archief (Den Haag), Nationaal Archief (hierna: het archief)"
    assert abbreviation_of(text, 0, 17) is None
    assert abbreviation_of(text, 30, 47) is None


@pytest.mark.parametrize(
    ("named", "text", "surface"),
    [
        ("Museon-Omniversum", "Het museum is open.", "Het museum"),
        ("Museon-Omniversum", "Is the museum open?", "the museum"),
        ("Nationaal Archief", "Das Archiv ist zu.", "Das Archiv"),
        ("Nationaal Archief", "die Leitung des Archivs", "des Archivs"),
        ("Nationaal Archief", "Les archives sont là.", "Les archives"),
        ("Nationaal Archief", "de l’archive", "l’archive"),
        ("Museon-Omniversum", "Le musée est là, voilà.", "Le musée"),
        ("Teylers Museum", "De bibliotheek is oud", "De bibliotheek"),
        ("Teylers Museum", "la bibliothèque", "la bibliothèque"),
        ("Museon-Omniversum", "el museo", "el museo"),
    ],
)
def test_a_definite_short_form_is_the_latest_of_its_type(named: str, text: str, surface: str) -> None:
    _, (mention,) = added(f"Musée d'Orsay, {named}.", text)
    (own,) = [each.entity_id for each in ENTITIES if named in each.names]
    assert mention == (surface, own, "nominal")


def test_the_type_is_told_by_the_name_where_no_letter_is_known() -> None:
    assert added("Musée d'Orsay, Nationaal Archief: le musée et le archief")[0][0] == (
        "le musée",
        "ISIL:FR-MdO",
        "nominal",
    )


@pytest.mark.parametrize(
    "text",
    [
        "het archief van de VOC",
        "the museum of Leiden",
        "het museum Boijmans",
        "das Museum für Kunst",
        "le musée de Lyon",
        "het museumgebouw",
        "een museum",
        "musea",
        "het is groot",
        "hij en zij",
        "de galerie",
    ],
)
def test_what_names_another_thing_or_is_a_pronoun_is_left_alone(text: str) -> None:
    assert added("Museon-Omniversum, Nationaal Archief.", text)[1] == []


def test_nothing_is_resolved_ahead_of_what_it_stands_for() -> None:
    assert added("Het museum heet Museon-Omniversum.") == [[]]


def test_of_an_ambiguous_name_those_of_the_type_are_taken_on() -> None:
    _, museum, library = added("Oude Kern.", "Dit museum.", "De bibliotheek.")
    assert museum == [("Dit museum", "ISIL:NL-OK1", "nominal")]
    assert library == [("De bibliotheek", "ISIL:NL-OK2", "nominal")]
