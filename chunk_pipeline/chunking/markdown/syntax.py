"""The strategy ``markdown_syntax``: whole blocks under their headings, each piece whole, none too long.

What does not belong here: the parse (``markdown.blocks``), where a block may be cut (``markdown.regions``),
and which of these places are taken (``regions``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache

from chunk_pipeline.chunking.chunk import NO_METADATA, Chunk, Document, Skip, Span
from chunk_pipeline.chunking.markdown.blocks import Block, MarkdownBlocks
from chunk_pipeline.chunking.markdown.fences import mentions_fence
from chunk_pipeline.chunking.markdown.header import bounded_context
from chunk_pipeline.chunking.markdown.regions import SMALL, MarkdownRegions
from chunk_pipeline.chunking.markdown.whole import whole
from chunk_pipeline.chunking.regions import Piece, cut_regions
from chunk_pipeline.chunking.text.recursive import recursive_chunks

HEADER_SHARE = 3
"""A header takes at most the limit divided by this."""

RESERVES = (0, 8, 64)
"""Characters kept free, tried in turn, for fences that only turn out to be open in a piece."""

_LONG_FENCE = "a code fence is too long to be closed and opened again"
_LONG_PIECE = "a piece cannot be cut within the limit"


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
    blocks = MarkdownBlocks(text, limit * SMALL)
    fewest: list[Chunk] | None = None
    for reserve in RESERVES:
        chunks = list(_chunks(document, blocks, limit, limit - reserve))
        if fewest is None or _too_long(chunks, limit) < _too_long(fewest, limit):
            fewest = chunks
        if not _too_long(fewest, limit):
            break
    for chunk in fewest or ():
        if _size(chunk) <= limit:
            yield chunk
        else:
            yield from _as_text(text, chunk, limit)


def _too_long(chunks: Sequence[Chunk], limit: int) -> int:
    return sum(_size(chunk) > limit for chunk in chunks)


def _as_text(text: str, chunk: Chunk, limit: int) -> Iterator[Chunk | Skip]:
    """A piece that cannot be made whole within the limit, cut as plain text; the others stay as they are."""
    why = _LONG_FENCE if mentions_fence(chunk.passage) else _LONG_PIECE
    (span,) = chunk.spans
    for each in recursive_chunks(text, limit, why, span.start, span.end):
        yield each._replace(unit=chunk.unit) if isinstance(each, Chunk) else each


def _chunks(document: Document, blocks: MarkdownBlocks, limit: int, room: int) -> Iterator[Chunk]:
    text = document.text

    @cache
    def header(titles: tuple[str, ...]) -> str:
        return bounded_context(document.path, titles, limit // HEADER_SHARE)

    def size(label: str) -> int:
        return len(label) + 1

    regions = MarkdownRegions(text, blocks, room, header, size)
    root = regions.root()
    if len(text) + size(root.label) <= room:
        root = root._replace(parts=tuple)
    for piece in cut_regions(text, root, room, size, regions.trim):
        yield _chunk(text, piece, _titles(blocks.document, piece))


def _chunk(text: str, piece: Piece, titles: tuple[str, ...]) -> Chunk:
    start, end, opening, closing, header = piece
    body = text[start:end]
    # As ``Chunk(…)`` and ``Span(…)``, whose checks and defaults would take as long as the rest.
    span = tuple.__new__(Span, (start, end))
    chunk = tuple.__new__(
        Chunk, (body, (span,), " > ".join(titles), header, opening, closing, 0, NO_METADATA, None)
    )
    return whole(chunk)


def _size(chunk: Chunk) -> int:
    """Characters of the chunk's text, without making it."""
    body, _, _, header, opening, closing, *_ = chunk
    return len(header) + bool(header) + len(opening) + len(body) + len(closing)


def _titles(document: Block, piece: Piece) -> tuple[str, ...]:
    """The headings of the innermost section that holds all of a piece."""
    section = document
    while True:
        place = bisect_right(section.children, piece.start, key=lambda block: block.start) - 1
        inner = section.children[place] if place >= 0 else section
        if inner.kind != "section" or inner.end < piece.end or inner is section:
            return section.titles
        section = inner
