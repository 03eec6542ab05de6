"""What sections are for, and what JSON-LD says."""

from __future__ import annotations

import pytest

from chunk_pipeline.chunking.website.json_ld import JsonLd, json_ld
from chunk_pipeline.chunking.website.page import read_page
from chunk_pipeline.chunking.website.section_types import section_type


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Contact", "contact"),
        ("Kontakt & Anfahrt", "contact"),
        ("Coordonnées", "contact"),
        ("Openingstijden", "visit"),
        ("Öffnungszeiten", "visit"),
        ("Horaires d’ouverture", "visit"),
        ("Plan your visit", "visit"),
        ("Geschiedenis van het gebouw", "history"),
        ("Histoire du musée", "history"),
        ("Unsere Sammlungen", "collection"),
        ("Kunstcollectie", "collection"),
        ("NIEUWS", "news"),
        ("Actualités", "news"),
        ("Over ons", "about"),
        ("À propos", "about"),
        ("Über uns", "about"),
        ("Datasets KB", "collection"),
        ("Recept voor appeltaart", "other"),
        ("Overleg", "other"),
    ],
)
def test_headings_in_four_languages_tell_the_type(heading: str, kind: str) -> None:
    assert section_type([heading]) == kind


def test_the_innermost_heading_decides_and_precedence_within_one() -> None:
    assert section_type(["Contact", "Collectie"]) == "collection"
    assert section_type(["Contact", "Iets"]) == "contact"
    assert section_type(["Collectie en contact"]) == "contact"
    assert section_type(["Geschiedenis van de collectie"]) == "history"


def test_the_address_and_hours_of_the_page_are_evidence_where_no_heading_is() -> None:
    known = JsonLd(contacts=("Kerkstraat 12",), has_hours=True)
    assert section_type(["Iets"], "Kom langs: Kerkstraat 12", known) == "contact"
    assert section_type(["Iets"], "dinsdag 10:00 tot 17:00", known) == "visit"
    assert section_type(["Iets"], "dinsdag 10:00 tot 17:00", JsonLd()) == "other"


def read(script: str) -> JsonLd:
    return json_ld(read_page(f'<html><script type="application/ld+json">{script}</script><p>x</p></html>'))


def test_an_organisation_in_a_graph_is_read() -> None:
    said = read(
        '<!-- {"@graph": [{"@type": "WebSite"}, {"@type": "http://schema.org/Library",'
        '"name": ["Bieb", "LIB"],'
        '"address": [{"addressCountry": {"@type": "Country", "name": "België"}}], "openingHours": "Mo"}]} -->'
    )
    assert said.types == ("Country", "Library", "WebSite")
    assert (said.organisation, said.names, said.country) == (("Library",), ("Bieb", "LIB"), "België")
    assert said.has_hours
    assert not said.warnings


@pytest.mark.parametrize(
    "script", ["{", "[" * 5000, '{"@type": "Museum", "name": }', '"Museum"', "[1, null]", ""]
)
def test_broken_json_ld_is_passed_over(script: str) -> None:
    assert read(script).organisation == ()


def test_broken_json_ld_is_named() -> None:
    assert read('{"@type": "Museum", "name": }').warnings == ("json_ld: broken: Expecting value",)
