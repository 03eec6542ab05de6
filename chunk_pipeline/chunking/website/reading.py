"""A web page as its reader sees it, and more: all its character data, hidden text and scripts among it.

What is left out is markup: tags with their attributes, comments, declarations. Between two block elements
stands a line break, as a browser would show it. What does not belong here: what is hidden (``chrome``).
"""

from __future__ import annotations

import json
import re

import numpy as np

from chunk_pipeline.chunking.chunk import Skip, Span, UnparsableError
from chunk_pipeline.chunking.reading import Offsets, Reading
from chunk_pipeline.chunking.website.limits import MOST_CHARACTERS, MOST_ELEMENTS, MOST_TEXT
from chunk_pipeline.chunking.website.scanning import Data, Tag, Unclosed, references, scan

_INLINE_NAMES = """
a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark meter nobr output q
rb rp rt ruby s samp small span strike strong sub sup time tspan tt u var wbr
"""
INLINE = frozenset(_INLINE_NAMES.split())
"""Elements that break no line and no word."""

_BLOCK_NAMES = """
address article aside base blockquote body br button canvas caption center col colgroup dd details
dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
head header hgroup hr html iframe img input legend li link main map menu meta nav noframes noscript
object ol optgroup option p param picture pre script search section select slot source style summary
svg table tbody td template textarea tfoot th thead title tr track ul video
"""
_BLOCK = frozenset(_BLOCK_NAMES.split())
_DOCTYPE = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+|<!--.*?-->\s*+)*+<!doctype\s+html", re.IGNORECASE | re.DOTALL
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_MOST_CONTROLS = 0.01
_LIKE_A_TAG = re.compile(r"<[a-zA-Z]")
_ONCE = frozenset({"body", "head", "html"})
"""Elements of which a page has one, however often they are opened."""


def read_html(text: str) -> Reading:
    """The character data of a page.

    Args:
        text: The stored page.

    Raises:
        UnparsableError: It is no HTML, or larger than ``limits`` allow.
    """
    require_html(text)
    reading = _read(text)
    if len(reading.text) > MOST_TEXT:
        raise UnparsableError(
            f"{len(reading.text)} characters of text; a page may have {MOST_TEXT}: split it or exclude it"
        )
    return reading


def unclosed(text: str) -> tuple[Skip, ...]:
    """The tag or comment that swallows the rest of a page because it is never closed, if there is one."""
    return tuple(
        Skip(Span(token.start, token.end), f"unclosed {token.what}")
        for token in scan(text)
        if isinstance(token, Unclosed)
    )


def require_html(text: str) -> None:
    """Refuse what is no page: Docling calls JSON, binaries and nothing at all a success.

    Raises:
        UnparsableError: With what the text is instead, as far as that can be told.
    """
    if not text.strip():
        raise UnparsableError("the page is empty")
    if len(text) > MOST_CHARACTERS:
        raise UnparsableError(
            f"{len(text)} characters; a page may have {MOST_CHARACTERS}: split it or exclude it"
        )
    controls = sum(1 for _ in _CONTROL.finditer(text))
    if controls > len(text) * _MOST_CONTROLS:
        raise UnparsableError(f"not HTML: {controls} control characters; it is a binary file")
    if text.lstrip()[0] in "{[" and _is_json(text):
        raise UnparsableError("not HTML: it is JSON; name it .json")
    if not _DOCTYPE.match(text) and not _begins_with_html(text):
        raise UnparsableError(
            "not HTML: its first tag is no element of HTML, and there is no <!doctype html>"
        )

    _require_few_elements(text)


def _require_few_elements(text: str) -> None:
    """Refuse a page by its start tags, each of which is an element, before any of it is built.

    Raises:
        UnparsableError: There are too many.
    """
    if sum(1 for _ in _LIKE_A_TAG.finditer(text)) <= MOST_ELEMENTS:
        return
    count = 0
    for token in scan(text):
        count += isinstance(token, Tag) and not token.closes and token.name not in _ONCE
        if count > MOST_ELEMENTS:
            raise UnparsableError(too_many_elements())


def too_many_elements() -> str:
    """The reason for a page with more elements than ``limits`` allow."""
    return f"more than {MOST_ELEMENTS} elements: split the page or exclude it"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _begins_with_html(text: str) -> bool:
    for token in scan(text):
        if isinstance(token, Tag) and not token.closes:
            return token.name in _BLOCK or token.name in INLINE or "-" in token.name
    return False


class _Text:
    """Characters with their offsets, as they are gathered."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._starts: list[Offsets] = []
        self._ends: list[Offsets] = []

    def add_slice(self, text: str, start: int, end: int) -> None:
        """Characters that stand for themselves."""
        if start < end:
            self._parts.append(text[start:end])
            self._starts.append(np.arange(start, end, dtype=np.int64))
            self._ends.append(np.arange(start + 1, end + 1, dtype=np.int64))

    def add(self, characters: str, start: int, end: int) -> None:
        """Characters for which the whole stretch stands."""
        self._parts.append(characters)
        self._starts.append(np.full(len(characters), start, dtype=np.int64))
        self._ends.append(np.full(len(characters), end, dtype=np.int64))

    def reading(self) -> Reading:
        """What was gathered."""
        nothing = np.zeros(0, dtype=np.int64)
        return Reading(
            "".join(self._parts),
            np.concatenate(self._starts) if self._starts else nothing,
            np.concatenate(self._ends) if self._ends else nothing,
        )


def _read(text: str) -> Reading:
    found = _Text()
    for token in scan(text):
        if isinstance(token, Data):
            place = token.start
            for reference in references(text, *token[:2]) if token.references else ():
                found.add_slice(text, place, reference.start)
                found.add(reference.text, reference.start, reference.end)
                place = reference.end
            found.add_slice(text, place, token.end)
        elif isinstance(token, Tag) and token.name not in INLINE:
            found.add("\n", token.start, token.start)
    return found.reading()
