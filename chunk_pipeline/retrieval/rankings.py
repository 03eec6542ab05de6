"""Every retriever's ranking of many queries: what an evaluation reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from chunk_pipeline.retrieval.bm25 import BM25Index
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.retrieval.fusion import convex, fuse_ranks, rank_order
from chunk_pipeline.retrieval.prose import terms_of
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.warehouse.tables import RANKINGS

Float = NDArray[np.float64]
Scores = NDArray[np.floating[Any]]

RETRIEVERS = ("bm25", "convex", "dense", "rrf")
"""Every retriever; ``convex`` and ``rrf`` fuse the other two."""

BLOCK = 64
"""Queries scored at once: bounds memory."""


def bm25_scores(bm25: BM25Index, queries: Sequence[str]) -> Float:
    """BM25 score of every chunk for every query, shape (queries, chunks)."""
    scores = np.zeros((len(queries), len(bm25)))
    for row, query in enumerate(queries):
        scores[row] = bm25.answer(terms_of(query))
    return scores


def retriever_scores(retriever: str, bm25: Scores, dense: Scores, convex_weight: float) -> Scores:
    """A retriever's scores from those of BM25 and dense, all of shape (queries, chunks).

    Args:
        retriever: One of ``RETRIEVERS``.
        bm25: BM25 scores.
        dense: Dense scores.
        convex_weight: Share of BM25 in ``convex``.

    Raises:
        ValueError: There is no such retriever.
    """
    if retriever == "bm25":
        return bm25
    if retriever == "dense":
        return dense
    if retriever == "rrf":
        return fuse_ranks((bm25, dense))
    if retriever == "convex":
        return convex(bm25, dense, convex_weight)
    raise ValueError(f"no retriever {retriever!r}; there are: {', '.join(RETRIEVERS)}")


def rank_queries(
    strategy: str,
    queries: Sequence[str],
    bm25: BM25Index,
    dense: DenseIndex,
    query_vectors: QueryVectors,
    convex_weight: float,
    depth: int = 1000,
) -> pa.Table:
    """Rank all chunks of a strategy for every query with every retriever, and keep the best.

    Args:
        strategy: Strategy of the rows.
        queries: Distinct queries.
        bm25: BM25 index of the strategy.
        dense: Dense index of the same chunks.
        query_vectors: Vectors of the queries, in their order.
        convex_weight: Share of BM25 in ``convex``.
        depth: Ranks kept of each ranking; fusion is over full rankings, whatever the depth.

    Returns:
        A ``rankings`` table, sorted.

    Raises:
        ValueError: The indexes hold different chunks, or queries and vectors differ in number.
    """
    same_chunks(bm25, dense)
    if len(queries) != len(query_vectors):
        raise ValueError(f"{len(queries)} queries but {len(query_vectors)} query vectors")
    parts = [slice(first, first + BLOCK) for first in range(0, len(queries), BLOCK)]
    blocks = [
        block
        for part in parts
        for block in _ranked(queries[part], bm25, dense, query_vectors[part], convex_weight, depth)
    ]
    ranked = pa.concat_tables(blocks) if blocks else RANKINGS.schema.remove(0).empty_table()
    table = ranked.add_column(0, RANKINGS.schema.field("strategy"), pa.repeat(strategy, ranked.num_rows))
    return table.cast(RANKINGS.schema).sort_by([(name, "ascending") for name in RANKINGS.sort])


def same_chunks(bm25: BM25Index, dense: DenseIndex) -> None:
    """Hold two indexes to the same chunks.

    Raises:
        ValueError: They differ.
    """
    if not bm25.chunk_ids.equals(dense.chunk_ids):
        raise ValueError(
            f"the BM25 index ({len(bm25)} chunks) and the dense index ({len(dense)}) hold different chunks; "
            "build both from the same chunks"
        )


def _ranked(
    queries: Sequence[str],
    bm25: BM25Index,
    dense: DenseIndex,
    query_vectors: QueryVectors,
    convex_weight: float,
    depth: int,
) -> Iterator[pa.Table]:
    lexical, semantic = bm25_scores(bm25, queries), dense.scores(query_vectors)
    for retriever in RETRIEVERS:
        scores = retriever_scores(retriever, lexical, semantic, convex_weight)
        order = rank_order(scores)[:, :depth]
        n, kept = order.shape
        columns = {
            "retriever": pa.repeat(retriever, n * kept),
            "query": pa.array(queries, pa.string()).take(pa.array(np.repeat(np.arange(n), kept))),
            "rank": pa.array(np.tile(np.arange(1, kept + 1, dtype=np.int32), n)),
            "chunk_id": bm25.chunk_ids.take(pa.array(order.reshape(-1))),
            "score": pa.array(np.take_along_axis(scores, order, axis=1).reshape(-1).astype(np.float64)),
        }
        schema = RANKINGS.schema.remove(RANKINGS.schema.get_field_index("strategy"))
        yield pa.table([columns[name] for name in schema.names], schema=schema)
