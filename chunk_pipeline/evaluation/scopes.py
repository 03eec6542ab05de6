"""Which gold a strategy is asked, and among whose chunks it has to find the answer.

A strategy is asked the gold of the categories that it cuts. Where strategies that cut different categories
meet (``recursive`` cuts Markdown and plain text, ``markdown_header`` only Markdown), the index of one holds
chunks that the other could not return, so for that gold a ranking keeps only the chunks of the categories
that **all** of them cut. Term statistics and the normalisation of a fusion stay those of the whole index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.judgements import Bool


@dataclass(frozen=True, slots=True)
class Scopes:
    """The categories of which each strategy's index holds chunks.

    Attributes:
        categories: Categories by strategy; one that is not named cuts every category.
    """

    categories: Mapping[str, frozenset[str]]

    def asks(self, strategy: str, category: str) -> bool:
        """Whether a strategy is asked the gold of a category."""
        known = self.categories.get(strategy)
        return known is None or category in known

    def asked(self, strategy: str, gold: pa.Table) -> Bool:
        """Which rows of a ``gold_queries`` table a strategy is asked, shape (rows,)."""
        asked = [self.asks(strategy, category) for category in gold["category"].to_pylist()]
        return np.array(asked, dtype=bool)

    def candidates(self, category: str) -> frozenset[str] | None:
        """The categories that all strategies cut which cut this one; ``None`` where no two of them differ."""
        cutting = {known for known in self.categories.values() if category in known}
        return frozenset.intersection(*cutting) if len(cutting) > 1 else None


EVERYWHERE = Scopes({})
"""Every strategy cuts every category."""


def scopes_of(strategies: Iterable[Strategy], indexed: Collection[str]) -> Scopes:
    """The scopes of strategies.

    Args:
        strategies: Those that are compared.
        indexed: The categories that are indexed at all.
    """
    return Scopes({each.name: each.categories & frozenset(indexed) for each in strategies})


def gold_asked(categories: Collection[str], gold: pa.Table) -> pa.Table:
    """The rows of a ``gold_queries`` table that a strategy which cuts these categories is asked."""
    return gold.filter(pc.is_in(gold["category"], pa.array(sorted(categories), pa.string())))


def keep_allowed(ranking: Int, allowed: Bool) -> Int:
    """Rankings with the chunks that are not allowed left out, the others moved up in their order.

    Args:
        ranking: Chunk numbers, best first, -1 where a ranking has ended, shape (rows, depth).
        allowed: Whether each chunk may be returned, shape (chunks,).

    Returns:
        Chunk numbers of the same shape, -1 behind the last.
    """
    if not len(allowed):
        return ranking
    out = (ranking < 0) | ~allowed[ranking]
    order = np.argsort(out, axis=1, kind="stable")
    kept = np.take_along_axis(np.where(out, -1, ranking), order, axis=1)
    return np.asarray(kept, dtype=np.int64)
