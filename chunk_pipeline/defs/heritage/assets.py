"""``gazetteer``, ``mentions_<strategy>``, ``chunk_metadata_<strategy>`` and ``duplicates``, over all sources.

They are there only where the sources file asks for a strategy that gives facts.
"""

import time
from collections.abc import Sequence
from typing import Any

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import over_all
from chunk_pipeline.defs.metadata import materialized, table_metadata
from chunk_pipeline.stages.chunk_metadata import VERSION as METADATA_VERSION
from chunk_pipeline.stages.chunk_metadata import describe
from chunk_pipeline.stages.deduplication import VERSION as DUPLICATES_VERSION
from chunk_pipeline.stages.deduplication import find_duplicates
from chunk_pipeline.stages.entities import VERSION as ENTITIES_VERSION
from chunk_pipeline.stages.entities import collect_entities, find_mentions
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNK_METADATA_TABLE, DUPLICATES, GAZETTEER, MENTIONS


def gazetteer_asset(strategies: Sequence[Strategy]) -> dg.AssetsDefinition:
    """The asset that collects the entities of registries and instances."""

    @dg.asset(
        key=keys.GAZETTEER,
        deps=[keys.chunks(each.name) for each in strategies],
        group_name="heritage",
        kinds={"python", "parquet"},
        owners=keys.OWNERS,
        description=over_all(
            "The entities that registry rows and instances name, with the names and identifiers that find "
            "them in a text. Records are one entity only where they share an identifier."
        ),
        code_version=str(ENTITIES_VERSION),
        metadata=table_metadata(GAZETTEER),
    )
    def gazetteer(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        return materialized(workspace, collect_entities(workspace), started)

    return gazetteer


def mentions_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that finds known entities in a strategy's chunks."""

    @dg.asset(
        key=keys.mentions(strategy.name),
        deps=[keys.GAZETTEER, keys.chunks(strategy.name)],
        group_name="heritage",
        kinds={"python", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=over_all(f"Where the chunks of `{strategy.name}` mention an entity of the gazetteer."),
        code_version=str(ENTITIES_VERSION),
        metadata=table_metadata(MENTIONS),
    )
    def mentions(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        return materialized(workspace, find_mentions(workspace, strategy), started)

    return mentions


def chunk_metadata_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that lays down what is known of a strategy's chunks."""

    @dg.asset(
        key=keys.chunk_metadata(strategy.name),
        deps=[keys.mentions(strategy.name), keys.chunks(strategy.name)],
        group_name="heritage",
        kinds={"parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=over_all(
            f"What is known of the chunks of `{strategy.name}`, one column a fact: who, what, where, how "
            "sure and from where, with the entities mentioned."
        ),
        code_version=str(METADATA_VERSION),
        metadata=table_metadata(CHUNK_METADATA_TABLE),
    )
    def chunk_metadata(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        return materialized(workspace, describe(workspace, strategy), started)

    return chunk_metadata


def duplicates_asset(strategies: Sequence[Strategy]) -> dg.AssetsDefinition:
    """The asset that finds chunks which say what others say."""

    @dg.asset(
        key=keys.DUPLICATES,
        deps=[keys.chunks(each.name) for each in strategies],
        group_name="heritage",
        kinds={"python", "parquet"},
        owners=keys.OWNERS,
        description=over_all(
            "Chunks that the indexes leave out because another says the same: equal texts, and records that "
            "share an identifier. The best tier wins. Near duplicates are in `near_duplicates`, and stay."
        ),
        code_version=str(DUPLICATES_VERSION),
        metadata=table_metadata(DUPLICATES),
    )
    def duplicates(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        return materialized(workspace, find_duplicates(workspace), started)

    return duplicates


def heritage_assets(strategies: Sequence[Strategy]) -> list[dg.AssetsDefinition]:
    """The assets of the strategies that give facts; none where there are none."""
    telling = [each for each in strategies if each.gives_facts]
    if not telling:
        return []
    by_strategy = [make(each) for each in telling for make in (mentions_asset, chunk_metadata_asset)]
    return [gazetteer_asset(telling), *by_strategy, duplicates_asset(telling)]
