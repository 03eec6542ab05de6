"""How the chunks of a document follow each other: in order, and sharing what they declare and no more.

An overlap counts characters of the source, white space among them, from the chunk's first one on. Chunks
that trim white space share less than they were cut to share, and declare what is left. What does not belong
here: what no chunk holds (``gaps``).
"""

from __future__ import annotations

from collections.abc import Sequence

from chunk_pipeline.chunking.chunk import Chunk, Span
from chunk_pipeline.chunking.faults import Fault, fault


def disordered(chunks: Sequence[Chunk], length: int) -> list[Fault]:
    """Chunks out of order, or with spans that are, or that end behind the text's ``length`` characters."""
    faults: list[Fault] = []
    for index, chunk in enumerate(chunks):
        if any(left.end > right.start for left, right in zip(chunk.spans, chunk.spans[1:], strict=False)):
            faults.append(fault(index, chunk, "spans are not ascending and disjoint"))
        elif chunk.spans[-1].end > length:
            faults.append(fault(index, chunk, f"a span ends behind the text's {length} characters"))
        elif index > 1 and chunk.spans[0].start < chunks[index - 1].spans[0].start:
            faults.append(fault(index, chunk, "begins before the chunk ahead of it"))
    return faults


def shared(chunks: Sequence[Chunk]) -> list[int]:
    """How many leading characters of each chunk the chunks of one span ahead of it hold.

    Returns:
        One number a chunk; 0 for a chunk of several spans, which gathers and does not follow.
    """
    counts: list[int] = []
    first = chunks[0].spans[0] if chunks and len(chunks[0].spans) == 1 else Span(0, 0)
    held = 0
    for index, chunk in enumerate(chunks):
        span = chunk.spans[0]
        if len(chunk.spans) > 1:
            counts.append(0)
            continue
        # The first chunk alone may stand anywhere; of the others none begins behind this one.
        reach = max(held, first.end) if index and first.start <= span.start else held
        counts.append(max(0, min(reach, span.end) - span.start))
        held = max(held, span.end) if index else 0
    return counts


def misjoined(chunks: Sequence[Chunk], counts: Sequence[int]) -> list[Fault]:
    """Chunks whose overlap is not what they share with those ahead, or that share more behind it.

    Args:
        chunks: The document's chunks, in order.
        counts: What :func:`shared` says of them.
    """
    reasons = (_reason(chunks, index, counts[index]) for index in range(len(chunks)))
    return [fault(index, chunks[index], reason) for index, reason in enumerate(reasons) if reason]


def _reason(chunks: Sequence[Chunk], index: int, count: int) -> str:
    chunk, first = chunks[index], chunks[0].spans
    if len(chunk.spans) > 1:
        return "declares an overlap though it has several spans" if chunk.overlap else ""
    if chunk.overlap != count:
        return f"overlap is {chunk.overlap}, the chunks before hold {count} characters of it"
    span = chunk.spans[0]
    if index and len(first) == 1 and span.start < first[0].start < min(span.end, first[0].end):
        return "holds characters of the first chunk behind its overlap"
    return ""
