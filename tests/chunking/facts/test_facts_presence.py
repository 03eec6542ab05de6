from __future__ import annotations

import pytest

from chunk_pipeline.chunking.facts.presence import speaks_of_collections, speaks_of_relationships


@pytest.mark.parametrize(
    "text",
    [
        "De kunstcollectie",
        "collectiebeheer",
        "ein Sammlungsstück",
        "its holdings",
        "Eine Münzsammlung",
        "les fonds anciens",
        "has_collection: x",
        "Bestände",
    ],
)
def test_collections_are_spoken_of(text: str) -> None:
    assert speaks_of_collections(text)
    assert not speaks_of_relationships(text)


@pytest.mark.parametrize(
    "text",
    [
        "Het museum is onderdeel van de gemeente",
        "a branch of the library",
        "Teil der Stiftung",
        "il fait partie du réseau",
        "part_of: NL-HaNA",
        "géré par la ville",
    ],
)
def test_relationships_are_spoken_of(text: str) -> None:
    assert speaks_of_relationships(text)
    assert not speaks_of_collections(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Open op dinsdag",
        "un effort collectif",
        "het bestand is opgeslagen",
        "een subsidie van het fonds",
        "collectieve arbeid",
    ],
)
def test_other_texts_speak_of_neither(text: str) -> None:
    assert not speaks_of_collections(text)
    assert not speaks_of_relationships(text)
