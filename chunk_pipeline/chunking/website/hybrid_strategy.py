"""The strategy that cuts web pages as Docling does, to compare ``website`` with.

What does not belong here: how Docling's chunks are found in the page (``hybrid``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Document, Skip
from chunk_pipeline.chunking.document.headers import headers
from chunk_pipeline.chunking.fitted_header import fitted_header
from chunk_pipeline.chunking.reading import words
from chunk_pipeline.chunking.registry import register
from chunk_pipeline.chunking.website.chunks import Cutter, Measure
from chunk_pipeline.chunking.website.hybrid import HybridChunk, hybrid_page
from chunk_pipeline.chunking.website.page import Page, read_page
from chunk_pipeline.chunking.website.reading import unclosed
from chunk_pipeline.conversion.versions import docling_version


@register
class HybridOfPages(BudgetedStrategy):
    """Web pages as Docling's hybrid chunker cuts them, navigation among it, for comparison."""

    name: ClassVar[str] = "docling_hybrid_html"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"website"})
    format: ClassVar[str] = "html"
    gives_facts: ClassVar[bool] = False
    chunk_tokens: ClassVar[int] = 300
    """What the chunker is asked for."""
    target_tokens: ClassVar[int] = 800
    max_tokens: ClassVar[int] = 800
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    @property
    def settings(self) -> str:
        """Besides the guidelines, what the chunker is asked for, and the versions of Docling."""
        return f"{super().settings} chunk={self.chunk_tokens} docling={docling_version()}"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Yield Docling's chunks as they stand in the page, and what it leaves out as skips.

        Raises:
            UnparsableError: It is no HTML, or larger or deeper than ``limits`` allow, as for ``website``.
        """
        page = read_page(document.text)
        found = hybrid_page(document.text, page, self.size, min(self.chunk_tokens, self.ceiling))
        cutter = Cutter(page, Measure(self.size, self.target, self.ceiling, self.overlap_tokens))
        for chunk in found.chunks:
            yield from self._cut(page, cutter, chunk, found.fallback)
        yield from found.skips
        yield from unclosed(document.text)

    def _cut(self, page: Page, cutter: Cutter, chunk: HybridChunk, fallback: str) -> Iterator[Chunk]:
        """The chunk as Docling has it if that is what stands in the page; else that, cut by tokens."""
        header = fitted_header(headers(chunk.path), self.size, self.ceiling)
        as_shown = Chunk(
            chunk.shown.strip(),
            cutter.spans(chunk.body),
            header=header,
            metadata=ChunkMetadata(),
        )
        is_exact = words(as_shown.body) == page.reading.words(as_shown.spans)
        if is_exact and self.size(as_shown.text) <= self.ceiling:
            yield as_shown
        else:
            yield from cutter.chunks(chunk.body, header, None, "", fallback)
