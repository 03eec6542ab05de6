"""A unit: a chunk of a JSON file before a header is put on it, with the word that a header calls it by.

What does not belong here: which units a category has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.json_render import indented_object, merge_spans
from chunk_pipeline.chunking.json_split import split_members
from chunk_pipeline.chunking.json_tree import Node

LIMIT = 500
"""Characters that a chunk should not exceed."""
MINIMUM = 125
"""Size from which a piece of a document without a category of its own may be closed."""

_NO_FACTS = ChunkMetadata()


@dataclass(frozen=True, slots=True)
class Unit:
    """A chunk without its header.

    Attributes:
        chunk: Body, spans, locator and facts.
        word: What a header calls it; ``None`` for a unit that has no name of its own.
    """

    chunk: Chunk
    word: str | None = None


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
    return Unit(Chunk(body, spans_of([node for node, _ in members], text), pointer, metadata=metadata), word)


def pieces(
    members: Iterable[tuple[str, Node]],
    text: str,
    minimum: int | None = None,
    word: str | None = None,
    metadata: ChunkMetadata = _NO_FACTS,
) -> Iterator[Unit]:
    """Units as RecursiveJsonSplitter cuts an object with these members."""
    for piece in split_members(members, text, LIMIT, minimum):
        yield Unit(Chunk(piece.body, piece.spans, piece.unit, metadata=metadata), word)


def spans_of(nodes: Iterable[Node], text: str) -> tuple[Span, ...]:
    """The merged spans of these members."""
    return merge_spans(
        text, sorted((span.start, span.end) for span in (each.member_span() for each in nodes))
    )


def skip(node: Node, reason: str) -> Skip:
    """A whole member left out."""
    return Skip(node.member_span(), reason)
