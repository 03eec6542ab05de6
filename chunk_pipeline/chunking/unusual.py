"""Which documents are cut in a process of their own: those that might take a parser minutes, or break it.

Every grammar has texts that cost more than their length: nested without end, or opened and never closed. The
tests of bad inputs hold every strategy to seconds for such texts up to ``LARGE``, so that what is smaller is
cut where it is and pays nothing. What does not belong here: cutting.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from chunk_pipeline.chunking.chunk import Document

LARGE = 100_000
"""Characters of a document; few that people write have more."""

DEEP = 200
"""Brackets inside each other."""

_PAIRS = ("()", "[]", "{}")


def is_unusual(document: Document) -> bool:
    """Whether a document is so large, or so deep, that it is cut in a process of its own."""
    size = len(document.text) + len(document.structure)
    return size > LARGE or (size > DEEP and _is_deep(document.text))


def _is_deep(text: str) -> bool:
    """Whether brackets of a kind stand more than ``DEEP`` inside each other, or are left open."""
    return any(text.count(pair[0]) > DEEP and _depth(text, pair) > DEEP for pair in _PAIRS)


def _depth(text: str, pair: str) -> int:
    """The most brackets of a kind that are open at once, quotes and comments not looked at."""
    brackets = text.encode(errors="surrogatepass").translate(None, _others(pair))
    steps = np.where(np.frombuffer(brackets, dtype=np.uint8) == ord(pair[0]), 1, -1)
    depths = np.cumsum(steps, dtype=np.int64)
    # Brackets that close what is not open must not hide those that open.
    return int((depths - np.minimum.accumulate(np.minimum(depths, 0))).max())


@cache
def _others(pair: str) -> bytes:
    """All bytes but those of a pair."""
    return bytes(each for each in range(256) if chr(each) not in pair)
