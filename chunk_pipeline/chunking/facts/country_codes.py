"""Codes of countries: ISO 3166-1, with the few others in use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

CODE_ALIASES = MappingProxyType({"UK": "GB", "EL": "GR"})
"""Codes in use that ISO 3166-1 does not have, and its own; the second is the European Union's for Greece."""


def alpha_2(code: str) -> str | None:
    """The code itself where ISO 3166-1 has it, ``GB`` for ``UK``, the alpha-2 of an alpha-3; else nothing."""
    return _codes().get(code.upper())


def is_region(code: str) -> bool:
    """Whether ISO 3166-2 has that code of a country's region, such as ``NL-ZH``."""
    from pycountry import subdivisions

    known: Any = subdivisions
    return known.get(code=code.upper()) is not None


@cache
def _codes() -> Mapping[str, str]:
    import pycountry

    codes = {each.alpha_2: each.alpha_2 for each in pycountry.countries}
    codes |= {each.alpha_3: each.alpha_2 for each in pycountry.countries}
    return MappingProxyType(codes | CODE_ALIASES)
