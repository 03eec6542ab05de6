"""From all tables to the DuckDB catalog and a release; and the removal of what no source accounts for."""

from __future__ import annotations

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.stages.embeddings import QUERIES
from chunk_pipeline.stages.rolled_up import roll_ups_are_current
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.catalog import Catalog, build_catalog, is_catalog_current
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.releases import publish_release
from chunk_pipeline.warehouse.tables import TABLES, Table


def publish_catalog(workspace: Workspace) -> Catalog:
    """Bring ``chunk_pipeline.duckdb`` into step with the tables, and record them as a release.

    Where roll-ups are older than the tables under them (only a part was run) there is no release: whoever
    reads at the newest one goes on to see a state in which all is in step.
    """
    built = build_catalog(workspace.warehouse, keep=workspace.settings.catalog_versions)
    if roll_ups_are_current(workspace):
        publish_release(workspace.warehouse)
    return built


def is_published(workspace: Workspace) -> bool:
    """Whether the catalog is in step with the tables."""
    return is_catalog_current(workspace.warehouse)


def gone(workspace: Workspace) -> list[tuple[Table, Partition]]:
    """The partitions of sources that left the sources file and of strategies that it names no more.

    Raises:
        SourcesError: The sources file does not load.
    """
    repositories = {partition_key(source.name) for source in workspace.sources.sources}
    names = {strategy.name for strategy in workspace.strategies}
    return [
        (table, each)
        for table in TABLES
        for each in workspace.warehouse.partitions(table)
        if each != QUERIES and _is_gone(each, repositories, names)
    ]


def prune(workspace: Workspace) -> list[tuple[Table, Partition]]:
    """Drop what is gone. Roll-ups call it first, so that nothing that is gone is ever ranked or reported.

    Returns:
        What was dropped.

    Raises:
        SourcesError: The sources file does not load; then nothing is dropped.
    """
    dropped = gone(workspace)
    for table, each in dropped:
        workspace.warehouse.drop(table, each)
    return dropped


def _is_gone(partition: Partition, repositories: set[str], strategy_names: set[str]) -> bool:
    if partition.repository is not None and partition.repository not in repositories:
        return True
    return partition.strategy is not None and partition.strategy not in strategy_names
