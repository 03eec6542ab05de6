"""A document put together again from its chunks.

This is what exact spans are for: bodies less their overlap, at their places, are the source. What lies
between them (white space, what skips list) is the caller's to fill in. What does not belong here: saying
which chunk is at fault (``integrity``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunk_pipeline.chunking.chunk import Chunk, Span


def blanks(gap: Span) -> str:
    """As many spaces as the gap has characters."""
    return " " * len(gap)


def rebuilt(length: int, chunks: Sequence[Chunk], between: Callable[[Span], str] = blanks) -> str:
    """The document that the chunks were cut from.

    Args:
        length: Its characters.
        chunks: Its chunks, each with one span.
        between: Gives the text of a gap, a stretch that is in no chunk; by default spaces, so that every
            character that is in a chunk stands at its own offset.

    Returns:
        The source where ``between`` gives the source's text; ``length`` characters where it keeps lengths.

    Raises:
        ValueError: A chunk has several spans, or begins, less its overlap, ahead of where the one before
            ends, or ends behind the text.
    """
    parts: list[str] = []
    place = 0
    for ordinal, chunk in enumerate(chunks):
        if len(chunk.spans) > 1:
            raise ValueError(f"chunk {ordinal} ({chunk.unit!r}) has {len(chunk.spans)} spans; one is needed")
        start, end = chunk.spans[0].start + chunk.overlap, chunk.spans[0].end
        if start == end <= place:  # It only repeats.
            continue
        if not place <= start <= end <= length:
            raise ValueError(
                f"chunk {ordinal} ({chunk.unit!r}) adds [{start}, {end}), which is not in [{place}, {length}]"
            )
        if place < start:
            parts.append(between(Span(place, start)))
        parts.append(chunk.body[chunk.overlap :])
        place = end
    if place < length:
        parts.append(between(Span(place, length)))
    return "".join(parts)
