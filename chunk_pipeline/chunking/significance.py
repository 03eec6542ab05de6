"""Which characters of a document a chunker must not lose.

White space is never counted. In JSON the structural characters outside strings say nothing either: a tree
strategy writes its own. What does not belong here: what was lost.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import numpy.typing as npt

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.json.lines import parse_json_lines
from chunk_pipeline.chunking.json.tree import validate_json

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_STRUCTURAL = "[]{}:,"
_BEHIND_WHITE_SPACE = 0x3001
"""The last character that ``str.isspace`` takes is U+3000."""

Flags = npt.NDArray[np.bool_]
"""One flag for each character."""


def solid(text: str) -> Flags:
    """For each character of the text, whether it is no white space (as ``str.isspace`` has it)."""
    # All codes behind the table are clipped to its last.
    return np.take(_solid_codes(), _codes(text), mode="clip")


def significant(text: str, format: str) -> Flags:
    """For each character of the text, whether it counts.

    Args:
        text: The document.
        format: ``json`` leaves out ``[ ] { } : ,`` outside strings (RFC 8259, section 2) where the document
            is JSON or JSON Lines; anything else counts all characters that are not white space.

    Returns:
        Booleans, one for each character.
    """
    counted = solid(text)
    if format == "json" and _is_json(text):
        counted &= _in_strings(text) | ~np.isin(_codes(text), [ord(character) for character in _STRUCTURAL])
    return counted


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), dtype=np.uint32)


@cache
def _solid_codes() -> Flags:
    """By code point up to the last that is white space, and one more that stands for all behind."""
    return np.array([not chr(code).isspace() for code in range(_BEHIND_WHITE_SPACE + 1)])


def _in_strings(text: str) -> Flags:
    """Whether a character of a JSON text is inside a string, quotes included."""
    edges = [edge for string in _STRING.finditer(text) for edge in string.span()]
    # Two strings are never adjacent, so no edge stands twice.
    steps = np.zeros(len(text) + 1, dtype=np.int8)
    steps[edges[::2]] = 1
    steps[edges[1::2]] = -1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0


def _is_json(text: str) -> bool:
    try:
        validate_json(text)
    except UnparsableError:
        return parse_json_lines(text) is not None
    return True
