"""The weight of the convex fusion, tuned so that the figures stay honest.

A weight that is tuned on the queries that it is then judged by looks better than it is. So queries are dealt
into folds by cluster of files (``sample.clusters``), each fold gets the weight that is best on the **other**
folds, and the rankings that are evaluated use that one. A search outside the gold uses the weight that is
best on all of it. How scores are fused belongs in ``retrieval``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.judgements import Bool, judge
from chunk_pipeline.evaluation.ranking_metrics import Float
from chunk_pipeline.evaluation.sample import clusters

Scores = NDArray[np.floating]
Legs = Callable[[slice], tuple[Scores, Scores]]
"""Some of the queries → their BM25 scores and their dense scores, each of shape (queries, chunks)."""

Fuse = Callable[[Scores, Scores, float], Scores]
"""(BM25 scores, dense scores, weight) → fused scores, all of shape (queries, chunks)."""

FOLDS = 5
GRID = tuple(place / 20 for place in range(21))
"""Weights tried."""

NEUTRAL = 0.5
"""The weight where the gold says nothing; of equal weights the nearest to it is taken."""

_BLOCK = 64
"""Queries fused at once."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """A tuned weight and what it is worth.

    Attributes:
        weight: Best on all queries: for searches.
        queries: The distinct gold queries.
        weights: The weight for each query, best on the queries of the other folds, shape (queries,).
        folds: Fold of each query, shape (queries,).
        held_out: Reciprocal rank of each query under its own weight, shape (queries,).
        in_sample: Mean reciprocal rank of ``weight`` on the queries that chose it: an optimistic figure.
    """

    weight: float
    queries: tuple[str, ...]
    weights: Float
    folds: Int
    held_out: Float
    in_sample: float

    def by_weight(self) -> Iterator[tuple[float, tuple[str, ...]]]:
        """(weight, the queries to rank with it), ascending."""
        for weight in sorted(set(self.weights.tolist())):
            chosen = np.flatnonzero(self.weights == weight)
            yield float(weight), tuple(self.queries[place] for place in chosen.tolist())


def tune_convex(
    gold: pa.Table,
    chunks: pa.Table,
    chunk_ids: Sequence[str] | pa.Array,
    queries: Sequence[str],
    legs: Legs,
    fuse: Fuse,
) -> Tuning:
    """Tune the weight on one strategy: mean reciprocal rank of the first relevant chunk, at chunk level.

    Args:
        gold: A ``gold_queries`` table.
        chunks: ``chunks`` of the strategy.
        chunk_ids: The chunk of each column of the scores, in the order that breaks ties.
        queries: The queries to tune on; all must be gold queries.
        legs: Gives the scores of some of them, so that never more than a few are in memory.
        fuse: The fusion, from ``retrieval``.

    Returns:
        The same for the same input. Without queries or chunks the weight is ``NEUTRAL``.

    Raises:
        ValueError: A query is not in the gold, or a chunk not among the chunks.
    """
    row_query = np.asarray(pc.index_in(gold["query"], value_set=pa.array(queries, pa.string())).fill_null(-1))
    missing = sorted(set(range(len(queries))) - set(row_query.tolist()))
    if missing:
        raise ValueError(f"{queries[missing[0]]!r} is no gold query; mine the gold again before tuning")
    pairs = _relevant_pairs(gold, chunks, chunk_ids, row_query)
    ranks = _reciprocal_ranks(len(queries), pairs, legs, fuse)
    return _chosen(tuple(queries), ranks, _folds(clusters(gold), row_query, len(queries)))


def _chosen(queries: tuple[str, ...], ranks: Float, folds: Int) -> Tuning:
    """The best weights by the reciprocal ranks of every query under every weight."""
    weights = np.full(len(queries), NEUTRAL)
    held_out = np.zeros(len(queries))
    for fold in np.unique(folds):
        inside = folds == fold
        best = _best(ranks[:, ~inside])
        weights[inside] = GRID[best]
        held_out[inside] = ranks[best, inside]
    best = _best(ranks)
    in_sample = float(ranks[best].mean()) if len(queries) else 0.0
    return Tuning(GRID[best], queries, weights, folds, held_out, in_sample)


def _relevant_pairs(
    gold: pa.Table, chunks: pa.Table, chunk_ids: Sequence[str] | pa.Array, row_query: Int
) -> tuple[Int, Int]:
    """(query, column) of every relevant chunk."""
    ids = chunk_ids if isinstance(chunk_ids, pa.Array) else pa.array(chunk_ids, pa.string())
    rows = pc.index_in(ids, value_set=chunks["chunk_id"])
    if rows.null_count:
        raise ValueError(f"{rows.null_count} indexed chunks are not in the chunks; build the index again")
    judgements = judge(gold, chunks.select(["repository", "path", "spans", "n_tokens"]).take(rows))
    n_chunks = max(judgements.n_chunks, 1)
    query, chunk = row_query[judgements.chunk_pairs // n_chunks], judgements.chunk_pairs % n_chunks
    return query[query >= 0], chunk[query >= 0]


def _reciprocal_ranks(n_queries: int, pairs: tuple[Int, Int], legs: Legs, fuse: Fuse) -> Float:
    """Reciprocal rank of every query under every weight, shape (weights, queries)."""
    ranks = np.zeros((len(GRID), n_queries))
    for first in range(0, n_queries, _BLOCK):
        block = slice(first, min(first + _BLOCK, n_queries))
        bm25, dense = legs(block)
        if not bm25.size:
            continue
        relevant = np.zeros(bm25.shape, dtype=bool)
        inside = (pairs[0] >= block.start) & (pairs[0] < block.stop)
        relevant[pairs[0][inside] - first, pairs[1][inside]] = True
        for place, weight in enumerate(GRID):
            ranks[place, block] = _first_relevant(fuse(bm25, dense, weight), relevant)
    return ranks


def _first_relevant(scores: Scores, relevant: Bool) -> Float:
    """1 ÷ the place of the best relevant column, ties in the order of columns; 0 where none is relevant."""
    column = np.where(relevant, scores, -np.inf).argmax(axis=1)[:, None]
    best = np.take_along_axis(scores, column, axis=1)
    earlier = np.arange(scores.shape[1]) < column
    ahead = ((scores > best) | ((scores == best) & earlier)).sum(axis=1)
    found: Bool = np.any(relevant, axis=1)
    return np.where(found, 1.0 / (ahead + 1.0), 0.0)


def _folds(cluster_of_row: Int, row_query: Int, n_queries: int) -> Int:
    """Fold of each query: whole clusters, the largest first, each to the fold with the fewest queries."""
    cluster = np.zeros(n_queries, dtype=np.int64)
    asked = row_query >= 0
    cluster[row_query[asked]] = cluster_of_row[asked]
    labels, sizes = np.unique(cluster, return_counts=True)
    folds = np.zeros(n_queries, dtype=np.int64)
    filled = [0] * FOLDS
    for place in np.lexsort((labels, -sizes)).tolist():
        fold = filled.index(min(filled))
        filled[fold] += int(sizes[place])
        folds[cluster == labels[place]] = fold
    return folds


def _best(ranks: Float) -> int:
    """The grid place with the highest mean; of equals the nearest to neutral, then the lower."""
    mean = ranks.mean(axis=1).round(12) if ranks.shape[1] else np.zeros(len(GRID))
    return min(range(len(GRID)), key=lambda place: (-mean[place], abs(GRID[place] - NEUTRAL), place))
