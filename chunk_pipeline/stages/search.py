"""From a question to chunks, over the indexes as stored."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.evaluation.tuning import tune
from chunk_pipeline.retrieval.bm25 import BM25Index
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.retrieval.search import Result, chunks_of_repository, results, search
from chunk_pipeline.stages.corpus import NotMaterializedError
from chunk_pipeline.stages.embeddings import QUERIES, indexed_chunks
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import BM25_CHUNKS, BM25_TERMS, DENSE_INDEX, GOLD_QUERIES, VECTORS


def find(
    workspace: Workspace,
    strategy: Strategy,
    query: str,
    *,
    retriever: str,
    k: int,
    repository: str | None = None,
) -> list[Result]:
    """The best chunks of a strategy for a query, the best first.

    Args:
        workspace: Where the indexes are.
        strategy: Whose chunks.
        query: Any text.
        retriever: bm25, dense, rrf or convex; convex has the weight that is best on the gold.
        k: How many at most.
        repository: Only chunks of this source.

    Raises:
        NotMaterializedError: The strategy has no index yet.
        ValueError: k is negative, or the retriever unknown.
    """
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name)
    if warehouse.stored(BM25_TERMS, own) is None or warehouse.stored(DENSE_INDEX, own) is None:
        raise NotMaterializedError(f"{strategy.name} has no index yet; run 'chunk-pipeline run' first")
    bm25 = BM25Index.from_tables(warehouse.read(BM25_TERMS, own), warehouse.read(BM25_CHUNKS, own))
    dense = DenseIndex.from_table(warehouse.read(DENSE_INDEX, own))
    chunks = indexed_chunks(workspace, strategy)
    hits = search(
        query,
        bm25,
        dense,
        lambda: workspace.encoder,
        retriever,
        k,
        _weight(workspace, chunks, bm25, dense) if retriever == "convex" else 0.5,
        None if repository is None else chunks_of_repository(chunks, repository),
    )
    return results(hits, chunks)


def _weight(workspace: Workspace, chunks: pa.Table, bm25: BM25Index, dense: DenseIndex) -> float:
    gold = workspace.warehouse.read(GOLD_QUERIES)
    vectors = workspace.warehouse.read(VECTORS, QUERIES)
    return tune(gold, chunks, bm25, dense, vectors).weight
