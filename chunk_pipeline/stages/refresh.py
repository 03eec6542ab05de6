"""Do a stage's work only where its inputs changed.

A stage says what it depends on (a fingerprint) and how to compute its tables. The main table is written last:
from then on the stage counts as done, so a run killed in between repeats the stage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import WHOLE, Partition, Stored, Warehouse
from chunk_pipeline.warehouse.tables import Table


class StaleError(Exception):
    """A stage has work to do; raised in its place when only asked (``Workspace.asking``)."""


@dataclass(frozen=True, slots=True)
class Target:
    """A partition of a table that a stage writes."""

    table: Table
    partition: Partition = WHOLE


@dataclass(frozen=True, slots=True)
class Work:
    """What a stage computed: rows for each of its targets, and counts of what was done."""

    rows: tuple[pa.Table, ...]
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a stage left behind.

    Attributes:
        target: The main table's partition.
        stored: What is stored there now.
        counts: What was done (``files_chunked``, ``texts_encoded``, …); empty where nothing had to be.
        up_to_date: Whether the inputs were those of the last time, so that nothing was done.
    """

    target: Target
    stored: Stored
    counts: Mapping[str, int]
    up_to_date: bool


def refresh(
    workspace: Workspace, targets: tuple[Target, ...], inputs: str, compute: Callable[[], Work]
) -> Outcome:
    """Bring the targets into step with their inputs.

    Args:
        workspace: Where the tables are.
        targets: What the stage writes, the main table last.
        inputs: Fingerprint of everything that the result depends on.
        compute: Gives the rows for the targets, in their order.

    Raises:
        StaleError: The workspace only asks, and there is work to do.
    """
    warehouse = workspace.warehouse
    before = [warehouse.stored(target.table, target.partition) for target in targets]
    main = before[-1]
    if main is not None and all(each is not None and each.fingerprint == inputs for each in before):
        return Outcome(targets[-1], main, {}, up_to_date=True)
    if workspace.asking:
        raise StaleError(f"{targets[-1].table.name} {targets[-1].partition}")
    work = compute()
    stored = [
        warehouse.write(target.table, rows, inputs, target.partition)
        for target, rows in zip(targets, work.rows, strict=True)
    ]
    return Outcome(targets[-1], stored[-1], work.counts, up_to_date=False)


def contents_digest(
    warehouse: Warehouse, table: Table, *, strategy: str | None = None, repository: str | None = None
) -> list[list[str]]:
    """Content digests of a table's partitions: what a roll-up over them depends on."""
    return [
        [each.strategy or "", each.stage or "", each.repository or "", stored.content]
        for each in warehouse.partitions(table, strategy=strategy, repository=repository)
        if (stored := warehouse.stored(table, each)) is not None
    ]
