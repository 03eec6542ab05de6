"""Proof that chunks are what they claim: nothing is lost, spans are exact, order and overlap hold.

Counted on the text and the chunks alone, not on how a strategy works, so that it can catch a strategy.
Whether figures are good enough is decided by the checks, not here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Chunk, Skip, UnparsableError
from chunk_pipeline.chunking.exactness import SourceValues
from chunk_pipeline.chunking.faults import WORST, Excess, Fault, Stretch, fault
from chunk_pipeline.chunking.gaps import LeftOut, left_out, lost_stretches, times_held
from chunk_pipeline.chunking.joints import disordered, misjoined, shared
from chunk_pipeline.chunking.json.lines import parse_json_or_lines
from chunk_pipeline.chunking.reading import Reading, read_as
from chunk_pipeline.chunking.significance import Flags, significant, solid
from chunk_pipeline.chunking.syntax import parses


@dataclass(frozen=True, slots=True)
class Sizes:
    """Chunks whose text, header and all, is over the limit.

    Attributes:
        over_limit: Those that could be cut; 0 without a limit.
        indivisible: Those in which nothing can be cut, as they say.
        longest: The longest that could be cut, longest first, at most ``WORST``.
    """

    over_limit: int
    indivisible: int
    longest: tuple[Excess, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What was counted on one document.

    Attributes:
        characters: Characters of the source that count: not white space and, for JSON, not structural.
        covered: Those in some chunk or skip.
        repeated: Those in more than one chunk.
        uncovered: The longest stretches that are lost, longest first, at most ``WORST``.
        left_out: Gaps between chunks, and skips.
        chunks: Number of chunks.
        exact: Chunks with exact spans.
        parsing: Chunks that parse on their own, or that were cut in another way for a reason that they name.
        ordered: Chunks in order: spans ascend and are disjoint, and from the second on no chunk begins before
            the one ahead of it (the first may gather what stands anywhere).
        joined: Chunks that share with those ahead of them what their overlap says, and nothing behind it.
        overlap: Characters that the chunks declare as held by those ahead, white space included.
        shared: Characters at the start of chunks that those ahead do hold, white space included; as many as
            ``overlap`` where all are joined.
        sizes: Chunks over the limit.
        fallbacks: Why chunks were not cut in the strategy's own way, with their number, most frequent first.
        inexact: The first chunks that are not exact, at most ``WORST``; likewise the next three.
        unparsable: The first whose passage does not parse.
        disordered: The first out of order.
        misjoined: The first that are not joined.
    """

    characters: int
    covered: int
    repeated: int
    uncovered: tuple[Stretch, ...]
    left_out: LeftOut
    chunks: int
    exact: int
    parsing: int
    ordered: int
    joined: int
    overlap: int
    shared: int
    sizes: Sizes
    fallbacks: tuple[tuple[str, int], ...]
    inexact: tuple[Fault, ...]
    unparsable: tuple[Fault, ...]
    disordered: tuple[Fault, ...]
    misjoined: tuple[Fault, ...]

    @property
    def cover(self) -> float:
        """Share of the characters that are in some chunk or skip; 1 for a document without any."""
        return self.covered / self.characters if self.characters else 1.0

    @property
    def holds(self) -> bool:
        """Whether nothing is lost, spans are exact, order and overlap hold, and skips are beside chunks."""
        sound = self.exact == self.ordered == self.joined == self.chunks
        return sound and self.covered == self.characters and self.left_out.placed == self.left_out.skips


