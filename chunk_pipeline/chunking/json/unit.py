"""A unit: a chunk of a JSON file before a header is put on it, with the word that a header calls it by.

What does not belong here: which units a category has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.json.render import indented_object, merge_spans
from chunk_pipeline.chunking.json.split import split_members
from chunk_pipeline.chunking.json.tree import Node

LIMIT = 500
"""Characters that a chunk should not exceed."""
MINIMUM = 125
"""Size from which a piece of a document without a category of its own may be closed."""

_NO_FACTS = ChunkMetadata()


class Unit(NamedTuple):
    """What becomes a chunk when a header is put on it.

    Attributes:
        body: As in ``Chunk``.
        spans: As in ``Chunk``.
        pointer: JSON Pointer.
        word: What a header calls it; ``None`` for a unit that has no name of its own.
        metadata: As in ``Chunk``.
    """

    body: str
    spans: tuple[Span, ...]
    pointer: str = ""
    word: str | None = None
    metadata: ChunkMetadata = _NO_FACTS

    def chunk(self, header: str = "") -> Chunk:
        """The chunk with this header."""
        return Chunk(self.body, self.spans, self.pointer, header, metadata=self.metadata)


def gathered(
    members: Sequence[tuple[Node, str]],
    text: str,
    pointer: str = "",
    word: str | None = None,
    metadata: ChunkMetadata = _NO_FACTS,
) -> Unit:
    """One unit of these members, indented.

    Args:
        members: (Node, rendered ``"name": value`` at level 1), in the order in which the body has them.
        text: The document.
        pointer: JSON Pointer of the unit.
        word: What a header calls it.
        metadata: Facts about it.
    """
    body = indented_object(rendered for _, rendered in members)
    return Unit(body, spans_of([node for node, _ in members], text), pointer, word, metadata)


def pieces(
    members: Iterable[tuple[str, Node]],
    text: str,
    minimum: int | None = None,
    word: str | None = None,
    metadata: ChunkMetadata = _NO_FACTS,
) -> Iterator[Unit]:
    """Units as RecursiveJsonSplitter cuts an object with these members."""
    for piece in split_members(members, text, LIMIT, minimum):
        yield Unit(piece.body, piece.spans, piece.unit, word, metadata)


def spans_of(nodes: Sequence[Node], text: str) -> tuple[Span, ...]:
    """The merged spans of these members."""
    if len(nodes) == 1:
        return (nodes[0].member_span(),)
    spans = [each.member_span() for each in nodes]
    return merge_spans(text, sorted((span.start, span.end) for span in spans))


def skip(node: Node, reason: str) -> Skip:
    """A whole member left out."""
    return Skip(node.member_span(), reason)
