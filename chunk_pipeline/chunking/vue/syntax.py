"""The strategy ``vue_syntax``: single-file components cut on a parse, within a limit.

What does not belong here: how a component is cut (``vue.chunks``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.registry import Strategy, register
from chunk_pipeline.chunking.vue.chunks import cut_component

LIMIT = 800
"""Characters of a chunk's text, header included."""


@register
class VueSyntax(Strategy):
    """Whole blocks of a component, larger ones cut at elements, declarations and rules; all parse."""

    name = "vue_syntax"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"vue"})
    limit: ClassVar[int] = LIMIT
    format: ClassVar[str] = "vue"
    promises_integrity: ClassVar[bool] = True
    promises_limit: ClassVar[bool] = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut on a parse; a block that does not parse is cut as text, with ``metadata.fallback``."""
        return cut_component(document.text, document.name, self.limit)
