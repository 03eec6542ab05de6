"""Text to the terms of BM25, for prose and records in several languages: what heritage sources are.

The words of code (``tokenizer``) end at an accented letter and at the seams of camel case, as the reference
study has them; here they must not: ``Musée`` and ``musee`` are one word. Case and accents are folded (Unicode
NFKC, then case folding), and nothing is stemmed: a stemmer knows one language. Words joined without a space,
as identifiers are (``NL-HaNA``, ``2.14.04``), give the whole as a term beside their parts, in a text as in a
query: the whole finds the one record, the parts find it for who knows only half of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from chunk_pipeline.corpus.categories import HERITAGE
from chunk_pipeline.retrieval.tokenizer import MARKS, UNSPACED, tokenize

PROSE_CATEGORIES = frozenset(HERITAGE)
"""Categories whose texts are counted in these terms; all others are in the words of code."""

LONGEST_WHOLE = 64
"""Characters of a joined word; a longer one is a path or data, and only its parts are terms."""

_ACCENTS = re.compile(r"[\u0300-\u036f]+")
"""Marks of Latin, Greek and Cyrillic letters; vowel signs of other scripts are more than accents."""

_LETTERS = rf"[^\W_](?:[^\W_]|[{MARKS}])*"
_JOINED = re.compile(rf"{_LETTERS}(?:[-./_:]{_LETTERS})*")
_PART = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}](?:[^\W_{UNSPACED}]|[{MARKS}])*")
_UNSPACED_START = re.compile(rf"[{UNSPACED}]")
_PLAIN = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not take apart."""


class Terms(NamedTuple):
    """A query in both kinds of terms: each chunk is asked in the terms that its text was counted in."""

    code: Sequence[str]
    prose: Sequence[str]


def terms_of(query: str) -> Terms:
    """The terms of a query."""
    return Terms(tokenize(query), prose_terms(query))


def prose_terms(text: str) -> list[str]:
    """The terms of a text, in order, with repeats.

    A joined word comes before its parts. Terms of one character are dropped; Chinese and Japanese give pairs
    of neighbouring characters.
    """
    terms: list[str] = []
    for joined in _JOINED.findall(folded(text)):
        parts = _PART.findall(joined)
        if len(parts) > 1 and len(joined) <= LONGEST_WHOLE:
            terms.append(joined)
        for part in parts:
            if _UNSPACED_START.match(part):
                terms.extend(part[place : place + 2] for place in range(len(part) - 1))
            else:
                terms.append(part)
    return [term for term in terms if len(term) > 1]


def folded(text: str) -> str:
    """A text without case and accents; its punctuation stays."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN)
    apart = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart))
