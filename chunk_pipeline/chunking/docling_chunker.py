"""Docling's hybrid chunker, made to count as we do. What does not belong here: where its chunks stand."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.types.doc.document import DoclingDocument


class DoclingChunk(NamedTuple):
    """A chunk of Docling's.

    Attributes:
        text: Its text, without headings.
        path: Its headings, outermost first, each on one line.
    """

    text: str
    path: tuple[str, ...]


def docling_chunks(
    document: DoclingDocument, size: Callable[[str], int], most: int, plain: bool = False
) -> Iterator[DoclingChunk]:
    """The chunks of a document, in order.

    Args:
        document: The document.
        size: Tokens of a text.
        most: Tokens that a chunk is to have at most, headings among them.
        plain: Whether addresses of links and marks of emphasis are left out.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for chunk in _chunker(size, most, plain).chunk(dl_doc=document):
            headings: Sequence[str] = getattr(chunk.meta, "headings", None) or ()
            yield DoclingChunk(chunk.text, tuple(" ".join(each.split()) for each in headings))


def _chunker(size: Callable[[str], int], most: int, plain: bool) -> HybridChunker:
    """The chunker, with tables as rows and not as sentences of row, column and value."""
    from docling_core.transforms.chunker.hierarchical_chunker import (
        ChunkingDocSerializer,
        ChunkingSerializerProvider,
    )
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
    from docling_core.transforms.serializer.markdown import MarkdownTableSerializer

    class Counter(BaseTokenizer):
        def count_tokens(self, text: str) -> int:
            return size(text)

        def get_max_tokens(self) -> int:
            return most

        def get_tokenizer(self) -> Any:
            return size

    class Rows(ChunkingSerializerProvider):
        def get_serializer(self, doc: DoclingDocument) -> ChunkingDocSerializer:
            serializer = ChunkingDocSerializer(doc=doc, table_serializer=MarkdownTableSerializer())
            if plain:
                serializer.params = serializer.params.model_copy(
                    update={"include_hyperlinks": False, "include_formatting": False}
                )
            return serializer

    return HybridChunker(tokenizer=Counter(), serializer_provider=Rows(), repeat_table_header=False)
