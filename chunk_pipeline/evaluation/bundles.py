"""Bundle efficiency: how much of what a reader is handed is about what was asked.

The characters of lines that mention the target ÷ the characters of the first five chunks, after the study of
Markdown chunking that the strategies are from. The texts are those that are embedded, header included, since
that is what a reader is handed. Whether a chunk answers at all belongs in ``judgements``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.ranking_metrics import Float

BUNDLE_DEPTH = 5


class Bundles:
    """The texts that rankings hand to a reader, and where they mention the targets of the gold."""

    def __init__(self, targets: Sequence[str], texts: pa.ChunkedArray) -> None:
        """Arguments are the target of each gold row and the text of each chunk."""
        self._targets = [_folded(target) for target in targets]
        self._texts = texts
        self._read: dict[int, tuple[str, str]] = {}
        self._mentions: dict[tuple[str, int], int] = {}

    def efficiency(self, ranking: Int, k: int = BUNDLE_DEPTH) -> Float:
        """Characters of the lines that mention a row's target ÷ characters of its first ``k`` chunks.

        Case and the kind of white space make no difference. A line's break belongs to it. Repeated text
        counts as often as it is handed over.

        Args:
            ranking: Chunk numbers, -1 where a ranking has ended, shape (rows, depth); one row a gold row.
            k: Chunks that are handed over.

        Returns:
            From 0 to 1, shape (rows,); 0 for a row without a target or without chunks.
        """
        bundle = ranking[:, :k]
        self._fetch(np.unique(bundle[bundle >= 0]))
        found = np.zeros(len(bundle))
        for row, (target, chunks) in enumerate(zip(self._targets, bundle.tolist(), strict=True)):
            handed = [chunk for chunk in chunks if chunk >= 0]
            size = sum(len(self._read[chunk][0]) for chunk in handed)
            if size and target:
                found[row] = sum(self._mentioned(target, chunk) for chunk in handed) / size
        return found

    def _fetch(self, chunks: Int) -> None:
        """Read the texts of these chunks that were not read before, all at once."""
        missing = [chunk for chunk in chunks.tolist() if chunk not in self._read]
        texts = self._texts.take(pa.array(missing, pa.int64())).to_pylist()
        self._read.update((chunk, (text, text.lower())) for chunk, text in zip(missing, texts, strict=True))

    def _mentioned(self, target: str, chunk: int) -> int:
        """Characters of a chunk's lines that mention a target; strategies' retrievers share most of them."""
        key = (target, chunk)
        if key not in self._mentions:
            text, lowered = self._read[chunk]
            # Most chunks mention nothing: their first word is looked for before any line is looked at.
            if target.partition(" ")[0] not in lowered:
                self._mentions[key] = 0
            else:
                lines = text.splitlines(keepends=True)
                self._mentions[key] = sum(len(line) for line in lines if target in _folded(line))
        return self._mentions[key]


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
