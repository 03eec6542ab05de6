"""Do a stage's work only where its inputs changed.

A stage says what it depends on (its inputs) and how to compute its tables. They are committed together, by
the manifest of the main table: a run killed before that has changed nothing, and the next repeats the stage.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from chunk_pipeline.stages.rates import note_rate
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import Inputs, Part
from chunk_pipeline.warehouse.parquet import (
    WHOLE,
    DamagedTableError,
    Partition,
    Rows,
    Stored,
    Warehouse,
)
from chunk_pipeline.warehouse.tables import Table


class StaleError(Exception):
    """A stage has work to do; raised in its place when only asked (``Workspace.asking``)."""


@dataclass(frozen=True, slots=True)
class Target:
    """A partition of a table that a stage writes."""

    table: Table
    partition: Partition = WHOLE


@dataclass(frozen=True, slots=True)
class Patch:
    """Rows that take the place of those of some keys.

    Attributes:
        rows: The rows.
        replaces: Values of the table's cutting column whose stored rows go.
    """

    rows: pa.Table
    replaces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Work:
    """What a stage computed.

    Attributes:
        rows: Rows for each of its targets, or a patch of what is stored.
        counts: What was done.
        pages: Files for people, by their path in the warehouse.
    """

    rows: tuple[pa.Table | Patch, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    pages: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a stage left behind.

    Attributes:
        target: The main table's partition.
        stored: What is stored there now.
        counts: What was done (``files_chunked``, ``texts_encoded``, …); empty where nothing had to be.
        up_to_date: Whether the inputs were those of the last time, so that nothing was done.
        changed: Names of the inputs that were others than the last time; empty where there was none.
    """

    target: Target
    stored: Stored
    counts: Mapping[str, int]
    up_to_date: bool
    changed: tuple[str, ...] = ()


def refresh(
    workspace: Workspace, targets: tuple[Target, ...], inputs: Inputs, compute: Callable[[], Work]
) -> Outcome:
    """Bring the targets into step with their inputs.

    Args:
        workspace: Where the tables are.
        targets: What the stage writes, the main table last.
        inputs: Everything that the result depends on.
        compute: Gives the rows for the targets, in their order.

    Raises:
        StaleError: The workspace only asks, and there is work to do.
        ConcurrentRunError: Another run wrote the same partition from other inputs meanwhile.
    """
    warehouse, main = workspace.warehouse, targets[-1]
    base = warehouse.number(main.table, main.partition)
    before = [warehouse.stored(target.table, target.partition) for target in targets]
    wanted = inputs.fingerprint
    made = all(each is not None and each.fingerprint == wanted for each in before)
    if before[-1] is not None and made and _pages_are_whole(warehouse, main):
        return Outcome(main, before[-1], {}, up_to_date=True)
    changed = _changed(warehouse, main, inputs)
    if workspace.asking:
        raise StaleError(f"{main.table.name} {main.partition}: {', '.join(changed) or 'never made'}")
    started = time.perf_counter()
    work = compute()
    rows = [_rows(target, each) for target, each in zip(targets, work.rows, strict=True)]
    warehouse.commit(rows, inputs, base=base, pages=work.pages)
    _note_rates(workspace, main, work, time.perf_counter() - started)
    stored = warehouse.stored(main.table, main.partition)
    if stored is None:
        raise OSError(
            f"{warehouse.folder(main.table, main.partition)}: what was written does not read back; "
            "check the disk"
        )
    return Outcome(main, stored, work.counts, up_to_date=False, changed=tuple(changed))


def _rows(target: Target, given: pa.Table | Patch) -> Rows:
    if isinstance(given, Patch):
        return Rows(target.table, target.partition, given.rows, given.replaces)
    return Rows(target.table, target.partition, given)


def _note_rates(workspace: Workspace, main: Target, work: Work, seconds: float) -> None:
    for name in ("files_read", "files_chunked", "tokens_encoded"):
        kind = f"{name} {main.partition.strategy}" if name == "files_chunked" else name
        note_rate(workspace.cache, kind, work.counts.get(name, 0), seconds)


def _pages_are_whole(warehouse: Warehouse, main: Target) -> bool:
    """Whether the files for people are those that were made with the tables."""
    manifest = warehouse.manifest(main.table, main.partition)
    pages = manifest.pages if manifest else {}
    return all(warehouse.page_digest(path) == digest for path, digest in pages.items())


def _changed(warehouse: Warehouse, main: Target, inputs: Inputs) -> list[str]:
    try:
        manifest = warehouse.manifest(main.table, main.partition)
    except DamagedTableError:
        return []
    return inputs.changed(manifest.made_from().parts) if manifest else []


def previous(
    workspace: Workspace,
    targets: tuple[Target, ...],
    only_if: Mapping[str, Part] | None = None,
    columns: Mapping[Table, Sequence[str]] | None = None,
) -> tuple[pa.Table, ...] | None:
    """What a stage stored the last time, to take over what did not change; ``None`` where not all is whole.

    Only together do a stage's tables say what was done, so one that is lost or damaged counts for all.

    Args:
        workspace: Where the tables are.
        targets: What the stage writes.
        only_if: Inputs that must have been the same.
        columns: What is read of some tables; of others everything.
    """
    warehouse = workspace.warehouse.pinned()
    main = targets[-1]
    if only_if and set(only_if).intersection(_changed(warehouse, main, Inputs(only_if))):
        return None
    if not all(warehouse.stored(target.table, target.partition) for target in targets):
        return None
    try:
        read = columns or {}
        return tuple(
            warehouse.read(target.table, target.partition, columns=read.get(target.table))
            for target in targets
        )
    except DamagedTableError:
        return None


def contents_digest(
    warehouse: Warehouse, table: Table, *, strategy: str | None = None, repository: str | None = None
) -> list[list[str]]:
    """Content digests of a table's partitions: what a roll-up over them depends on."""
    return [
        [each.strategy or "", each.stage or "", each.repository or "", stored.content]
        for each in warehouse.partitions(table, strategy=strategy, repository=repository)
        if (stored := warehouse.stored(table, each)) is not None
    ]
