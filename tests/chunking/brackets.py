"""A language of words in brackets, to test the region cutter without a grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from chunk_pipeline.chunking.regions import Region

PAIRS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(r"[()\[\]{}]|[^\s()\[\]{}]+")


def balanced(text: str) -> bool:
    """Whether every bracket is closed by its own kind, in order."""
    stack: list[str] = []
    for token in _TOKEN.findall(text):
        if token in PAIRS:
            stack.append(PAIRS[token])
        elif token in PAIRS.values() and (not stack or stack.pop() != token):
            return False
    return not stack


def regions(text: str, deepest: int | None = None, alone: str = "") -> Region:
    """A balanced text as regions.

    Args:
        text: The text.
        deepest: Brackets that an opening has at most; a region below stands alone.
        alone: Kinds of brackets, opening ones, that always stand alone.
    """
    top: list[Region] = []
    stack = [_Open(0, "", "", False, top)]
    for token in _TOKEN.finditer(text):
        word, outer = token[0], stack[-1]
        if word in PAIRS:
            apart = word in alone or (deepest is not None and len(outer.opening) >= deepest)
            opening, closing = ("", "") if apart else (outer.opening, outer.closing)
            stack.append(_Open(token.start(), opening + word, PAIRS[word] + closing, apart, []))
        elif word in PAIRS.values():
            stack.pop()
            region = Region(
                outer.start, token.end(), _given(outer.parts), outer.opening, outer.closing, outer.opening
            )
            if outer.alone:
                region = Region(outer.start, token.end(), _given([region]), alone=True)
            stack[-1].parts.append(region)
        else:
            outer.parts.append(Region(token.start(), token.end()))
    return Region(0, len(text), _given(top))


class _Open(NamedTuple):
    start: int
    opening: str
    closing: str
    alone: bool
    parts: list[Region]


def _given(parts: list[Region]) -> Callable[[], list[Region]]:
    return lambda: parts
