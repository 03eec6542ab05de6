"""A strategy's rankings for the gold queries, the convex fusion with an honest weight.

``weights`` says how the weight is chosen and why each query has that of the other folds; here its scores come
from the indexes and its choice goes into the rankings.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.arrays import Vectors, to_numpy
from chunk_pipeline.evaluation.weights import Scores, Tuning, tune_convex
from chunk_pipeline.retrieval.bm25 import BM25Index
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.retrieval.fusion import convex
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.retrieval.rankings import bm25_scores, rank_queries
from chunk_pipeline.warehouse.tables import RANKINGS


def tuned_rankings(
    strategy: str,
    gold: pa.Table,
    chunks: pa.Table,
    bm25: BM25Index,
    dense: DenseIndex,
    vectors: pa.Table,
    depth: int = 1000,
) -> pa.Table:
    """Rank a strategy's chunks for every distinct gold query with every retriever.

    Args:
        strategy: Name of the strategy.
        gold: A ``gold_queries`` table.
        chunks: The indexed ``chunks``.
        bm25: Index of these chunks.
        dense: Index of the same.
        vectors: ``vectors`` of the gold queries by every model of the index, by the digests of the queries
            as they are written.
        depth: Ranks kept; a relevant chunk below counts as not found.

    Returns:
        A ``rankings`` table; ``convex`` ranks each query with the weight tuned on the other folds.

    Raises:
        ValueError: A query has no vector, or the indexes are not of these chunks.
    """
    queries, encoded = _encoded(gold, vectors, dense.models)
    tuning = _tune(gold, chunks, bm25, dense, queries, encoded)
    place = {query: number for number, query in enumerate(queries)}
    parts = [
        rank_queries(
            strategy, asked, bm25, dense, encoded[[place[each] for each in asked]], weight, depth=depth
        )
        for weight, asked in tuning.by_weight()
    ]
    rankings = pa.concat_tables([RANKINGS.empty(), *parts])
    return rankings.sort_by([(column, "ascending") for column in RANKINGS.sort]).combine_chunks()


def tune(gold: pa.Table, chunks: pa.Table, bm25: BM25Index, dense: DenseIndex, vectors: pa.Table) -> Tuning:
    """The tuned weight of a strategy: its ``weight`` is for searches; arguments as in ``tuned_rankings``."""
    return _tune(gold, chunks, bm25, dense, *_encoded(gold, vectors, dense.models))


def _tune(
    gold: pa.Table,
    chunks: pa.Table,
    bm25: BM25Index,
    dense: DenseIndex,
    queries: Sequence[str],
    encoded: QueryVectors,
) -> Tuning:
    def legs(block: slice) -> tuple[Scores, Scores]:
        return bm25_scores(bm25, queries[block]), dense.scores(encoded[block])

    return tune_convex(gold, chunks, bm25.chunk_ids, queries, legs, convex)


def _encoded(gold: pa.Table, vectors: pa.Table, models: Sequence[str]) -> tuple[list[str], QueryVectors]:
    """The distinct queries in the order of text, and their vectors by each model."""
    queries = sorted(set(gold["query"].to_pylist()))
    wanted = pa.array([digest(query) for query in queries], pa.string())
    by_model = {model: _of_model(wanted, vectors, model) for model in models} if queries else {}
    return queries, QueryVectors(by_model, len(queries))


def _of_model(wanted: pa.Array, vectors: pa.Table, model: str) -> Vectors:
    """The vectors of some digests by one model, shape (digests, dimension)."""
    own = vectors.filter(pc.equal(vectors["model"], model))
    rows = pc.index_in(wanted, value_set=own["text_sha256"].combine_chunks())
    if rows.null_count:
        raise ValueError(
            f"{rows.null_count} gold queries have no vector by {model}; embed the gold queries again"
        )
    column = own["vector"].take(rows)
    return to_numpy(column, getattr(column.type, "list_size", 0) or len(column[0]))