def prove(
    text: str,
    chunks: Sequence[Chunk],
    skips: Sequence[Skip],
    format: str,
    limit: int | None = None,
    size: Callable[[str], int] = len,
) -> Proof:
    """Count what is covered, exact, parsing, in order, joined and within the limit.

    Args:
        text: The document as stored.
        chunks: Its chunks, in order.
        skips: What the strategy left out on purpose.
        format: As in ``Strategy.format``.
        limit: The largest size that a chunk's text should have; not looked at where ``None``.
        size: What a text's size is; its characters unless said otherwise.
    """
    read = read_as(text, format)
    counts_for = counted(text, format, read)
    times = times_held(len(text), [span for chunk in chunks for span in chunk.spans])
    times_skipped = times_held(len(text), [skip.span for skip in skips])
    lost = counts_for & (times == 0) & (times_skipped == 0)
    counts = shared(chunks)
    inexact, unparsable = _inexact(text, chunks, format, read), _unparsable(chunks, format)
    out_of_order, apart = disordered(chunks, len(text)), misjoined(chunks, counts)
    return Proof(
        characters=int(counts_for.sum()),
        covered=int(counts_for.sum() - lost.sum()),
        repeated=int((counts_for & (times > 1)).sum()),
        uncovered=lost_stretches(text, lost, solid(text)) if lost.any() else (),
        left_out=left_out(skips, times > 0, times_skipped, lost),
        chunks=len(chunks),
        exact=len(chunks) - len(inexact),
        parsing=len(chunks) - len(unparsable),
        ordered=len(chunks) - len(out_of_order),
        joined=len(chunks) - len(apart),
        overlap=sum(chunk.overlap for chunk in chunks),
        shared=sum(counts),
        sizes=_sizes(chunks, limit, size),
        fallbacks=_fallbacks(chunks),
        inexact=tuple(inexact[:WORST]),
        unparsable=tuple(unparsable[:WORST]),
        disordered=tuple(out_of_order[:WORST]),
        misjoined=tuple(apart[:WORST]),
    )


def counted(text: str, format: str, read: Reading | None = None) -> Flags:
    """For each character of a source, whether it must be in a chunk or in a skip.

    Args:
        text: The document as stored.
        format: As in ``Strategy.format``.
        read: Its reading, where that is at hand.
    """
    read = read or read_as(text, format)
    return read.significant(len(text)) if read else significant(text, format)


def _inexact(text: str, chunks: Sequence[Chunk], format: str, read: Reading | None) -> list[Fault]:
    """Chunks that are neither a slice of the source nor made of values that stand in their spans."""
    redumped = [
        (index, chunk)
        for index, chunk in enumerate(chunks)
        if len(chunk.spans) != 1 or chunk.body != text[chunk.spans[0].start : chunk.spans[0].end]
    ]
    if not redumped:
        return []
    values: SourceValues | Reading | None = read
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
    return [fault(index, chunk, reason) for index, chunk, reason in reasons if reason]


def _unparsable(chunks: Sequence[Chunk], format: str) -> list[Fault]:
    """Chunks cut in the strategy's own way that do not parse on their own."""
    return [
        fault(index, chunk, f"it is not {format} on its own")
        for index, chunk in enumerate(chunks)
        if not chunk.metadata.fallback and not parses(format, chunk.passage)
    ]


def _sizes(chunks: Sequence[Chunk], limit: int | None, measure: Callable[[str], int]) -> Sizes:
    if limit is None:
        return Sizes(0, 0, ())
    excesses = [
        Excess(index, chunk.unit, chunk.spans[0], size)
        for index, chunk in enumerate(chunks)
        if (size := measure(chunk.text)) > limit
    ]
    cuttable = [excess for excess in excesses if not chunks[excess.ordinal].metadata.indivisible]
    longest = sorted(cuttable, key=lambda each: (-each.size, each.ordinal))[:WORST]
    return Sizes(len(cuttable), len(excesses) - len(cuttable), tuple(longest))


def _fallbacks(chunks: Sequence[Chunk]) -> tuple[tuple[str, int], ...]:
    reasons = Counter(chunk.metadata.fallback for chunk in chunks if chunk.metadata.fallback)
    return tuple(sorted(reasons.items(), key=lambda each: (-each[1], each[0])))
