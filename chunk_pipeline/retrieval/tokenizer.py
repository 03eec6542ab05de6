"""Text to the terms of BM25: the words of code, in any language.

The reference study splits on everything but the letters and digits of ASCII, and its figures hold only with
that: an accented letter ends a word (``activité`` → ``activit``), in a query as in a chunk. Letters of other
scripts are words of their own here, with their vowel signs; Chinese and Japanese, written without spaces,
give pairs of neighbouring characters (as Lucene's CJKAnalyzer). Counting and scoring belong in ``bm25``.
"""

from __future__ import annotations

import re
import unicodedata

_LATIN = r"\u00aa-\u024f\u1e00-\u1eff"
"""Latin letters beyond ASCII: they end a word, as in the reference."""

UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""Kana and Chinese characters."""

_PLANES_WITH_MARKS = (range(0x300, 0x30000), range(0xE0000, 0xE1000))
"""All others hold Chinese characters, or nothing, or what is private: looking through them takes a while."""

MARKS = "".join(
    chr(code)
    for plane in _PLANES_WITH_MARKS
    for code in plane
    if unicodedata.category(chr(code)) in {"Mn", "Mc"}
)
"""Vowel signs and other marks that belong to the letter before them."""

_LETTER = rf"[^\W_A-Za-z0-9{_LATIN}{UNSPACED}]"
_WORD = re.compile(rf"[A-Za-z0-9]+|[{UNSPACED}]+|{_LETTER}(?:{_LETTER}|[{MARKS}])*")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED_START = re.compile(rf"[{UNSPACED}]")


def tokenize(text: str) -> list[str]:
    """The terms of a text, in order, with repeats.

    Splits on what is neither letter nor digit, then at the seams of camel case (``XMLHttpRequest`` → ``xml``,
    ``http``, ``request``); lower-cased; terms of one character are dropped.
    """
    words: list[str] = (
        _ASCII_WORD.findall(text) if text.isascii() else _WORD.findall(unicodedata.normalize("NFC", text))
    )
    terms: list[str] = []
    for word in words:
        if word.islower():
            terms.append(word)
        elif _UNSPACED_START.match(word):
            terms.extend(word[place : place + 2] for place in range(len(word) - 1))
        else:
            terms.extend(part.lower() for part in _SEAM.split(word))
    return [term for term in terms if len(term) > 1]
