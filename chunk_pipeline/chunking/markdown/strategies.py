"""The Markdown strategies A, B, C and D of the reference study, and ``markdown_syntax``.

A and B are the baselines, langchain-text-splitters as people use it; C knows code from text, and D says above
each chunk where it is from. The last goes by the grammar and keeps the limit. What does not belong here: how
any of it is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.code_langchain import Splitter, cut_whole
from chunk_pipeline.chunking.markdown.header import context_lines
from chunk_pipeline.chunking.markdown.langchain import header_spans_langchain
from chunk_pipeline.chunking.markdown.structure import joined_blocks
from chunk_pipeline.chunking.markdown.syntax import cut_markdown
from chunk_pipeline.chunking.markdown.whole import whole
from chunk_pipeline.chunking.registry import Strategy, register

LIMIT = 1000
"""Characters that a chunk should not exceed."""
OVERLAP = 200
"""Characters that strategies A and B repeat of the chunk before."""
SEPARATORS = ("\n## ", "\n### ", "\n\n", "\n", " ")
"""Where strategy A cuts, coarsest first."""


class MarkdownStrategy(Strategy):
    """What all Markdown strategies have in common."""

    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"markdown"})
    languages: ClassVar[frozenset[str]] = frozenset({"markdown"})
    limit: ClassVar[int] = LIMIT
    format: ClassVar[str] = "markdown"


@register
class MarkdownRecursive(MarkdownStrategy):
    """Recursive character split that prefers headings (strategy A)."""

    name = "markdown_recursive"

    @property
    def settings(self) -> str:
        """The limit and the overlap."""
        return f"limit={LIMIT} overlap={OVERLAP}"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut without regard to Markdown but for headings of levels 2 and 3."""
        return cut_whole(document.text, Splitter(SEPARATORS, LIMIT, OVERLAP))


@register
class MarkdownHeader(MarkdownStrategy):
    """LangChain's header split, then recursive characters (strategy B)."""

    name = "markdown_header"

    @property
    def settings(self) -> str:
        """The limit and the overlap."""
        return f"limit={LIMIT} overlap={OVERLAP}"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut at headings of levels 1 to 3.

        The chunks are LangChain's, as slices of the source: with the indentation, the blank lines and the
        characters that it takes away, so a body may be longer than the limit.
        """
        text = document.text
        if not text.strip():
            return _blank(text)
        return _overlapping(text, header_spans_langchain(text, LIMIT, OVERLAP))


@register
class MarkdownStructure(MarkdownStrategy):
    """Code fences and text joined under one heading path (strategy C)."""

    name = "markdown_structure"
    promises_integrity = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut between headings, code fences and the text around them; each of these stays whole.

        A fence that the source leaves open is closed behind the body.
        """
        return _structure(document, with_context=False)


@register
class MarkdownStructureBreadcrumb(MarkdownStrategy):
    """Code fences and text joined, below their heading path and file (strategy D)."""

    name = "markdown_structure_breadcrumb"
    promises_integrity = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as strategy C, each chunk under ``Context: h1 > h2``, ``Source: <path>`` and a blank line."""
        return _structure(document, with_context=True)


@register
class MarkdownSyntax(MarkdownStrategy):
    """Whole blocks of a CommonMark parse, each chunk whole Markdown within the limit."""

    name = "markdown_syntax"
    version = 2
    promises_integrity = True
    promises_limit = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut between sections, else between blocks, else inside one, which is closed and opened again."""
        return cut_markdown(document, LIMIT)


def _structure(document: Document, with_context: bool) -> Iterator[Chunk | Skip]:
    text = document.text
    if not text.strip():
        yield from _blank(text)
        return
    for start, end, titles in joined_blocks(text, LIMIT):
        header = context_lines(document.path, titles) if with_context else ""
        yield whole(Chunk(text[start:end], (Span(start, end),), unit=" > ".join(titles), header=header))


def _overlapping(text: str, spans: Iterable[tuple[Span, str]]) -> Iterator[Chunk | Skip]:
    last = 0
    for span, path in spans:
        yield from _unprintable(text, last, span.start)
        yield Chunk(text[span.start : span.end], (span,), unit=path, overlap=max(0, last - span.start))
        last = span.end
    yield from _unprintable(text, last, len(text))


def _unprintable(text: str, start: int, end: int) -> Iterator[Skip]:
    if text[start:end].strip():
        yield Skip(Span(start, end), "characters that cannot be printed, which LangChain drops")


def _blank(text: str) -> Iterator[Skip]:
    if text:
        yield Skip(Span(0, len(text)), "blank document")
