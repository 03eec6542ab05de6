"""``chunks_<strategy>``: one asset for each registered strategy, partitioned by repository."""

import time
from collections.abc import Sequence
from typing import Any

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import chunks_of
from chunk_pipeline.defs.metadata import materialized, table_metadata
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.chunks import VERSION, chunk_files
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS


def chunks_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that cuts a repository's files with a strategy."""

    @dg.asset(
        key=keys.chunks(strategy.name),
        deps=[keys.LABELLED_FILES],
        partitions_def=REPOSITORY,
        group_name="chunks",
        kinds={"python", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=chunks_of(strategy),
        code_version=f"{VERSION}.{strategy.version}",
        metadata=table_metadata(CHUNKS),
    )
    def chunks(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        outcome = chunk_files(workspace, source_name(context.partition_key), strategy)
        return materialized(workspace, outcome, started)

    return chunks


def chunks_assets(strategies: Sequence[Strategy]) -> list[dg.AssetsDefinition]:
    """The assets of all strategies."""
    return [chunks_asset(strategy) for strategy in strategies]
