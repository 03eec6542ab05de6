"""Where Docling's own chunker would cut a web page, found again in the page by letters and digits.

Docling converts the page as it is stored, navigation and all: this is what the sections of ``website`` are
compared with. Its chunks have no offsets, so their letters are laid beside those of the page, and a word
belongs to the chunk that has its first letter. Scripts, styles and the title, which Docling never reads, are
not looked at. What does not belong here: sizes, and facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from chunk_pipeline.chunking.chunk import Skip, Span
from chunk_pipeline.chunking.docling_chunker import DoclingChunk, docling_chunks
from chunk_pipeline.chunking.document.alignment import letters
from chunk_pipeline.chunking.text.sentences import sentences
from chunk_pipeline.chunking.website.alignment import align
from chunk_pipeline.chunking.website.chrome import never_read
from chunk_pipeline.chunking.website.page import Page, Places
from chunk_pipeline.chunking.website.rendering import Body
from chunk_pipeline.chunking.website.scanning import Tag, scan
from chunk_pipeline.conversion.html_docling import HtmlConversionError, html_document

LEFT_OUT: Final = "docling leaves it out"

MOST_ELEMENTS: Final = 10_000
"""Elements of a page that Docling's chunker is given; so many take it some ten seconds."""

MOST_UNENDED: Final = 1_000
"""Paragraphs, items and cells without an end tag: Docling's parser puts each into the one before, and its
time grows with the square of them."""

_ENDS_ITSELF = frozenset({"dd", "dt", "li", "option", "p", "td", "th", "tr"})

_TOKEN = re.compile(r"\w+|[^\w\s]+")
_NOBODY = -1


class HybridChunk(NamedTuple):
    """A chunk of Docling's in the page.

    Attributes:
        path: Its headings, outermost first.
        shown: Its text with the headings that are new in it; empty where Docling made none.
        body: The text of the page that is in it.
    """

    path: tuple[str, ...]
    shown: str
    body: Body


@dataclass(frozen=True, slots=True)
class HybridPage:
    """What Docling's chunker makes of a page.

    Attributes:
        chunks: Its chunks, in the order of the page.
        skips: What none of them holds.
        fallback: Why Docling was not asked, and the page is one chunk; empty where it was.
    """

    chunks: tuple[HybridChunk, ...]
    skips: tuple[Skip, ...]
    fallback: str


def hybrid_page(text: str, page: Page, size: Callable[[str], int], most: int) -> HybridPage:
    """Docling's chunks of a page.

    Args:
        text: The page as stored.
        page: It, read.
        size: Tokens of a text.
        most: Tokens that the chunker is to put in a chunk.
    """
    read = _read_by_docling(page)
    fallback = ""
    try:
        _require_small(text, page)
        found = _chunks(text, size, most)
    except HtmlConversionError as error:
        fallback = str(error)
        found = [DoclingChunk("", ())]
        owners = np.where(read, 0, _NOBODY)
    else:
        owners = _owners(page.reading.text, read, [each.text for each in found])
    held: list[list[tuple[int, int]]] = [[] for _ in found]
    skips: list[Skip] = []
    for first, behind, owner in _runs(page.reading.text, owners):
        if owner == _NOBODY:
            starts, ends = page.reading.starts, page.reading.ends
            skips.append(Skip(Span(int(starts[first]), int(ends[behind - 1])), LEFT_OUT))
        else:
            held[owner].append((first, behind))
    return HybridPage(
        tuple(
            HybridChunk(chunk.path, chunk.text, _body(page, stretches))
            for chunk, stretches in zip(found, held, strict=True)
            if stretches
        ),
        tuple(skips),
        fallback,
    )


def _require_small(text: str, page: Page) -> None:
    """Refuse what would take Docling minutes.

    Raises:
        HtmlConversionError: With what there is too much of.
    """
    count = len(page.elements)
    if count > MOST_ELEMENTS:
        raise HtmlConversionError(f"{count} elements; Docling's chunker is given {MOST_ELEMENTS}")
    tags = [each for each in scan(text) if isinstance(each, Tag) and each.name in _ENDS_ITSELF]
    closed = sum(1 for each in tags if each.closes)
    if len(tags) - 2 * closed > MOST_UNENDED:
        raise HtmlConversionError(
            f"{len(tags) - 2 * closed} paragraphs, items and cells without an end tag; "
            f"Docling's chunker is given {MOST_UNENDED}"
        )


