"""Files that differ only in the language that their paths name: ``about.nl.md`` and ``about.en.html``."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import NamedTuple

_NAMES = MappingProxyType(
    {
        "de": ("de", "deu", "ger", "german", "deutsch", "duits"),
        "en": ("en", "eng", "english", "engels", "englisch"),
        "es": ("es", "spa", "spanish", "español", "espanol", "spaans"),
        "fr": ("fr", "fra", "fre", "french", "français", "francais", "frans"),
        "it": ("it", "ita", "italian", "italiano", "italiaans"),
        "nl": ("nl", "nld", "dut", "dutch", "nederlands", "niederländisch"),
        "pt": ("pt", "por", "portuguese", "português", "portugees"),
    }
)
_LANGUAGE = MappingProxyType({name: code for code, names in _NAMES.items() for name in names})
_PART = re.compile(r"[^/_.\s-]+")


class LanguagePath(NamedTuple):
    """A path that names a language.

    Attributes:
        base: The path with ``*`` in place of the language and without its suffix.
        language: ISO 639-1.
    """

    base: str
    language: str


def language_path(path: str) -> LanguagePath | None:
    """The language that a path names as a folder or as a part of a name; nothing if it names none or two.

    A part of a name ends at ``_``, ``-``, ``.``, a blank or a folder; the suffix is no part of it.
    """
    folder, slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    whole = folder + slash + stem
    found = [
        (match, code)
        for match in _PART.finditer(whole)
        if (code := _LANGUAGE.get(match[0].casefold())) is not None
    ]
    if len(found) != 1:
        return None
    match, code = found[0]
    return LanguagePath(f"{whole[: match.start()]}*{whole[match.end() :]}", code)
