"""Which characters of a document a chunker must not lose.

White space is never counted. In JSON the structural characters outside strings say nothing either: a tree
strategy writes its own. What does not belong here: what was lost.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.json_lines import parse_json_or_lines

_SOLID = re.compile(r"\S+")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_STRUCTURAL = re.compile(r"[\[\]{}:,]+")


def significant(text: str, format: str) -> npt.NDArray[np.bool_]:
    """For each character of the text, whether it counts.

    Args:
        text: The document.
        format: ``json`` leaves out ``[ ] { } : ,`` outside strings (RFC 8259, section 2) where the document
            is JSON or JSON Lines; anything else counts all characters that are not white space.

    Returns:
        Booleans, one for each character.
    """
    counted = np.zeros(len(text), dtype=np.bool_)
    for match in _SOLID.finditer(text):
        counted[match.start() : match.end()] = True
    if format == "json" and _is_json(text):
        position = 0
        for string in _STRING.finditer(text):
            _clear(counted, text, position, string.start())
            position = string.end()
        _clear(counted, text, position, len(text))
    return counted


def _is_json(text: str) -> bool:
    try:
        parse_json_or_lines(text)
    except UnparsableError:
        return False
    return True


def _clear(counted: npt.NDArray[np.bool_], text: str, start: int, end: int) -> None:
    for match in _STRUCTURAL.finditer(text, start, end):
        counted[match.start() : match.end()] = False
