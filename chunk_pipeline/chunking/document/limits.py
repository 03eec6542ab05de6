"""Markdown that Docling's parser takes minutes for, or none at all.

Its time grows with the square of what stands in one paragraph, or of what is nested. Real documents are far
from these limits. What does not belong here: what is done instead.
"""

from __future__ import annotations

import re
from typing import Final

CHARACTERS: Final = 600_000
"""Of a document: about half a minute."""

PARAGRAPH_LINES: Final = 5_000
PARAGRAPH_MARKS: Final = 3_000
"""Lines, and marks of links, emphasis, code and tags, with no blank line between."""

REFERENCES: Final = 2_000
"""Definitions of links."""

DEPTH: Final = 100
"""Quotes or HTML elements inside each other."""

_BLANK = re.compile(r"\n[^\S\n]*\n")
_MARK = re.compile(r"[\[*`<~]")
_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:", re.MULTILINE)
_QUOTES = re.compile(rf"(?:>[ \t]*){{{DEPTH},}}")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "td",
        "th",
        "tr",
        "dt",
        "dd",
    ]
)
"""Elements that need no end tag."""


def too_much(text: str) -> str:
    """Why a Markdown text is not given to Docling; empty where it is."""
    if len(text) > CHARACTERS:
        return f"{len(text)} characters, over {CHARACTERS}"
    for paragraph in _BLANK.split(text):
        if paragraph.count("\n") > PARAGRAPH_LINES:
            return f"over {PARAGRAPH_LINES} lines without a blank one"
        if len(paragraph) > PARAGRAPH_MARKS and len(_MARK.findall(paragraph)) > PARAGRAPH_MARKS:
            return f"over {PARAGRAPH_MARKS} marks without a blank line"
    if len(_REFERENCE.findall(text)) > REFERENCES:
        return f"over {REFERENCES} definitions of links"
    if _QUOTES.search(text) or _is_deep(text):
        return f"over {DEPTH} quotes or elements inside each other"
    return ""


def _is_deep(text: str) -> bool:
    depth = 0
    for closing, name in _TAG.findall(text):
        if name.lower() not in _VOID:
            depth = max(0, depth - 1) if closing else depth + 1
        if depth > DEPTH:
            return True
    return False
