"""Definite short forms such as ``het museum`` and ``the archive``, in the languages that are listed here.

A form that goes on (``het archief van de VOC``, ``the museum of Leiden``, ``het museum Boijmans``) names
something else and is none. Plurals are none but where a language says ``archives`` of one. No pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.facts.vocabulary import TypeLetter


class Nominal(NamedTuple):
    """A definite short form, ``text[start:end]``, and the type letter of what it can stand for."""

    start: int
    end: int
    letter: TypeLetter


class _Language(NamedTuple):
    """How a language says it.

    Attributes:
        determiners: What may stand ahead, with the blank behind it.
        nouns: By type letter.
        continued: Words behind it that make it another thing.
    """

    determiners: str
    nouns: tuple[tuple[TypeLetter, str], ...]
    continued: str


_LANGUAGES = (
    _Language(
        r"(?:het|de|dit|dat|deze|die)\s+",
        (("M", "museum"), ("A", "archief"), ("L", "bibliotheek"), ("G", "galerie|galerij")),
        "van|voor",
    ),
    _Language(
        r"(?:the|this|that)\s+",
        (("M", "museum"), ("A", "archives?"), ("L", "library"), ("G", "gallery")),
        "of|for|at",
    ),
    _Language(
        r"(?:das|dem|des|die|der|diese[sr]?|diesem)\s+",
        (("M", "museums?"), ("A", "archivs?"), ("L", "bibliothek"), ("G", "galerie")),
        "von|vom|der|des|für|zu",
    ),
    _Language(
        r"(?:(?:le|la|les|ce|cette|ces|du|au|aux)\s+|l['’])",
        (("M", "musée"), ("A", "archives?"), ("L", "bibliothèque"), ("G", "galerie")),
        "de|du|des|d['’]",
    ),
    _Language(
        r"(?:el|la|este|esta|del|al)\s+",
        (("M", "museo"), ("A", "archivo"), ("L", "biblioteca"), ("G", "galería")),
        "de|del|para",
    ),
)


def _pattern(language: _Language, noun: str) -> re.Pattern[str]:
    continued = rf"(?!\s+(?:{language.continued})\b)" if language.continued else ""
    # A capital behind it begins a name; case of the rest does not matter, so it is switched on in groups.
    name = r"(?!\s+['‘’\"“„]?[^\W\d_a-zà-öø-ÿ])"
    return re.compile(rf"(?i:\b{language.determiners}(?:{noun})\b){name}(?i:{continued})(?!-\w)")


_PATTERNS = tuple(
    (letter, _pattern(language, noun)) for language in _LANGUAGES for letter, noun in language.nouns
)


def nominals_in(text: str) -> Iterator[Nominal]:
    """The definite short forms of a text, by place; of two at one place the first listed."""
    found: dict[int, Nominal] = {}
    for letter, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            found.setdefault(match.start(), Nominal(match.start(), match.end(), letter))
    yield from (found[start] for start in sorted(found))
