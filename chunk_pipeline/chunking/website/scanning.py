"""HTML cut into character data and markup, with the source offset of every character.

lxml builds the tree but keeps no offsets, so the source is scanned once more, by the same rules: the
tokenization of the HTML standard (https://html.spec.whatwg.org/multipage/parsing.html#tokenization) as
libxml2 2.14 has it, which honours ``/>`` on any element. Linear in the length of the text. What does not
belong here: the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.entities import html5
from typing import NamedTuple

_SPACE = r"\t\n\f\r "
_TAG = re.compile(
    rf"<(?P<close>/?)(?P<name>[a-zA-Z][^{_SPACE}/>]*+)"
    rf"(?:[{_SPACE}/]++"
    rf"|(?:=[^{_SPACE}/>=]*+|[^{_SPACE}/>=]++)"
    rf"(?:[{_SPACE}]*+=[{_SPACE}]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|(?![\"'])[^{_SPACE}>]*+))?+"
    r")*+(?P<end>>|\Z)"
)
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT_STEP = re.compile(r"<!--|-->|<script(?=[\t\n\f\r />])|</script(?=[\t\n\f\r />])", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]++;?+|#[0-9]++;?+|[a-zA-Z][a-zA-Z0-9]*+;?+)")
_LONGEST_REFERENCE = max(map(len, html5)) + 1

RAW = frozenset({"iframe", "noembed", "noframes", "script", "style", "xmp"})
"""Elements whose text holds no markup and no references."""
ESCAPABLE = frozenset({"textarea", "title"})
"""Elements whose text holds no markup, but references."""


class Data(NamedTuple):
    """A stretch ``[start, end)`` of character data, none of which is a reference unless ``references``."""

    start: int
    end: int
    references: bool


class Tag(NamedTuple):
    """A start or end tag at ``[start, end)``; the name is in lower case."""

    start: int
    end: int
    name: str
    closes: bool


class Unclosed(NamedTuple):
    """A tag or comment that runs to the end of the text, which no browser shows either."""

    start: int
    end: int
    what: str


Token = Data | Tag | Unclosed


class Reference(NamedTuple):
    """A character reference at ``[start, end)`` and the characters that it stands for."""

    start: int
    end: int
    text: str


def scan(text: str) -> Iterator[Token]:
    """The tokens of a page in their order; comments and declarations are left out."""
    place = 0
    while place < len(text):
        opening = text.find("<", place)
        if opening < 0:
            yield Data(place, len(text), True)
            return
        if opening > place:
            yield Data(place, opening, True)
        tag = _TAG.match(text, opening)
        if tag is None:
            token, place = _other(text, opening)
            if token:
                yield token
            continue
        place = tag.end()
        if not tag["end"]:
            yield Unclosed(opening, place, "tag")
            return
        name = tag["name"].lower()
        yield Tag(opening, place, name, bool(tag["close"]))
        if not tag["close"] and not text.endswith("/>", opening, place):
            behind = _content_end(text, place, name)
            if behind > place:
                yield Data(place, behind, name in ESCAPABLE)
                place = behind


def references(text: str, start: int, end: int) -> Iterator[Reference]:
    """The character references in a stretch of character data."""
    for found in _REFERENCE.finditer(text, start, end):
        written = found[0]
        if written[1] == "#":
            yield Reference(found.start(), found.end(), unescape(written) or "\ufffd")
            continue
        for length in range(min(len(written), _LONGEST_REFERENCE), 2, -1):
            meant = html5.get(written[1:length])
            if meant:
                yield Reference(found.start(), found.start() + length, meant)
                break


def _other(text: str, opening: int) -> tuple[Token | None, int]:
    """What a ``<`` that begins no tag begins: a comment or declaration, or nothing, and then it is text."""
    if text.startswith("<!--", opening):
        return _comment(text, opening)
    is_declaration = text.startswith(("<!", "<?"), opening)
    if not is_declaration and (not text.startswith("</", opening) or opening + 2 == len(text)):
        return Data(opening, opening + 1, False), opening + 1
    behind = text.find(">", opening + 2) + 1
    return (None, behind) if behind else (Unclosed(opening, len(text), "declaration"), len(text))


def _comment(text: str, opening: int) -> tuple[Token | None, int]:
    for short in ("<!-->", "<!--->"):
        if text.startswith(short, opening):
            return None, opening + len(short)
    end = _COMMENT_END.search(text, opening + 4)
    return (None, end.end()) if end else (Unclosed(opening, len(text), "comment"), len(text))


def _content_end(text: str, start: int, name: str) -> int:
    """Where the text of an element without markup ends; ``start`` for any other element."""
    if name == "plaintext":
        return len(text)
    if name == "script":
        return _script_end(text, start)
    if name not in RAW and name not in ESCAPABLE:
        return start
    end = re.compile(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE).search(text, start)
    return end.start() if end else len(text)


def _script_end(text: str, start: int) -> int:
    """Behind a script's text: an end tag inside ``<!-- <script>`` does not end it."""
    escaped, doubly, place = False, False, start
    while step := _SCRIPT_STEP.search(text, place):
        what, place = step[0].lower(), step.end()
        if what == "<!--":
            # The dashes that open it may close it: ``<!-->``.
            escaped, place = True, step.end() - 2
        elif what == "-->":
            escaped = doubly = False
        elif what == "<script":
            doubly = escaped
        elif doubly:
            doubly = False
        else:
            return step.start()
    return len(text)
