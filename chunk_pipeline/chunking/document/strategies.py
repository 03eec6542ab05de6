"""The strategies for documents: Markdown, DOCX and PDF.

What does not belong here: how any of it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.document.cutting import cut_sections
from chunk_pipeline.chunking.document.hybrid import hybrid_sections
from chunk_pipeline.chunking.document.items import document_items
from chunk_pipeline.chunking.document.sections import sections
from chunk_pipeline.chunking.registry import register

LANGUAGES = frozenset({"markdown", "docx", "pdf"})


@register
class SectionsOfDocuments(BudgetedStrategy):
    """Documents by section through Docling, the heading path on each piece; rows and items stay whole."""

    name = "document"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"document"})
    languages: ClassVar[frozenset[str] | None] = LANGUAGES
    format: ClassVar[str] = "text"
    target_tokens: ClassVar[int] = 300
    max_tokens: ClassVar[int] = 800
    overlap_tokens: ClassVar[int] = 50
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut at headings, then by tokens. Nothing is unparsable: without items, it is cut as one section."""
        known = document_items(document)
        return cut_sections(self, document, sections(document.text, known.items), known.fallback)


@register
class HybridOfDocuments(BudgetedStrategy):
    """Documents as Docling's hybrid chunker cuts them, for comparison."""

    name = "docling_hybrid"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"document"})
    languages: ClassVar[frozenset[str] | None] = LANGUAGES
    format: ClassVar[str] = "text"
    chunk_tokens: ClassVar[int] = 300
    """What the chunker is asked for; its texts have no marks, so the source's stretch may have more."""
    target_tokens: ClassVar[int] = 800
    max_tokens: ClassVar[int] = 800
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    @property
    def settings(self) -> str:
        """Besides the guidelines, what the chunker is asked for."""
        return f"{super().settings} chunk={self.chunk_tokens}"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut where the chunker does; what is over the limit with its marks is cut by tokens."""
        known = document_items(document)
        most = min(self.chunk_tokens, self.ceiling)
        parts = hybrid_sections(document.text, known, self.size, most)
        return cut_sections(self, document, parts, known.fallback)
