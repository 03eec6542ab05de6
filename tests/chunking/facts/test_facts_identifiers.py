from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.chunking.facts.identifiers import identifiers_in, normalised, parse_ghcid


def _found(text: str) -> list[tuple[str, str]]:
    return [(each.scheme, each.value) for each in identifiers_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Zie NL-HaNA.", [("ISIL", "NL-HaNA")]),
        ("Archief (NL-ZH-DHA-A-NA)", [("GHCID", "NL-ZH-DHA-A-NA")]),
        ("hc_id: https://nde.nl/ontology/hc/nl-zh-dha-a-na", [("GHCID", "NL-ZH-DHA-A-NA")]),
        ("DE-Tue120-1, OCLC-DLC", [("ISIL", "DE-Tue120-1"), ("ISIL", "OCLC-DLC")]),
        ("ISIL: <code>NL-1234</code>", [("ISIL", "NL-1234")]),
        ("isil_code: DE-12", [("ISIL", "DE-12")]),
        ("KvK-nummer: 01234567", [("KvK", "01234567")]),
        ("Kamer van Koophandel 12 34 56 78", [("KvK", "12345678")]),
        ("kvk: 012345670", [("KvK", "012345670")]),
        ("https://www.wikidata.org/wiki/Q55", [("Wikidata", "Q55")]),
        ("identifier_value: Q190804", [("Wikidata", "Q190804")]),
        ("Wikidata (Q55)", [("Wikidata", "Q55")]),
        ("https://viaf.org/viaf/147873220/", [("VIAF", "147873220")]),
        ("ISNI 0000 0001 2281 955X", [("ISNI", "000000012281955X")]),
        ("https://orcid.org/0000-0002-1825-0097", [("ORCID", "0000-0002-1825-0097")]),
        ("[x](http://vocab.getty.edu/aat/300451067)", [("AAT", "300451067")]),
        ("https://sws.geonames.org/1643084/", [("GEONAMES", "1643084")]),
        ("doi:10.1000/182.", [("DOI", "10.1000/182")]),
    ],
)
def test_identifiers_are_found_in_running_text(text: str, found: list[tuple[str, str]]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "a US-based and IT-related CD-ROM of NL-Amsterdam",
        "the province NL-ZH, postcodes DE-10115 and NL-2595 BE and NL-2595BE",
        "from NL-EN to FR-EN-DE, CO-2-uitstoot, DE-Mail",
        "in Q1 2024, a Dash 8 Q400",
        "tel. 012-3456789, 12345678",
        "an unlabelled EUR-1200 and O-level",
        "ISNI 0000 0001 2281 9550",
        "https://orcid.org/0000-0002-1825-0098",
    ],
)
def test_ordinary_words_numbers_and_wrong_check_digits_are_no_identifiers(text: str) -> None:
    assert _found(text) == []


@given(st.text(alphabet="NLHaQ01289-/: .KvISIL\n", max_size=80))
def test_finds_are_in_order_and_do_not_overlap(text: str) -> None:
    found = identifiers_in(text)
    ends = [0, *(each.end for each in found)]
    assert all(end <= each.start < each.end for end, each in zip(ends, found, strict=False))


@pytest.mark.parametrize(
    ("scheme", "value", "expected"),
    [
        ("isil_code", "nl-HaNA", ("ISIL", "NL-HaNA")),
        ("ISIL", "NL-ZH-DHA-A-NA", None),
        ("ISIL", "Foo", None),
        ("KvK-nummer", "01234567", ("KvK", "01234567")),
        ("KvK", "1234567", None),
        ("KvK", "00000000", None),
        ("", "Q190804", ("Wikidata", "Q190804")),
        ("", "http://www.wikidata.org/entity/Q55", ("Wikidata", "Q55")),
        ("", "NL-HaNA", ("ISIL", "NL-HaNA")),
        ("", "12345678", None),
        ("", "a museum, see Q190804", None),
        ("VIAF", "https://viaf.org/viaf/147873220", ("VIAF", "147873220")),
        ("GHCID", "nl-zh-dha-a-na", ("GHCID", "NL-ZH-DHA-A-NA")),
        ("BRIN", " 00AB ", ("BRIN", "00AB")),
        ("ISIL", " ", None),
    ],
)
def test_a_field_is_checked_by_its_scheme(scheme: str, value: str, expected: tuple[str, str] | None) -> None:
    identifier = normalised(scheme, value)
    assert (identifier and (identifier.scheme, identifier.value)) == expected


def test_a_ghcid_is_taken_apart() -> None:
    ghcid = parse_ghcid("no-33-hol-ma-hm-Q12345")
    assert ghcid == ("NO", "33", "HOL", "MA", "HM", "Q12345")
    assert ghcid.text == "NO-33-HOL-MA-HM-Q12345"


@pytest.mark.parametrize("text", ["", "NL-HaNA", "XQ-ZH-DHA-A-NA", "NL-ZH-DHA-Z-NA", "NL-ZH-DHA-AA-NA"])
def test_what_is_no_ghcid_is_none(text: str) -> None:
    assert parse_ghcid(text) is None
