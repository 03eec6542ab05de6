"""``dense_index_<strategy>`` and ``bm25_index_<strategy>``, over the repositories all together."""

import time
from collections.abc import Sequence
from typing import Any

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import over_all
from chunk_pipeline.defs.metadata import materialized, table_metadata
from chunk_pipeline.stages.catalog import prune
from chunk_pipeline.stages.indexes import VERSION, build_bm25_index, build_dense_index
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import BM25_TERMS, DENSE_INDEX


def dense_index_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that lays out a strategy's vectors for exact search."""

    @dg.asset(
        key=keys.dense_index(strategy.name),
        deps=[keys.embeddings(strategy.name), *_read_besides(strategy)],
        group_name="indexes",
        kinds={"numpy", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=over_all(f"The vector of every indexed chunk of `{strategy.name}`, for exact search."),
        code_version=str(VERSION),
        metadata=table_metadata(DENSE_INDEX),
    )
    def dense_index(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        prune(workspace)
        return materialized(workspace, build_dense_index(workspace, strategy), started)

    return dense_index


def bm25_index_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that builds a strategy's eager BM25 index."""

    @dg.asset(
        key=keys.bm25_index(strategy.name),
        deps=[keys.postings(strategy.name), *_read_besides(strategy)],
        group_name="indexes",
        kinds={"numpy", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=over_all(
            f"Eager BM25 index of `{strategy.name}`; scores are those of rank-bm25's BM25Okapi."
        ),
        code_version=str(VERSION),
        metadata=table_metadata(BM25_TERMS),
    )
    def bm25_index(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        prune(workspace)
        return materialized(workspace, build_bm25_index(workspace, strategy), started)

    return bm25_index


def _read_besides(strategy: Strategy) -> list[dg.AssetKey]:
    """What both indexes read: the chunks, and which of them are left out."""
    return [keys.chunks(strategy.name), *([keys.DUPLICATES] if strategy.gives_facts else [])]


def indexes_assets(strategies: Sequence[Strategy]) -> list[dg.AssetsDefinition]:
    """The indexes of all strategies."""
    return [make(strategy) for strategy in strategies for make in (dense_index_asset, bm25_index_asset)]