def _chunks(text: str, size: Callable[[str], int], most: int) -> list[DoclingChunk]:
    """The chunks, each behind the headings that it has and the one before has not.

    Raises:
        HtmlConversionError: Docling fails on the page.
    """
    from docling_core.types.doc.items.text import ListItem

    document = html_document(text)
    for item in document.texts:
        if isinstance(item, ListItem):
            item.enumerated, item.marker = False, "-"  # A number that the page has not would be a word.
    found: list[DoclingChunk] = []
    before: tuple[str, ...] = ()
    try:
        for chunk in docling_chunks(document, size, most, plain=True):
            same = 0
            while same < min(len(before), len(chunk.path)) and before[same] == chunk.path[same]:
                same += 1
            found.append(chunk._replace(text="\n".join((*chunk.path[same:], chunk.text))))
            before = chunk.path
    except (ValueError, RecursionError) as error:
        raise HtmlConversionError(f"Docling cannot cut the page: {type(error).__name__}") from error
    return found


def _read_by_docling(page: Page) -> Places:
    """For each character of the reading whether Docling may have read it."""
    read = np.zeros(len(page.reading.text), dtype=bool)
    unread = never_read(page)
    for node, owner in enumerate(page.owners):
        if not unread[owner]:
            read[page.first[node] : page.behind[node]] = True
    return read


def _owners(text: str, read: Places, chunks: Sequence[str]) -> Places:
    """For each character of the reading the chunk that has its letter or digit; -1 where none has."""
    keys = [letters(each) for each in chunks]
    of_letter = np.repeat(np.arange(len(keys)), [len(key) for key in keys])
    places = np.flatnonzero(read & np.fromiter((each.isalnum() for each in text), bool, len(text)))
    places_in_page = align("".join(keys), "".join(text[place] for place in places))
    owners = np.full(len(text), _NOBODY, dtype=np.int64)
    known = places_in_page >= 0
    owners[places[places_in_page[known]]] = of_letter[known]
    return owners


def _runs(text: str, owners: Places) -> Iterator[tuple[int, int, int]]:
    """(first, behind, owner) of the longest stretches of words and marks that have one owner."""
    run: tuple[int, int, int] | None = None
    for first, behind, owner in _owned(text, owners):
        if run and run[2] == owner:
            run = (run[0], behind, owner)
            continue
        if run:
            yield run
        run = (first, behind, owner)
    if run:
        yield run


def _owned(text: str, owners: Places) -> Iterator[tuple[int, int, int]]:
    """Words and marks with their owners: marks have that of the word on their line before or behind them."""
    tokens = [found.span() for found in _TOKEN.finditer(text)]
    own: list[int | None] = []
    for first, behind in tokens:
        known = owners[first:behind][owners[first:behind] >= 0]
        is_word = text[first].isalnum() or text[first] == "_"
        own.append(int(known[0]) if len(known) else _NOBODY if is_word else None)
    behind_of: list[int | None] = [*own, None]
    for index in range(len(tokens) - 1, -1, -1):
        if own[index] is None and behind_of[index + 1] is not None and _on_a_line(text, tokens, index):
            behind_of[index] = behind_of[index + 1]
    before: int | None = None
    for index, (first, behind) in enumerate(tokens):
        owner = own[index]
        if owner is None:
            continues = before is not None and index and _on_a_line(text, tokens, index - 1)
            owner = before if continues else behind_of[index]
        before = owner
        yield first, behind, _NOBODY if owner is None else owner


def _on_a_line(text: str, tokens: Sequence[tuple[int, int]], index: int) -> bool:
    """Whether a token and the one behind it stand on one line."""
    return "\n" not in text[tokens[index][1] : tokens[index + 1][0]]


def _body(page: Page, stretches: Sequence[tuple[int, int]]) -> Body:
    """The text of some stretches, line by line, with sentences as the places to cut at."""
    reading = page.reading
    parts: list[str] = []
    places: list[Places] = []
    before = _NOBODY
    for first, behind in stretches:
        for token in re.finditer(r"\S+", reading.text[first:behind]):
            start, end = first + token.start(), first + token.end()
            if before >= 0:
                gap = slice(before, start)
                breaks = bool((reading.starts[gap] == reading.ends[gap]).any())
                parts.append("\n" if breaks else " ")
                places.append(np.full(1, _NOBODY, dtype=np.int64))
            parts.append(token[0])
            places.append(np.arange(start, end, dtype=np.int64))
            before = end
    text = "".join(parts)
    return Body(text, np.concatenate(places), tuple(start for start, _ in sentences(text)[1:]))
