"""What a Vue component is called, in words: a model of language knows words, not ``KColorScale``."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


def component_words(path: str) -> str:
    """The name of the component in that file as words in lower case, one-letter words left out.

    It is the file's name, or the folder's where that is ``index``: ``forms/KColorScale.vue`` gives
    ``color scale``. Empty where no word is left.
    """
    place = PurePosixPath(path)
    name = place.parent.name if place.stem.lower() == "index" and place.parent.name else place.stem
    return " ".join(word.lower() for word in split_words(name) if len(word) > 1)


def split_words(name: str) -> list[str]:
    """The words of a name in camel, Pascal, kebab or snake case; a run of capitals is one word."""
    return [match[0] for match in _WORD.finditer(name)]
