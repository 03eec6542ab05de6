"""The rows of a proof: what is wrong, and where in the document.

What does not belong here: finding them.
"""

from __future__ import annotations

from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Chunk, Span

WORST = 10
"""Rows that a proof keeps of each kind."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of the source that are in no chunk and in no skip.

    Attributes:
        span: Where.
        characters: How many of them count.
        excerpt: How it begins.
    """

    span: Span
    characters: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A chunk, or a skip, that is not what it claims.

    Attributes:
        ordinal: Its place among the document's chunks (skips), from 0.
        unit: Its locator; empty for a skip.
        span: Its first span.
        reason: What is wrong.
    """

    ordinal: int
    unit: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Excess:
    """A chunk whose text is over the limit.

    Attributes:
        ordinal: Its place among the document's chunks, from 0.
        unit: Its locator.
        span: Its first span.
        size: Size of its text, header and all: characters, or tokens where the strategy measures in tokens.
    """

    ordinal: int
    unit: str
    span: Span
    size: int


def fault(ordinal: int, chunk: Chunk, reason: str) -> Fault:
    """What is wrong with a chunk."""
    return Fault(ordinal, chunk.unit, chunk.spans[0], reason)
