"""How many of a source's words its chunks hold: the proof by content that stands beside the proof by spans.

Spans prove where a chunk is from; words prove that what is there is what stands there. What was skipped on
purpose is counted apart. What does not belong here: which share is good enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunk_pipeline.chunking.chunk import Chunk, Skip, Span
from chunk_pipeline.chunking.reading import Reading, read_as, words

SHOWN = 10
"""Missing words that are kept, the most frequent first."""


@dataclass(frozen=True, slots=True)
class WordCoverage:
    """The words of one source.

    Attributes:
        words: All of them, each as often as it stands there, less those skipped.
        found: Those that the chunks hold, without what they repeat of each other.
        skipped: Words in skips.
        missing: The words that are lacking most often, with their number.
    """

    words: int
    found: int
    skipped: int
    missing: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """Share of the words that are found; 1 where there are none."""
        return self.found / self.words if self.words else 1.0


def word_coverage(text: str, chunks: Sequence[Chunk], skips: Sequence[Skip], format: str) -> WordCoverage:
    """Compare the words of a source with those of its chunks, as multisets.

    Args:
        text: The document as stored.
        chunks: Its chunks, in order; of each the body without the words of its overlap counts.
        skips: What was left out on purpose.
        format: As in ``Strategy.format``.
    """
    read = _reading(text, format)
    skipped = read.words(_disjoint([skip.span for skip in skips]))
    wanted = words(read.text) - skipped
    held: Counter[str] = Counter()
    for chunk in chunks:
        held.update(words(chunk.body) - _repeated(read, chunk))
    missing = wanted - held
    total = wanted.total()
    most = sorted(missing.items(), key=lambda each: (-each[1], each[0]))[:SHOWN]
    return WordCoverage(total, total - missing.total(), skipped.total(), tuple(most))


def _repeated(read: Reading, chunk: Chunk) -> Counter[str]:
    """The words of the overlap, from the source: a body may have other blanks and marks between them."""
    start = chunk.spans[0].start
    return read.words([Span(start, start + chunk.overlap)])


def _reading(text: str, format: str) -> Reading:
    """The source as its reader sees it; itself where the format has no other reading."""
    read = read_as(text, format)
    if read is not None:
        return read
    places = np.arange(len(text), dtype=np.int64)
    return Reading(text, places, places + 1)


def _disjoint(spans: Sequence[Span]) -> list[Span]:
    """The spans, those that overlap united: no word may count twice."""
    united: list[Span] = []
    for span in sorted(spans):
        if united and span.start < united[-1].end:
            united[-1] = Span(united[-1].start, max(united[-1].end, span.end))
        else:
            united.append(span)
    return united
