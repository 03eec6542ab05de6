"""What commits what an asset materialised, and what the orchestrator was told of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.defs import keys
from chunk_pipeline.stages.embeddings import QUERIES
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import WHOLE, Partition, Warehouse
from chunk_pipeline.warehouse.tables import (
    BM25_TERMS,
    CHUNK_METADATA_TABLE,
    CHUNKS,
    DENSE_INDEX,
    DUPLICATES,
    FILES,
    FILTERED_FILES,
    GAZETTEER,
    GOLD_QUERIES,
    MENTIONS,
    POSTINGS,
    RANKINGS,
    RAW_FILES,
    RETRIEVAL_METRICS,
    VECTORS,
    Table,
)

DATA_VERSION = "dagster/data_version"


@dataclass(frozen=True, slots=True)
class CommitPoint:
    """A partition of an asset, and the partition of a table whose manifest commits it.

    Attributes:
        asset: Key of the asset.
        repository: Partition key; ``None`` where the asset has no partitions.
        table: Main table.
        partition: Its partition.
    """

    asset: dg.AssetKey
    repository: str | None
    table: Table
    partition: Partition


def commit_points(workspace: Workspace) -> Iterator[CommitPoint]:
    """The commit points of everything that is stored, asset by asset."""
    warehouse = workspace.warehouse
    for key, table in ((keys.RAW_FILES, RAW_FILES), (keys.FILTERED_FILES, FILTERED_FILES)):
        yield from _by_repository(warehouse, key, table, None)
    yield from _by_repository(warehouse, keys.LABELLED_FILES, FILES, None)
    for strategy in workspace.strategies:
        yield from _of_strategy(warehouse, strategy)
    for key, table, partition in (
        (keys.GAZETTEER, GAZETTEER, WHOLE),
        (keys.DUPLICATES, DUPLICATES, WHOLE),
        (keys.GOLD_QUERIES, GOLD_QUERIES, WHOLE),
        (keys.QUERY_EMBEDDINGS, VECTORS, QUERIES),
        (keys.REPORTS, RETRIEVAL_METRICS, WHOLE),
    ):
        if warehouse.stored(table, partition) is not None:
            yield CommitPoint(key, None, table, partition)


def _of_strategy(warehouse: Warehouse, strategy: Strategy) -> Iterator[CommitPoint]:
    name = strategy.name
    for make, table in ((keys.chunks, CHUNKS), (keys.embeddings, VECTORS), (keys.postings, POSTINGS)):
        yield from _by_repository(warehouse, make(name), table, name)
    for make, table in (
        (keys.bm25_index, BM25_TERMS),
        (keys.dense_index, DENSE_INDEX),
        (keys.rankings, RANKINGS),
        (keys.mentions, MENTIONS),
        (keys.chunk_metadata, CHUNK_METADATA_TABLE),
    ):
        own = Partition(strategy=name)
        if warehouse.stored(table, own) is not None:
            yield CommitPoint(make(name), None, table, own)


def _by_repository(
    warehouse: Warehouse, key: dg.AssetKey, table: Table, strategy: str | None
) -> Iterator[CommitPoint]:
    for partition in warehouse.partitions(table, strategy=strategy):
        yield CommitPoint(key, partition.repository, table, partition)


def untold(workspace: Workspace, instance: dg.DagsterInstance) -> list[CommitPoint]:
    """The commit points whose manifest is not what the last event of their asset says."""
    told: dict[dg.AssetKey, dict[str | None, str]] = {}
    different = []
    for each in commit_points(workspace):
        if each.asset not in told:
            told[each.asset] = _told_of(instance, each.asset)
        stored = workspace.warehouse.stored(each.table, each.partition)
        if stored is not None and told[each.asset].get(each.repository) != stored.version:
            different.append(each)
    return different


def _told_of(instance: dg.DagsterInstance, key: dg.AssetKey) -> dict[str | None, str]:
    """The data version in the last event of each partition of an asset, and of the asset itself."""
    by_partition = instance.event_log_storage.get_latest_tags_by_partition(
        key, dg.DagsterEventType.ASSET_MATERIALIZATION, tag_keys=[DATA_VERSION]
    )
    versions: dict[str | None, str] = {
        partition: tags[DATA_VERSION] for partition, tags in by_partition.items() if DATA_VERSION in tags
    }
    event = instance.get_latest_materialization_event(key)
    if event is not None and event.asset_materialization is not None:
        versions[None] = (event.asset_materialization.tags or {}).get(DATA_VERSION, "")
    return versions
