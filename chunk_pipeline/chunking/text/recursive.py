"""Cutting any text at its coarsest boundary that fits, with an overlap: what every strategy falls back on.

Boundaries are, from coarse to fine: blank line, line break, sentence end, white space; only then is a word
cut. The shape is that of LangChain's RecursiveCharacterTextSplitter; but each chunk is a slice of the source,
and instead of splitting the text level by level, each chunk looks for its end backwards from the limit. What
does not belong here: measuring (``text.measure``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chunk_pipeline.chunking.chunk import NO_METADATA, Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.text.boundaries import FULL_ENOUGH, Boundaries, next_solid
from chunk_pipeline.chunking.text.graphemes import whole_before
from chunk_pipeline.chunking.text.measure import Measure, characters

OVERLAP_SHARE = 5
"""The overlap of a fallback is the limit divided by this."""

_WORD = re.compile(r"\s\S")


def recursive_cuts(
    text: str, size: int, overlap: int = 0, measure: Measure = characters
) -> list[tuple[int, int, int]]:
    """Cut a text at the coarsest boundary that fits.

    A chunk ends at the last blank line within the limit, or else line break, sentence end, white space; a
    coarse boundary in the first half of the limit gives way to a finer one in the second. A word is cut only
    where it is longer than the limit, and a grapheme only where that is. The next chunk begins at the first
    word within the last ``overlap`` of this one. Where there is none (behind a cut word), or where the next
    word would not fit any more, it repeats nothing.

    Args:
        text: Any text.
        size: The limit, in units of the measure, overlap included; at least 1.
        overlap: How much of the chunk before may be repeated; less than ``size``.
        measure: Makes the ruler: ``characters``, or tokens.

    Returns:
        (start, end, characters at the start that the chunk before holds too), in characters and in order.
        Chunks begin and end with no white space, and what is between them is white space; a blank text has
        none.

    Raises:
        ValueError: The size is below 1, or the overlap is not in ``[0, size)``.
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(f"size {size}, overlap {overlap}: size must be 1 or more, overlap in [0, size)")
    ruler = measure(text)
    reach_of, back_from, end_of = ruler.reach, ruler.back, Boundaries(text, ruler, size).last
    # What is only a sum is not worth a call for each chunk.
    sums = measure is characters
    half = size // FULL_ENOUGH
    stop = len(text.rstrip())
    cuts: list[tuple[int, int, int]] = []
    start = end = 0
    while end < stop:
        word = None
        if overlap and end:
            # A word within the chunk before, but not its first, lest that chunk be repeated whole.
            back = end - overlap if sums else back_from(end, overlap)
            word = _WORD.search(text, max(back - 1, start), end)
        start = word.end() - 1 if word else next_solid(text, end)
        reach = start + size if sums else reach_of(start, size)
        # Most chunks end at a blank line: what ``Boundaries`` would find first, without a call.
        cut = text.rfind("\n\n", start + half, reach + 2) if sums and reach < stop else 0
        if cut <= end or text[cut - 1].isspace():
            cut = end_of(start, end, reach) if reach < stop else stop
        if not cut:
            # Rather repeat nothing than cut a word.
            start = next_solid(text, end)
            reach = reach_of(start, size)
            cut = end_of(start, end, reach) if reach < stop else stop
        if not cut:
            cut = whole_before(text, reach, start + 1)
        cuts.append((start, cut, end - start if start < end else 0))
        end = cut
    return cuts


def recursive_spans(
    text: str, size: int, overlap: int = 0, measure: Measure = characters
) -> list[tuple[Span, int]]:
    """``recursive_cuts`` as (span, overlap)."""
    cuts = recursive_cuts(text, size, overlap, measure)
    return [(Span(start, end), repeated) for start, end, repeated in cuts]


def recursive_chunks(
    text: str, limit: int, fallback: str | None = None, start: int = 0, end: int | None = None
) -> Iterator[Chunk | Skip]:
    """Cut a stretch of a document as the strategy ``recursive`` does.

    Args:
        text: The document.
        limit: Characters that a chunk has at most; a fifth of it is the overlap.
        fallback: Why another strategy's own way did not apply, for the chunks' metadata.
        start: First character of the stretch.
        end: Character after its last; the document's end if absent.

    Yields:
        Chunks without header whose spans are of the document; one skip for a stretch that is blank and not
        empty.
    """
    stretch = text[start:end]
    cuts = recursive_cuts(stretch, limit, limit // OVERLAP_SHARE)
    yield from cut_chunks(text, cuts, start, fallback)
    if not cuts and stretch:
        yield Skip(Span(start, start + len(stretch)), "blank document")


def cut_chunks(
    text: str, cuts: Iterable[tuple[int, int, int]], start: int = 0, fallback: str | None = None
) -> list[Chunk]:
    """Chunks of (start, end, overlap).

    Args:
        text: The document.
        cuts: Each ``0 <= start <= end``, counted from ``start``.
        start: A place in the document.
        fallback: Goes into the chunks' metadata.
    """
    if start:
        cuts = [(start + first, start + end, overlap) for first, end, overlap in cuts]
    metadata = ChunkMetadata(fallback=fallback) if fallback else NO_METADATA
    # As ``Chunk(…)`` and ``Span(…)``, whose checks and defaults would take as long as cutting does.
    make = tuple.__new__
    return [
        make(Chunk, (text[first:end], (make(Span, (first, end)),), "", "", "", "", overlap, metadata, None))
        for first, end, overlap in cuts
    ]
