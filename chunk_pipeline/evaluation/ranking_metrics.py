"""Metrics of rankings: pure functions of ranked relevance, one row a query.

All take matrices of shape (rows, depth), best place first, and return one figure a row. Relevance is binary.
Names and definitions are those of BEIR and ir-measures, with which a test compares them. At file level only
the first chunk of each file has a place (``distinct_places``); reciprocal rank counts chunks at both levels,
as the reference study does. What is relevant is decided in ``judgements``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.evaluation.intervals import Int, Intervals, union_lengths
from chunk_pipeline.evaluation.judgements import Bool, Judgements

Float = NDArray[np.float64]


def chunk_places(ranking: Int) -> Int:
    """Place of each chunk, from 1; 0 where the ranking has ended (-1)."""
    return np.where(ranking >= 0, np.arange(1, ranking.shape[1] + 1), 0)


def distinct_places(files: Int) -> Int:
    """Place of each file among the distinct files of its ranking, from 1.

    Args:
        files: File number of each place, -1 where the ranking has ended.

    Returns:
        0 where a file was seen before, or the ranking has ended.
    """
    order = np.argsort(files, axis=1, kind="stable")
    sorted_files = np.take_along_axis(files, order, axis=1)
    fresh_sorted = np.ones(files.shape, dtype=bool)
    fresh_sorted[:, 1:] = sorted_files[:, 1:] != sorted_files[:, :-1]
    fresh = np.zeros(files.shape, dtype=bool)
    np.put_along_axis(fresh, order, fresh_sorted, axis=1)
    fresh &= files >= 0
    return np.where(fresh, np.cumsum(fresh, axis=1), 0)


def hit(relevant: Bool, places: Int, k: int) -> Float:
    """hit@K (Success@K): 1 where one of the first ``k`` places is relevant, else 0."""
    found: Bool = np.any(relevant & (places > 0) & (places <= k), axis=1)
    return found.astype(np.float64)


def reciprocal_rank(relevant: Bool) -> Float:
    """1 ÷ the place of the first relevant chunk; 0 where the ranking holds none."""
    if not relevant.shape[1]:
        return np.zeros(relevant.shape[0])
    found: Bool = np.any(relevant, axis=1)
    return np.where(found, 1.0 / (np.argmax(relevant, axis=1) + 1.0), 0.0)


def ndcg(relevant: Bool, places: Int, n_relevant: Int, k: int = 10) -> Float:
    """nDCG@K with binary gains and the discount log2(place + 1) (Järvelin and Kekäläinen 2002).

    Args:
        relevant: Relevance of each place.
        places: Place of each, 0 where it has none.
        n_relevant: How many items there are to find, found or not, shape (rows,); 0 gives 0.
        k: Places that count.
    """
    counted = relevant & (places > 0) & (places <= k)
    gain = np.where(counted, 1.0 / np.log2(np.maximum(places, 1) + 1.0), 0.0).sum(axis=1)
    ideal_by_count = np.concatenate(([0.0], np.cumsum(1.0 / np.log2(np.arange(2, k + 2)))))
    ideal = ideal_by_count[np.minimum(n_relevant, k)]
    return _ratio(gain, ideal)


def hit_within_tokens(relevant: Bool, ranking: Int, chunk_tokens: Int, budget: int) -> Float:
    """1 where one of the chunks that fit a budget of tokens is relevant, else 0.

    Chunks are taken in ranked order while their tokens add up to at most ``budget``. It makes strategies with
    chunks of different sizes comparable: what a reader of that many tokens would have seen.
    """
    if not ranking.size or not len(chunk_tokens):
        return np.zeros(ranking.shape[0])
    tokens = np.where(ranking >= 0, chunk_tokens[ranking], 0)
    fits = np.cumsum(tokens, axis=1) <= budget
    found: Bool = np.any(relevant & fits, axis=1)
    return found.astype(np.float64)


def span_metrics(judgements: Judgements, ranking: Int, k: int = 5) -> tuple[Float, Float, Float]:
    """Recall, precision and intersection over union on characters, of the first ``k`` chunks.

    Retrieved characters are the union of the chunks' spans (headers are in no span), relevant ones the union
    of the row's gold spans over all its files; a character counts once however often it is held. After the
    token-level metrics of Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (2024).

    Returns:
        (recall, precision, IoU), each shape (rows,); 0 where there is nothing to divide by.
    """
    n_rows = ranking.shape[0]
    row, place = np.nonzero(ranking[:, :k] >= 0)
    which, spans = judgements.chunk_spans.take(ranking[row, place])
    retrieved = Intervals(row[which].astype(np.int64), spans.start, spans.end)
    gold = judgements.gold_spans
    both = Intervals(
        np.concatenate((retrieved.owner, gold.owner)),
        np.concatenate((retrieved.start, gold.start)),
        np.concatenate((retrieved.end, gold.end)),
    )
    n_retrieved, n_gold = union_lengths(retrieved, n_rows), union_lengths(gold, n_rows)
    union = union_lengths(both, n_rows)
    shared = n_retrieved + n_gold - union
    return _ratio(shared, n_gold), _ratio(shared, n_retrieved), _ratio(shared, union)


def _ratio(part: Int | Float, whole: Int | Float) -> Float:
    ratio: Float = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return ratio
