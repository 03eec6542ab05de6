"""``embeddings_<strategy>`` and ``postings_<strategy>``, partitioned by repository."""

import time
from collections.abc import Sequence
from typing import Any

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import per_repository
from chunk_pipeline.defs.metadata import materialized, table_metadata
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.embeddings import VERSION, embed, post
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import POSTINGS, VECTORS


def embeddings_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that encodes a repository's chunks."""

    @dg.asset(
        key=keys.embeddings(strategy.name),
        deps=[keys.chunks(strategy.name)],
        partitions_def=REPOSITORY,
        group_name="embeddings",
        kinds={"pytorch", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        pool=keys.ENCODER_POOL,
        description=per_repository(
            f"One vector for each distinct text among the indexed chunks of `{strategy.name}`. Texts that "
            "were encoded before are not encoded again."
        ),
        code_version=str(VERSION),
        metadata=table_metadata(VECTORS),
    )
    def embeddings(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        outcome = embed(workspace, source_name(context.partition_key), strategy)
        return materialized(workspace, outcome, started, more={"model": workspace.model_keys})

    return embeddings


def postings_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that counts the terms of a repository's chunks."""

    @dg.asset(
        key=keys.postings(strategy.name),
        deps=[keys.chunks(strategy.name)],
        partitions_def=REPOSITORY,
        group_name="embeddings",
        kinds={"python", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=per_repository(f"Terms of the indexed chunks of `{strategy.name}`, for BM25."),
        code_version=str(VERSION),
        metadata=table_metadata(POSTINGS),
    )
    def postings(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        outcome = post(workspace, source_name(context.partition_key), strategy)
        return materialized(workspace, outcome, started)

    return postings


def embeddings_assets(strategies: Sequence[Strategy]) -> list[dg.AssetsDefinition]:
    """The assets of all strategies."""
    return [make(strategy) for strategy in strategies for make in (embeddings_asset, postings_asset)]
