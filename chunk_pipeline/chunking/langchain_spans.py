"""LangChain's recursive character splitter as it is, with exact spans put beside its chunks.

LangChain gives no offsets, and finding a chunk by its text is a guess where a document repeats itself. The
splitter looks only at separators and lengths, so it is run on a text in which every other character tells its
own place. What does not belong here: any format.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from langchain_text_splitters import RecursiveCharacterTextSplitter

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span

DEFAULT_SEPARATORS = ("\n\n", "\n", " ", "")
"""What RecursiveCharacterTextSplitter tries where it is told nothing, coarsest first."""

_PLACE = 0x10000
_PLACES = 0x100000
"""Characters above the basic plane, none of them white space."""

_NO_FACTS = ChunkMetadata()


def cut_langchain(
    text: str,
    size: int,
    overlap: int,
    separators: Sequence[str] = DEFAULT_SEPARATORS,
    metadata: ChunkMetadata = _NO_FACTS,
) -> Iterator[Chunk | Skip]:
    """Cut as ``RecursiveCharacterTextSplitter`` does; every body is ``text[start:end]``.

    Args:
        text: The document; where it is blank, a skip is all there is.
        size: As in :func:`recursive_spans_langchain`; likewise the next two.
        overlap: Characters.
        separators: Literal.
        metadata: Of each chunk.
    """
    if not text.strip():
        if text:
            yield Skip(Span(0, len(text)), "blank document")
        return
    last = 0
    for span in recursive_spans_langchain(text, size, overlap, separators):
        repeated = max(0, last - span.start)
        yield Chunk(text[span.start : span.end], (span,), overlap=repeated, metadata=metadata)
        last = span.end


def recursive_spans_langchain(
    text: str, size: int, overlap: int, separators: Sequence[str] = DEFAULT_SEPARATORS
) -> Iterator[Span]:
    """Where the chunks of ``RecursiveCharacterTextSplitter(size, overlap, separators)`` stand in the text.

    Args:
        text: The document.
        size: Characters that a chunk has at most, where a separator allows.
        overlap: Characters that a chunk may repeat of the one before.
        separators: Coarsest first, each kept at the start of what follows it. They are literal: LangChain's
            own for JavaScript and HTML are, though it calls them regular expressions.

    Yields:
        Spans in order; the characters between two are white space. A chunk of nothing else is left out.

    Raises:
        ValueError: The overlap is too large to tell places apart by; it would take 30,000 characters or more.
    """
    alphabet = sorted({character for each in separators for character in each if not character.isspace()})
    places = _PLACES // (len(alphabet) + 1)
    if overlap >= places:
        raise ValueError(f"overlap {overlap}: with these separators it must be less than {places}")
    first = {character: _PLACE + (rank + 1) * places for rank, character in enumerate(alphabet)}
    solid = [position for position, character in enumerate(text) if not character.isspace()]
    marked = list(text)
    for count, position in enumerate(solid):
        marked[position] = chr(first.get(text[position], _PLACE) + count % places)
    splitter = RecursiveCharacterTextSplitter(
        [_pattern(separator, first, places) for separator in separators],
        is_separator_regex=True,
        chunk_size=size,
        chunk_overlap=overlap,
    )
    end = 0
    for chunk in splitter.split_text("".join(marked)):
        if chunk.isspace():
            continue
        # Only a chunk that no separator cuts keeps the white space ahead of its first solid character.
        blank = len(chunk) - len(chunk.lstrip())
        # That character tells its place, modulo their number; it is at most one overlap ahead of where the
        # chunk before ended, and never behind it.
        count = max(0, end - overlap)
        count += (ord(chunk[blank]) - _PLACE - count % places) % places
        span = Span(solid[count] - blank, solid[count] - blank + len(chunk))
        end = bisect_left(solid, span.end, count)
        yield span


def _pattern(separator: str, first: Mapping[str, int], places: int) -> str:
    """The separator as it stands in a marked text."""
    return "".join(
        f"[{chr(first[character])}-{chr(first[character] + places - 1)}]"
        if character in first
        else re.escape(character)
        for character in separator
    )
