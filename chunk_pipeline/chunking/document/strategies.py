"""The strategies for documents: Markdown, DOCX and PDF.

What does not belong here: how any of it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.document.cutting import cut_sections
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
