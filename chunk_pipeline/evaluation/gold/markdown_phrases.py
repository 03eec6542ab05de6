"""The words that a person looks up in documentation: titles, symbols and section headings of Markdown files.

The rules are the reference study's; where its description leaves a choice, the one that gives its counts
on the 139 files of ``kdk/docs`` is taken (112 titles, 266 symbols, 61 sections). A phrase is keyed by its
text in lower case: files that share it are its sources together, and it is of the kind that comes first,
title before symbol before section. Which spans answer is each route's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import Block, blocks, front_title, plain

TITLE_SHORTEST = 5
"""Characters of the shortest title: below, one common word (API, Time, User)."""

SYMBOL_SHORTEST = 4
"""Characters of the shortest symbol."""

SYMBOLS = 4
"""Symbols taken from a file, the most frequent first."""

SECTION_SHORTEST = 6
"""Characters of the shortest section heading."""

SECTION_DEEPEST = 3
"""Level of the deepest heading that is a section."""

SECTIONS = 2
"""Section headings taken from a file, in its order."""

SCRIPTS = frozenset({"html", "javascript", "js", "jsx", "mjs", "ts", "tsx", "typescript", "vue"})
"""Languages of the fences that declare symbols; a diagram's ``class`` is none."""

_GENERIC = """example, example usage, examples, exposed, function, functions, introduction, lifecycle,
methods, options, overview, parameters, properties, props, see also, table of contents, usage"""
GENERIC_HEADINGS = frozenset(_GENERIC.replace("\n", " ").split(", "))
"""Headings that every page has: they tell nothing."""

_BLOCKED = """abstract apply array arraybuffer async atob await bigint boolean break btoa buffer catch class
clearinterval cleartimeout console const constructor continue date debugger decodeuri
decodeuricomponent default delete describe document else encodeuri encodeuricomponent enum error
eval event expect exports extends false fetch finally float32array float64array function global
globalthis implements import infinity instanceof int32array interface isfinite isnan json
localstorage location math module navigator null number object package parsefloat parseint private
process promise protected proxy public queuemicrotask rangeerror referenceerror reflect regexp
require return sessionstorage setinterval settimeout static string structuredclone super switch
symbol syntaxerror this throw true typeerror typeof uint8array undefined void weakmap weakref
weakset while window with yield callback data item items list name options params query response
result results user users value values"""
BLOCKED = frozenset(_BLOCKED.split())
"""JavaScript's keywords and globals, and the names that examples give to any value; in lower case."""

_NAME = r"([A-Za-z_$][\w$]*)"
_CALLED = (re.compile(rf"\*\*{_NAME}\s*\("), re.compile(rf"`(?:async\s+)?{_NAME}\("))
_DECLARED = re.compile(rf"\b(?:function|class|const|let)\s+{_NAME}")


@dataclass(slots=True)
class Phrase:
    """A title, symbol or heading, with the documents that it is from.

    Attributes:
        text: As first seen.
        kind: ``title``, ``symbol`` or ``section``.
        sources: Place in the documents, and the text as it is there.
    """

    text: str
    kind: str
    sources: list[tuple[int, str]] = field(default_factory=list)


def phrases(documents: Sequence[Document], parsed: Sequence[Sequence[Block]]) -> list[Phrase]:
    """Titles, then symbols, then sections of all documents, each kind in the order of first sight.

    Args:
        documents: Markdown files.
        parsed: Their blocks.
    """
    known: dict[str, Phrase] = {}

    def add(kind: str, place: int, text: str) -> None:
        phrase = known.setdefault(text.lower(), Phrase(text, kind))
        phrase.sources.append((place, text))

    for place, document in enumerate(documents):
        if title := _title(document, parsed[place]):
            add("title", place, title)
    for place, document in enumerate(documents):
        for symbol in symbols(document.text, parsed[place]):
            add("symbol", place, symbol)
    for place in range(len(documents)):
        taken = 0
        for heading in headings(parsed[place]):
            kind = known[heading.lower()].kind if heading.lower() in known else "section"
            # What is a title or a symbol already does not take a heading's place.
            if kind == "title" or (kind == "section" and taken < SECTIONS):
                taken += kind == "section"
                add("section", place, heading)
    return list(known.values())


def parse_all(documents: Sequence[Document]) -> list[list[Block]]:
    """The blocks of each document."""
    return [blocks(document.text) for document in documents]


def symbols(text: str, parsed: Sequence[Block]) -> list[str]:
    """The most frequent symbols: bold ``name(``, inline code ``name(``, declarations in fences of scripts."""
    found = Counter(match[1] for pattern in _CALLED for match in pattern.finditer(text))
    for block in parsed:
        if block.kind == "fence" and block.language in SCRIPTS:
            found.update(_DECLARED.findall(block.text))
    usable = (
        (name, count)
        for name, count in found.items()
        if len(name) >= SYMBOL_SHORTEST and name.lower() not in BLOCKED
    )
    return [name for name, _ in sorted(usable, key=lambda each: -each[1])[:SYMBOLS]]


def headings(parsed: Sequence[Block]) -> Iterator[str]:
    """Section headings that say something: not generic, no symbol's signature, no link to another page."""
    for block in parsed:
        text = plain(block.text)
        if (
            1 < block.level <= SECTION_DEEPEST
            and "`" not in block.text
            and "](" not in block.text
            and len(text) >= SECTION_SHORTEST
            and text.lower() not in GENERIC_HEADINGS
        ):
            yield text


def title_of(document: Document, parsed: Sequence[Block]) -> str:
    """The first heading of level 1, else the front matter's title, else nothing."""
    return next((plain(block.text) for block in parsed if block.level == 1), front_title(document.text))


def _title(document: Document, parsed: Sequence[Block]) -> str:
    title = title_of(document, parsed)
    return title if len(title) >= TITLE_SHORTEST and title.lower() not in GENERIC_HEADINGS else ""
