from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import yaml

from chunk_pipeline.chunking.facts.types import type_letters
from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES, TypeLetter

CLASSES = {
    "ArchiveOrganizationType": "A",
    "BioCustodianType": "B",
    "CommercialOrganizationType": "C",
    "DigitalPlatformType": "D",
    "EducationProviderType": "E",
    "FeatureCustodianType": "F",
    "GalleryType": "G",
    "HeritageSocietyType": "S",
    "HolySacredSiteType": "H",
    "IntangibleHeritageGroupType": "I",
    "LibraryType": "L",
    "MixedCustodianType": "X",
    "MuseumType": "M",
    "NonProfitType": "N",
    "OfficialInstitutionType": "O",
    "PersonalCollectionType": "P",
    "ResearchOrganizationType": "R",
    "TasteScentHeritageType": "T",
    "UnspecifiedType": "U",
}


def test_every_letter_and_name_is_its_own() -> None:
    for letter in get_args(TypeLetter):
        assert type_letters([letter]).letters == (letter,)
        assert type_letters([TYPE_NAMES[letter]]).letters == (letter,)


@pytest.mark.parametrize(("name", "letter"), CLASSES.items())
def test_class_names_of_the_schema_are_read_bare_prefixed_and_as_addresses(name: str, letter: str) -> None:
    snake = "".join(f"_{each.lower()}" if each.isupper() else each for each in name).lstrip("_")
    for written in (name, f"hc:{name}", f"https://nde.nl/ontology/hc/class/{name}", snake):
        assert type_letters([written]) == type_letters([letter])


def test_no_class_of_the_schema_is_missing(corpora: Path) -> None:
    folder = corpora / "corpora/heritage/schema_hc/classes"
    classes = {
        name
        for path in sorted(folder.glob("*Type.yaml"))
        for name, body in yaml.safe_load(path.read_text(encoding="utf-8"))["classes"].items()
        if (body or {}).get("is_a") == "CustodianType"
    }
    assert classes
    assert classes - set(CLASSES) == set()


@pytest.mark.parametrize(
    ("values", "letters"),
    [
        (["Streekarchief", "museum"], "AM"),
        (["Archief; Museum"], "AM"),
        (["M,A"], "AM"),
        ("MA", "AM"),
        ("Museum", "M"),
        (["Bibliothèque"], "L"),
        (["Local/Regional government"], "O"),
        (["BOTANICAL_ZOO"], "B"),
        (["", "  "], ""),
        ([], ""),
    ],
)
def test_words_and_lists_are_read(values: list[str] | str, letters: str) -> None:
    found = type_letters(values)
    assert "".join(found.letters) == letters
    assert found.warnings == ()


def test_an_unknown_type_is_u_with_a_warning() -> None:
    found = type_letters(["Museum", "Zzyzx"])
    assert found.letters == ("M", "U")
    assert found.warnings == ("unknown_type: Zzyzx",)


def test_mixed_is_primary_where_it_is_there_and_else_what_came_first() -> None:
    assert type_letters(["M", "X", "A"]).primary == "X"
    assert type_letters(["M", "A"]).primary == "M"
    assert type_letters([]).primary is None
