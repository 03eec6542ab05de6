"""Proof that chunks are what they claim: nothing is lost, spans are exact, order holds.

Counted on the text and the chunks alone, not on how a strategy works, so that it can catch a strategy.
Whether figures are good enough is decided by the checks, not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunk_pipeline.chunking.chunk import Chunk, Skip, Span, UnparsableError
from chunk_pipeline.chunking.exactness import SourceValues
from chunk_pipeline.chunking.json_lines import parse_json_or_lines
from chunk_pipeline.chunking.significance import significant
from chunk_pipeline.chunking.syntax import parses

WORST = 10
"""Rows that a proof keeps of each kind."""

_EXCERPT = 80


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
    """A chunk that is not what it claims.

    Attributes:
        ordinal: Its place among the document's chunks, from 0.
        unit: Its locator.
        span: Its first span.
        reason: What is wrong.
    """

    ordinal: int
    unit: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What was counted on one document.

    Attributes:
        characters: Characters of the source that count: not white space and, for JSON, not structural.
        covered: Those in some chunk or skip.
        repeated: Those in more than one chunk.
        uncovered: The longest stretches that are lost, longest first, at most ``WORST``.
        chunks: Number of chunks.
        exact: Chunks with exact spans.
        parsing: Chunks that parse on their own, or that were cut in another way for a reason that they name.
        ordered: Chunks in order: spans ascend and are disjoint, and from the second on no chunk begins before
            the one ahead of it (the first may gather what stands anywhere).
        inexact: The first chunks that are not exact, at most ``WORST``; likewise the next two.
        unparsable: The first whose body does not parse.
        disordered: The first out of order.
    """

    characters: int
    covered: int
    repeated: int
    uncovered: tuple[Stretch, ...]
    chunks: int
    exact: int
    parsing: int
    ordered: int
    inexact: tuple[Fault, ...]
    unparsable: tuple[Fault, ...]
    disordered: tuple[Fault, ...]

    @property
    def cover(self) -> float:
        """Share of the characters that are in some chunk or skip; 1 for a document without any."""
        return self.covered / self.characters if self.characters else 1.0

    @property
    def holds(self) -> bool:
        """Whether nothing is lost, every span is exact and the order holds."""
        return self.covered == self.characters and self.exact == self.ordered == self.chunks


def prove(text: str, chunks: Sequence[Chunk], skips: Sequence[Skip], format: str) -> Proof:
    """Count what is covered, exact, parsing and in order.

    Args:
        text: The document as stored.
        chunks: Its chunks, in order.
        skips: What the strategy left out on purpose.
        format: As in ``Strategy.format``.
    """
    counted = significant(text, format)
    times = _times_held(len(text), [span for chunk in chunks for span in chunk.spans])
    skipped = _times_held(len(text), [skip.span for skip in skips]) > 0
    lost = counted & (times == 0) & ~skipped
    inexact = _inexact(text, chunks, format)
    unparsable = [
        _fault(index, chunk, f"it is not {format} on its own")
        for index, chunk in enumerate(chunks)
        if not chunk.metadata.fallback and not parses(format, chunk.passage)
    ]
    disordered = _disordered(chunks, len(text))
    return Proof(
        characters=int(counted.sum()),
        covered=int(counted.sum() - lost.sum()),
        repeated=int((counted & (times > 1)).sum()),
        uncovered=_stretches(text, lost),
        chunks=len(chunks),
        exact=len(chunks) - len(inexact),
        parsing=len(chunks) - len(unparsable),
        ordered=len(chunks) - len(disordered),
        inexact=tuple(inexact[:WORST]),
        unparsable=tuple(unparsable[:WORST]),
        disordered=tuple(disordered[:WORST]),
    )


def _inexact(text: str, chunks: Sequence[Chunk], format: str) -> list[Fault]:
    """Chunks that are neither a slice of the source nor made of values that stand in their spans."""
    redumped = [
        (index, chunk)
        for index, chunk in enumerate(chunks)
        if len(chunk.spans) != 1 or chunk.body != text[chunk.spans[0].start : chunk.spans[0].end]
    ]
    if not redumped:
        return []
    values = None
    if format == "json":
        try:
            values = SourceValues(parse_json_or_lines(text), text)
        except UnparsableError:
            values = None
    reasons = (
        (
            index,
            chunk,
            values.difference(chunk.body, chunk.spans) if values else "the body is not the span's text",
        )
        for index, chunk in redumped
    )
    return [_fault(index, chunk, reason) for index, chunk, reason in reasons if reason]


def _disordered(chunks: Sequence[Chunk], length: int) -> list[Fault]:
    faults: list[Fault] = []
    for index, chunk in enumerate(chunks):
        if any(left.end > right.start for left, right in zip(chunk.spans, chunk.spans[1:], strict=False)):
            faults.append(_fault(index, chunk, "spans are not ascending and disjoint"))
        elif chunk.spans[-1].end > length:
            faults.append(_fault(index, chunk, f"a span ends behind the text's {length} characters"))
        elif index > 1 and chunk.spans[0].start < chunks[index - 1].spans[0].start:
            faults.append(_fault(index, chunk, "begins before the chunk ahead of it"))
    return faults


def _fault(ordinal: int, chunk: Chunk, reason: str) -> Fault:
    return Fault(ordinal, chunk.unit, chunk.spans[0], reason)


def _times_held(length: int, spans: Sequence[Span]) -> npt.NDArray[np.int64]:
    """How many of the spans hold each character."""
    steps = np.zeros(length + 1, dtype=np.int64)
    # A span beyond the text is a fault of its own; here it holds what there is.
    np.add.at(steps, [min(span.start, length) for span in spans], 1)
    np.add.at(steps, [min(span.end, length) for span in spans], -1)
    return np.cumsum(steps)[:length]


def _stretches(text: str, lost: npt.NDArray[np.bool_]) -> tuple[Stretch, ...]:
    """The longest runs of lost characters, white space within them bridged."""
    places = np.flatnonzero(lost)
    if not len(places):
        return ()
    breaks = [
        index + 1
        for index in np.flatnonzero(np.diff(places) > 1).tolist()
        if text[places[index] + 1 : places[index + 1]].strip()
    ]
    runs = [(int(run[0]), int(run[-1]) + 1, len(run)) for run in np.split(places, breaks)]
    runs.sort(key=lambda run: (-run[2], run[0]))
    return tuple(
        Stretch(Span(start, end), count, text[start : min(end, start + _EXCERPT)])
        for start, end, count in runs[:WORST]
    )
