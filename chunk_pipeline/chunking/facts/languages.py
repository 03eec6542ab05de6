"""The language of a text, where it can be told.

A naive Bayes classifier over byte n-grams (Lui and Baldwin, langid.py, ACL 2012) is asked about a few
languages only: with all that it knows, names and titles make it guess rare ones.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt")
"""ISO 639-1 codes of the languages that are told apart."""

FEWEST_LETTERS = 20
"""Letters from which a text is looked at."""

SUREST = 0.9
"""Share of the probability that a language must have."""

_READ = 5_000
_ADDRESS = re.compile(r"\S*[/@]\S*|\S*_\S*")


def detect_language(text: str) -> str | None:
    """The ISO 639-1 code of a text's language; nothing for short, mixed or uncertain texts.

    Args:
        text: Any text; its first ``5000`` characters are read, without addresses and identifiers.
    """
    words = _ADDRESS.sub(" ", text[:_READ])
    letters = [each for each in words if each.isalpha()]
    latin = sum(each < "ɐ" for each in letters)
    if latin < FEWEST_LETTERS or latin * 2 < len(letters):
        return None
    language, share = _identifier().classify(words)
    return str(language) if share >= SUREST else None


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    return identifier
