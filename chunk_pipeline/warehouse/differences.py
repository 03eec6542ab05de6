"""What differs between two states of the warehouse: files, chunks and figures.

Only partitions whose manifests differ are read, so two releases that share most of their tables are compared
quickly. Pure functions over two warehouses at their releases. Tested by tests/warehouse/test_differences.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chunk_pipeline.warehouse.parquet import WHOLE, Partition, Warehouse
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, RETRIEVAL_METRICS, STRUCTURE_METRICS, Table

TOLD = ("content_sha256", "fate", "reason", "category")
"""Columns of a file whose change is told."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is another, new or gone.

    Attributes:
        repository: Source name.
        path: Its path.
        change: ``added``, ``changed`` or ``removed``.
        before: Content, fate, reason and category as far as they changed; empty where it is new.
        after: The same now; empty where it is gone.
    """

    repository: str
    path: str
    change: str
    before: Mapping[str, str | None]
    after: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class ChunkChange:
    """How many chunks of a strategy and source came and went.

    Attributes:
        strategy: Strategy name.
        repository: Partition key of the source.
        added: Chunks that were not there.
        removed: Chunks that are there no more.
        same: Chunks that stayed.
    """

    strategy: str
    repository: str
    added: int
    removed: int
    same: int


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure of the evaluation that is another, new or gone.

    Attributes:
        table: ``retrieval_metrics`` or ``structure_metrics``.
        key: What it is of.
        before: Its value; ``None`` where it was not there or unknown.
        after: The same now.
    """

    table: str
    key: Mapping[str, str]
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs between two states, sorted."""

    files: tuple[FileChange, ...]
    chunks: tuple[ChunkChange, ...]
    figures: tuple[FigureChange, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.files or self.chunks or self.figures)


def difference(before: Warehouse, after: Warehouse) -> Difference:
    """What differs from one state to the other.

    Raises:
        DamagedTableError: A table of either does not read back.
    """
    return Difference(
        tuple(sorted(_files(before, after), key=lambda each: (each.repository, each.path))),
        tuple(_chunks(before, after)),
        tuple(_figures(before, after)),
    )


def _changed(before: Warehouse, after: Warehouse, table: Table) -> list[Partition]:
    """The partitions of a table that are not the same rows in both, sorted."""
    found = {*before.partitions(table), *after.partitions(table)}
    changed = [each for each in found if _content(before, table, each) != _content(after, table, each)]
    return sorted(changed, key=lambda each: each.order)


def _content(warehouse: Warehouse, table: Table, partition: Partition) -> str:
    manifest = warehouse.manifest(table, partition)
    stored = manifest.tables.get(table.name) if manifest else None
    return stored.content if stored else ""


def _files(before: Warehouse, after: Warehouse) -> Iterator[FileChange]:
    for partition in _changed(before, after, FILES):
        old, new = (_by_path(each, partition) for each in (before, after))
        for path in sorted({*old, *new}):
            here, there = old.get(path), new.get(path)
            names = [name for name in TOLD if _value(here, name) != _value(there, name)]
            if here is None and there is not None:
                yield FileChange(there["repository"], path, "added", {}, _of(there, TOLD))
            elif there is None and here is not None:
                yield FileChange(here["repository"], path, "removed", _of(here, TOLD), {})
            elif here is not None and there is not None and names:
                yield FileChange(here["repository"], path, "changed", _of(here, names), _of(there, names))


def _by_path(warehouse: Warehouse, partition: Partition) -> dict[str, Row]:
    rows = warehouse.read(FILES, partition, columns=["repository", "path", *TOLD])
    return {row["path"]: row for row in rows.to_pylist()}


def _value(row: Row | None, name: str) -> object:
    return row[name] if row else None


def _of(row: Row, names: Sequence[str]) -> dict[str, str | None]:
    return {name: row[name] for name in names}


def _chunks(before: Warehouse, after: Warehouse) -> Iterator[ChunkChange]:
    for partition in _changed(before, after, CHUNKS):
        old, new = (_ids(each, partition) for each in (before, after))
        if old != new:
            yield ChunkChange(
                partition.strategy or "",
                partition.repository or "",
                added=len(new - old),
                removed=len(old - new),
                same=len(new & old),
            )


def _ids(warehouse: Warehouse, partition: Partition) -> set[str]:
    return set(warehouse.read(CHUNKS, partition, columns=["chunk_id"])["chunk_id"].to_pylist())


def _figures(before: Warehouse, after: Warehouse) -> Iterator[FigureChange]:
    for table in (RETRIEVAL_METRICS, STRUCTURE_METRICS):
        if _content(before, table, WHOLE) == _content(after, table, WHOLE):
            continue
        old, new = (_values(each, table) for each in (before, after))
        for key in sorted({*old, *new}):
            here, there = old.get(key), new.get(key)
            if here != there or (key in old) != (key in new):
                yield FigureChange(table.name, dict(zip(table.key, key, strict=True)), here, there)


def _values(warehouse: Warehouse, table: Table) -> dict[tuple[str, ...], float | None]:
    rows = warehouse.read(table, WHOLE, columns=[*table.key, "value"]).to_pylist()
    return {tuple(row[name] for name in table.key): row["value"] for row in rows}
