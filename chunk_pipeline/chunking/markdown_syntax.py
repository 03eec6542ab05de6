"""The strategy ``markdown_syntax``: whole blocks under their headings, each piece whole, none too long.

What does not belong here: the parse (``markdown_blocks``), where a block may be cut (``markdown_regions``),
and which of these places are taken (``regions``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Document, Skip, Span
from chunk_pipeline.chunking.markdown_blocks import Block, parse_blocks
from chunk_pipeline.chunking.markdown_fences import closing_of_open_fence, mentions_fence
from chunk_pipeline.chunking.markdown_header import bounded_context
from chunk_pipeline.chunking.markdown_regions import SMALL, MarkdownRegions
from chunk_pipeline.chunking.regions import Piece, cut_regions, trim_blank_lines
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.text_recursive import recursive_chunks

HEADER_SHARE = 3
"""A header takes at most the limit divided by this."""

RESERVES = (0, 8, 64)
"""Characters kept free, tried in turn, for fences that only turn out to be open in a piece."""

_TAG = re.compile(r"^[^\w`<]*<", re.MULTILINE)
_PLAIN_FENCE = re.compile(r"(?:```|~~~)[^`~]*")
_NESTED = ChunkMetadata(fallback="the source opens a code fence inside one that it has not closed")
_TOO_LONG = "a code fence is too long to be closed and opened again"


def cut_markdown(document: Document, limit: int) -> Iterator[Chunk | Skip]:
    """Cut a Markdown document so that every chunk is whole and none is longer than the limit.

    Args:
        document: Any text; a blank one is skipped.
        limit: Characters of a chunk's text, header and all.
    """
    text = document.text
    if not text.strip():
        if text:
            yield Skip(Span(0, len(text)), "blank document")
        return
    for reserve in RESERVES:
        chunks = list(_chunks(document, limit, limit - reserve))
        if all(len(chunk.text) <= limit for chunk in chunks):
            yield from chunks
            return
    yield from recursive_chunks(text, limit, _TOO_LONG)


def _chunks(document: Document, limit: int, room: int) -> Iterator[Chunk]:
    text = document.text

    @cache
    def header(titles: tuple[str, ...]) -> str:
        return bounded_context(document.path, titles, limit // HEADER_SHARE)

    def size(label: str) -> int:
        return len(label) + 1

    parsed = parse_blocks(text, limit * SMALL)
    root = MarkdownRegions(text, room, header, size).root(parsed)
    for piece in cut_regions(text, root, room, size, trim_blank_lines):
        yield _chunk(text, piece, _titles(parsed, piece))


def _chunk(text: str, piece: Piece, titles: tuple[str, ...]) -> Chunk:
    chunk = Chunk(
        body=text[piece.start : piece.end],
        spans=(Span(piece.start, piece.end),),
        unit=" > ".join(titles),
        header=piece.label,
        opening=piece.opening,
        closing=piece.closing,
    )
    return _closed(chunk) if mentions_fence(chunk.body) or piece.opening else chunk


def _closed(chunk: Chunk) -> Chunk:
    """The chunk with the fence closed that is still open at its end, if there is one.

    A source may leave its last fence open, and words cut out of a paragraph may look like a fence.
    """
    passage = chunk.passage
    if _is_plain(passage):
        return chunk
    chunk = chunk._replace(closing=chunk.closing + closing_of_open_fence(passage))
    return chunk if parses("markdown", chunk.passage) else chunk._replace(metadata=_NESTED)


def _is_plain(passage: str) -> bool:
    """Whether all lines with marks of a fence are fences, not indented, each closed by the next: no doubt.

    In HTML a fence is none.
    """
    if "<" in passage and _TAG.search(passage):
        return False
    lines = [line for line in passage.split("\n") if mentions_fence(line)]
    pairs = zip(lines[::2], lines[1::2], strict=False)
    return len(lines) % 2 == 0 and all(
        _PLAIN_FENCE.fullmatch(first) and first[:3] == last.rstrip() for first, last in pairs
    )


def _titles(document: Block, piece: Piece) -> tuple[str, ...]:
    """The headings of the innermost section that holds all of a piece."""
    section = document
    while True:
        place = bisect_right(section.children, piece.start, key=lambda block: block.start) - 1
        inner = section.children[place] if place >= 0 else section
        if inner.kind != "section" or inner.end < piece.end or inner is section:
            return section.titles
        section = inner
