from __future__ import annotations

import pycountry
import pytest

from chunk_pipeline.chunking.facts.countries import country_code, resolve_country
from chunk_pipeline.chunking.facts.country_names import EVERYDAY_NAMES


@pytest.mark.parametrize("language", ["nl", "de", "fr"])
def test_every_country_is_known_by_its_name_in_four_languages(language: str) -> None:
    import gettext

    names = gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[language])
    for country in pycountry.countries:
        assert country_code(country.name) == country.alpha_2
        assert country_code(names.gettext(country.name)) == country.alpha_2


def test_no_everyday_name_means_two_countries() -> None:
    named = [name for names in EVERYDAY_NAMES.values() for name in names]
    assert len(named) == len(set(named))
    for code, names in EVERYDAY_NAMES.items():
        assert {country_code(name) for name in names} == {code}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("NL", "NL"),
        ("nld", "NL"),
        ("Holland", "NL"),
        ("The Netherlands", "NL"),
        ("les Pays-Bas", "NL"),
        ("Niederlande", "NL"),
        ("l'Allemagne", "DE"),
        ("Duitsland", "DE"),
        ("belgie", "BE"),
        ("UK", "GB"),
        ("U.K.", "GB"),
        ("Schotland", "GB"),
        ("NA", "NA"),
        ("NO", "NO"),
        ("Korea", None),
        ("None", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_a_country_is_known_by_code_and_everyday_name(text: str, code: str | None) -> None:
    assert country_code(text) == code


def test_what_a_record_says_goes_before_its_identifiers_and_those_before_the_source() -> None:
    assert resolve_country("België", "NL-ZH-DHA-A-NA", "DE-12", "FR") == ("BE", "explicit")
    assert resolve_country("Utopia", "NL-ZH-DHA-A-NA", "DE-12", "FR") == ("NL", "ghcid")
    assert resolve_country(None, "no ghcid", "DE-12", "FR") == ("DE", "isil")
    assert resolve_country(None, None, "OCLC-DLC", "France") == ("FR", "source")
    assert resolve_country(None, None, "O-12", "") == (None, None)


def test_british_codes_are_one() -> None:
    assert resolve_country(None, "UK-LND-LON-M-BM", None, None) == ("GB", "ghcid")
    assert resolve_country(None, None, "UK-12345", None) == ("GB", "isil")
