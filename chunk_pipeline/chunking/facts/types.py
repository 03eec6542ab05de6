"""Type letters of custodians from letters, class names and words in Dutch, English, German and French."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast, get_args

from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.facts.type_words import ENDINGS, LETTER_OF
from chunk_pipeline.chunking.facts.vocabulary import TypeLetter

_LETTERS = frozenset(get_args(TypeLetter))
_SEPARATOR = re.compile(r"[;,|]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Letters:
    """What a record's type values say.

    Attributes:
        letters: Type letters, sorted.
        warnings: Values that are no type, as ``unknown_type: value``.
        primary: ``X`` if it is among them, else the first that was given; nothing without any.
    """

    letters: tuple[TypeLetter, ...]
    warnings: tuple[str, ...]
    primary: TypeLetter | None


def type_letters(values: Iterable[str]) -> Letters:
    """Read type values; what is unknown becomes ``U`` with a warning.

    Args:
        values: Letters (``M``), class names (``MuseumType``, ``hc:MuseumType`` or its address), or words
            (``Streekarchief``); each may hold several between commas, semicolons or bars. A text counts as
            one value, or as its letters if it is made of them (the types of a GHCID).
    """
    given = [values] if isinstance(values, str) else list(values)
    found: dict[TypeLetter, None] = {}
    warnings: dict[str, None] = {}
    for value in given:
        for part in _parts(value):
            letters = _letters(part)
            if not letters:
                warnings[f"unknown_type: {part[:_LONGEST]}"] = None
            found |= dict.fromkeys(letters or ("U",))
    first = next(iter(found), None)
    return Letters(
        cast(tuple[TypeLetter, ...], tuple(sorted(found))), tuple(warnings), "X" if "X" in found else first
    )


def _parts(value: str) -> list[str]:
    """A value whole where it is known, else what stands between its separators; blanks are none."""
    whole = value.strip()
    if not whole or _letters(whole):
        return [whole] if whole else []
    return [part.strip() for part in _SEPARATOR.split(whole) if part.strip()]


def _letters(value: str) -> tuple[TypeLetter, ...]:
    name = value.rstrip("/").rsplit("/", 1)[-1] if "://" in value else value.rpartition(":")[2]
    words = fold(_CAMEL.sub(" ", name))[:_LONGEST]
    if words in LETTER_OF:
        return (LETTER_OF[words],)
    bare = re.sub(r"(?: ?type| custodian)+$", "", words)
    if bare in LETTER_OF:
        return (LETTER_OF[bare],)
    letters = name.strip()
    if letters and len(set(letters)) == len(letters) <= 6 and set(letters) <= _LETTERS:
        return cast(tuple[TypeLetter, ...], tuple(letters))
    return _by_ending(words)


def _by_ending(words: str) -> tuple[TypeLetter, ...]:
    """Letters of compounds such as ``streekarchief`` and of names such as ``museum of toys``."""
    found: dict[TypeLetter, None] = {}
    for word in words.split():
        for ending, letter in ENDINGS.items():
            if word.endswith(ending):
                found[letter] = None
    return tuple(found)
