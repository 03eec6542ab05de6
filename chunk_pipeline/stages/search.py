"""From a question to chunks, over the indexes as stored.

A question is not asked of one category. Unless a strategy is named, each category is searched in the chunks
of the strategy that the report recommends for it, all in one index, so that their scores can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.registry import strategy as strategy_named
from chunk_pipeline.embedding.inputs import tag_of
from chunk_pipeline.evaluation.recommendation import recommend
from chunk_pipeline.evaluation.tuning import tune
from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, prose_chunks
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.retrieval.filters import ASK_NOTHING, Filters, chunks_that_pass
from chunk_pipeline.retrieval.search import Result, chunks_of_repository, results, search
from chunk_pipeline.stages.corpus import NotMaterializedError
from chunk_pipeline.stages.deduplication import searched_chunks, without_duplicates
from chunk_pipeline.stages.embeddings import QUERIES
from chunk_pipeline.stages.passages import encode_query, queries_as_written
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import (
    BM25_CHUNKS,
    BM25_TERMS,
    COMPARISONS,
    DENSE_INDEX,
    DUPLICATES,
    GOLD_QUERIES,
    POSTINGS,
    RETRIEVAL_METRICS,
    STRUCTURE_METRICS,
    VECTORS,
)


@dataclass(frozen=True, slots=True)
class _Searched:
    """Chunks with both indexes over them."""

    chunks: pa.Table
    bm25: BM25Index
    dense: DenseIndex


def find(
    workspace: Workspace,
    query: str,
    *,
    strategy: Strategy | None = None,
    retriever: str,
    k: int,
    repository: str | None = None,
    filters: Filters = ASK_NOTHING,
) -> list[Result]:
    """The best chunks for a query, the best first, as of the end of the last run that was whole.

    Args:
        workspace: Where the indexes are.
        query: Any text.
        strategy: Whose chunks; by default, in each category, those of the strategy recommended for it.
        retriever: bm25, dense, rrf or convex; convex has the weight that is best on the gold.
        k: How many at most.
        repository: Only chunks of this source.
        filters: Only chunks that pass.

    Raises:
        NotMaterializedError: There is no index, or without a strategy no report, yet.
        ValueError: k is negative, or the retriever unknown.
        DamagedTableError: What is needed does not read back; the message says what to do.
    """
    workspace = workspace.as_released()
    searched = _recommended(workspace) if strategy is None else _indexed(workspace, strategy)
    context = tag_of(filters.type_letter or "", filters.country or "")
    hits = search(
        query,
        searched.bm25,
        searched.dense,
        lambda words: encode_query(workspace, words, searched.dense.models, context),
        retriever,
        k,
        _weight(workspace, searched) if retriever == "convex" else 0.5,
        _among(searched.chunks, repository, filters),
    )
    return results(hits, searched.chunks)


def recommended_strategies(workspace: Workspace) -> dict[str, Strategy]:
    """The strategy that the report recommends for each indexed category that has chunks.

    Raises:
        NotMaterializedError: Nothing was evaluated yet.
    """
    tables = [workspace.warehouse.read(each) for each in (STRUCTURE_METRICS, RETRIEVAL_METRICS, COMPARISONS)]
    indexed = workspace.sources.indexed_categories
    found = {each.category: each.strategy for each in recommend(*tables) if each.category in indexed}
    if not found:
        raise NotMaterializedError("nothing was evaluated yet; run 'chunk-pipeline run' first")
    return {category: strategy_named(name) for category, name in found.items()}


def _among(chunks: pa.Table, repository: str | None, filters: Filters) -> pa.Array | None:
    """Ids of the chunks that may be found; ``None`` for all."""
    own = None if repository is None else chunks_of_repository(chunks, repository)
    if filters == ASK_NOTHING:
        return own
    passing = chunks_that_pass(chunks, filters)
    return passing if own is None else passing.filter(pc.is_in(passing, value_set=own))


def _indexed(workspace: Workspace, strategy: Strategy) -> _Searched:
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name)
    for table in (BM25_TERMS, DENSE_INDEX):
        if warehouse.stored(table, own) is None:
            warehouse.read(table, own)  # raises where the reason is damage
            raise NotMaterializedError(f"{strategy.name} has no index yet; run 'chunk-pipeline run' first")
    return _Searched(
        searched_chunks(workspace, strategy),
        BM25Index.from_tables(warehouse.read(BM25_TERMS, own), warehouse.read(BM25_CHUNKS, own)),
        DenseIndex.from_table(warehouse.read(DENSE_INDEX, own)),
    )


def _recommended(workspace: Workspace) -> _Searched:
    """One index over several strategies' chunks, built from their postings: a word weighs the same in all."""
    warehouse = workspace.warehouse
    by_strategy: dict[Strategy, list[str]] = {}
    for category, strategy in recommended_strategies(workspace).items():
        by_strategy.setdefault(strategy, []).append(category)
    if len(by_strategy) == 1:
        return _indexed(workspace, *by_strategy)
    chunks = pa.concat_tables(_chunks_by_category(workspace, by_strategy))
    chunks = without_duplicates(chunks, warehouse.read(DUPLICATES))
    names = [strategy.name for strategy in by_strategy]
    postings = pa.concat_tables([warehouse.read(POSTINGS, strategy=name) for name in names])
    laid = [warehouse.read(DENSE_INDEX, Partition(strategy=name)) for name in names]
    dense = joined([table for table in laid if table.num_rows] or laid[:1])
    dense = dense.filter(pc.is_in(dense["chunk_id"], chunks["chunk_id"].combine_chunks())).sort_by("chunk_id")
    ids = sorted(chunks["chunk_id"].to_pylist())
    terms, ordinals = build_bm25("several", ids, postings, prose_chunks(chunks))
    return _Searched(chunks, BM25Index.from_tables(terms, ordinals), DenseIndex.from_table(dense))


def _chunks_by_category(workspace: Workspace, wanted: Mapping[Strategy, list[str]]) -> list[pa.Table]:
    tables = []
    for strategy, categories in wanted.items():
        chunks = searched_chunks(workspace, strategy)
        tables.append(chunks.filter(pc.is_in(chunks["category"], pa.array(categories, pa.string()))))
    return tables


def _weight(workspace: Workspace, searched: _Searched) -> float:
    gold = workspace.warehouse.read(GOLD_QUERIES)
    stored = workspace.warehouse.read(VECTORS, QUERIES)
    vectors = queries_as_written(workspace, gold["query"].to_pylist(), stored)
    return tune(gold, searched.chunks, searched.bm25, searched.dense, vectors).weight
