"""Partitions: which part of a table, where it lies, and with which other table it is committed.

A stage often writes several tables together: chunks with what was skipped and what could not be cut. They
have one commit point, the manifest of the stage's main table; the others say whose it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chunk_pipeline.warehouse.table import Partitioning, Table
from chunk_pipeline.warehouse.tables import CHUNKS, FILTERED_FILES, TABLES


@dataclass(frozen=True, slots=True, order=True)
class Partition:
    """Which part of a table: values for the folders that the table's partitioning names.

    Attributes:
        strategy: Strategy name.
        stage: Asset that quarantined.
        repository: Partition key of a source (its slug).
    """

    strategy: str | None = None
    stage: str | None = None
    repository: str | None = None

    @property
    def order(self) -> tuple[str, str, str]:
        """What partitions are sorted by."""
        return (self.strategy or "", self.stage or "", self.repository or "")


WHOLE = Partition()
"""The one partition of a table that is not partitioned."""

_FOLDERS: Mapping[Partitioning, tuple[str, ...]] = {
    Partitioning.WHOLE: (),
    Partitioning.REPOSITORY: ("repository",),
    Partitioning.STRATEGY: ("strategy",),
    Partitioning.STRATEGY_REPOSITORY: ("strategy", "repository"),
    Partitioning.STAGE_REPOSITORY: ("stage", "repository"),
}

_CUTTING = "chunks_"
"""What the stage of files that a strategy could not cut begins with."""


def folders_of(table: Table) -> tuple[str, ...]:
    """The names of the folders of a table's partitions, outermost first."""
    return _FOLDERS[table.partitioning]


def folder_of(table: Table, partition: Partition) -> tuple[str, ...]:
    """The folders of a partition below the root.

    Raises:
        ValueError: The partition names too much or too little for the table.
    """
    folders = _FOLDERS[table.partitioning]
    values = {name: getattr(partition, name) for name in ("strategy", "stage", "repository")}
    named = {name for name, value in values.items() if value is not None}
    if named != set(folders):
        raise ValueError(
            f"table {table.name} is partitioned by {folders or 'nothing'}, not by {sorted(named)}"
        )
    return (table.name, *(f"{name}={values[name]}" for name in folders))


def owner_of(table: Table, partition: Partition) -> tuple[Table, Partition]:
    """The main table and partition with whose manifest a partition is committed; often itself."""
    if table.partitioning is Partitioning.STAGE_REPOSITORY:
        stage = partition.stage or ""
        if stage.startswith(_CUTTING):
            strategy = stage.removeprefix(_CUTTING)
            return CHUNKS, Partition(strategy=strategy, repository=partition.repository)
        return FILTERED_FILES, Partition(repository=partition.repository)
    return _named(table.committed_with or table.name), partition


def owners_of(table: Table) -> tuple[Table, ...]:
    """The main tables whose manifests hold partitions of a table."""
    if table.partitioning is Partitioning.STAGE_REPOSITORY:
        return FILTERED_FILES, CHUNKS
    return (_named(table.committed_with or table.name),)


def owned(table: Table, owner: Table, partition: Partition) -> Partition:
    """The partition of a table that the manifest of an owner's partition holds."""
    if table.partitioning is not Partitioning.STAGE_REPOSITORY:
        return partition
    stage = owner.name if partition.strategy is None else f"{_CUTTING}{partition.strategy}"
    return Partition(stage=stage, repository=partition.repository)


def is_main(table: Table) -> bool:
    """Whether a table has manifests of its own."""
    return not table.committed_with and table.partitioning is not Partitioning.STAGE_REPOSITORY


def _named(name: str) -> Table:
    return _BY_NAME[name]


_BY_NAME = {table.name: table for table in TABLES}
