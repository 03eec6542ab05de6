"""Releases: the whole warehouse as of the end of a run, as one record.

A run commits partition after partition; between two commits chunks may be newer than the index over them. A
release names the manifest of every partition that counts when all of it is in step, so who reads at a release
reads one state, whatever a run does meanwhile or however it was killed. It is published like a manifest:
numbered, sealed by its digest, never replacing another. It holds no clock, and its ``state`` is the same for
the same work, also in another warehouse. Tested by tests/warehouse/test_releases.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict
from upath import UPath

from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.commits import numbered, put_new
from chunk_pipeline.warehouse.manifest import (
    FORMAT,
    MENDING,
    DamagedTableError,
    Manifest,
    sealed,
    unsealed,
)
from chunk_pipeline.warehouse.parquet import WHOLE, Partition, Place, Warehouse
from chunk_pipeline.warehouse.partitions import folder_of, is_main, owner_of
from chunk_pipeline.warehouse.tables import TABLES, Table

FOLDER = "releases"


class Held(BaseModel):
    """What a release holds of a main table's partition.

    Attributes:
        number: Number of its manifest.
        digest: Digest of its manifest.
        rows: Rows of each table that the manifest holds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    digest: str
    rows: Mapping[str, int]


class Release(BaseModel):
    """The warehouse as of the end of a run.

    Attributes:
        format: Format of the store.
        state: Digest over all manifests' digests: the same for equal contents and inputs, whatever the
            numbers.
        places: By the folders of the partition, ``chunks/strategy=…/repository=…``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    state: str
    places: Mapping[str, Held]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A release and its number."""

    number: int
    release: Release


def release_path(warehouse: Warehouse, number: int) -> UPath:
    """Where a release lies."""
    return warehouse.root / FOLDER / f"{number:08}.json"


def release_numbers(warehouse: Warehouse) -> list[int]:
    """The numbers of the releases, ascending."""
    return numbered(warehouse.root / FOLDER)


def load_release(warehouse: Warehouse, number: int) -> Release:
    """Read a release.

    Raises:
        FileNotFoundError: There is none of that number.
        DamagedTableError: It does not read back.
    """
    path = release_path(warehouse, number)
    data = (local_path(path) if is_local(path) else path).read_bytes()
    return unsealed(Release, data, str(path))


def whole_releases(warehouse: Warehouse) -> list[Numbered]:
    """The releases whose records read back, ascending."""
    found = []
    for number in release_numbers(warehouse):
        try:
            found.append(Numbered(number, load_release(warehouse, number)))
        except (FileNotFoundError, DamagedTableError):
            continue
    return found


def newest_release(warehouse: Warehouse) -> Numbered | None:
    """The newest release whose record reads back."""
    for number in reversed(release_numbers(warehouse)):
        try:
            return Numbered(number, load_release(warehouse, number))
        except (FileNotFoundError, DamagedTableError):
            continue
    return None


def release_of_now(warehouse: Warehouse) -> Release:
    """What a release of the present tables holds.

    Raises:
        DamagedTableError: The manifest of a partition does not read back.
    """
    pinned = warehouse.pinned()
    places: dict[str, Held] = {}
    for table in TABLES:
        if not is_main(table):
            continue
        for partition in pinned.known_partitions(table):
            manifest = pinned.manifest(table, partition)
            if manifest is None:
                continue
            places["/".join(folder_of(table, partition))] = Held(
                number=pinned.number(table, partition),
                digest=manifest.digest,
                rows={name: stored.rows for name, stored in sorted(manifest.tables.items())},
            )
    named = "\n".join(f"{place} {held.digest}" for place, held in sorted(places.items()))
    return Release(state=hashlib.sha256(named.encode()).hexdigest(), places=dict(sorted(places.items())))


def is_release_current(warehouse: Warehouse) -> bool:
    """Whether the newest release is of the present tables."""
    newest = max(release_numbers(warehouse), default=0)
    try:
        return newest > 0 and _is(warehouse, newest, release_of_now(warehouse))
    except DamagedTableError:
        return False


def _is(warehouse: Warehouse, number: int, release: Release) -> bool:
    try:
        return load_release(warehouse, number) == release
    except (FileNotFoundError, DamagedTableError):
        return False


def publish_release(warehouse: Warehouse) -> Numbered:
    """Record the present tables as a release, unless the newest is of them.

    Raises:
        DamagedTableError: The manifest of a partition does not read back.
        OSError: The disk refused; the previous release stays the newest.
    """
    while True:
        # Looked at before the tables: what is published under the next number has seen all that it follows.
        newest = max(release_numbers(warehouse), default=0)
        now = release_of_now(warehouse)
        if newest and _is(warehouse, newest, now):
            return Numbered(newest, now)
        number = newest + 1
        try:
            put_new(release_path(warehouse, number), sealed(now))
        except FileExistsError:
            continue  # another run was faster; perhaps with the same
        return Numbered(number, now)


def at(warehouse: Warehouse, release: Release) -> Warehouse:
    """The tables as a release has them; what it does not name is not there.

    Reading raises ``DamagedTableError`` where the release names a manifest that is gone or another.
    """
    return _AtRelease(warehouse, release)


def released(warehouse: Warehouse) -> Warehouse:
    """The tables as of the newest release, or as they are where there is no release."""
    newest = newest_release(warehouse)
    return warehouse if newest is None else at(warehouse, newest.release)


class _AtRelease(Warehouse):
    """Tables at the manifests that a release names."""

    def __init__(self, warehouse: Warehouse, release: Release) -> None:
        pins: dict[Place, int] = {
            tuple(place.split("/")): held.number for place, held in release.places.items()
        }
        super().__init__(warehouse.root, pins)
        self._release = release

    def number(self, table: Table, partition: Partition = WHOLE) -> int:
        return (self._pins or {}).get(folder_of(*owner_of(table, partition)), 0)

    def manifest(self, table: Table, partition: Partition = WHOLE) -> Manifest | None:
        manifest = super().manifest(table, partition)
        place = "/".join(folder_of(*owner_of(table, partition)))
        held = self._release.places.get(place)
        if held is not None and (manifest is None or manifest.digest != held.digest):
            raise DamagedTableError(
                f"the manifest {held.number} of {place} is another than the release names; {MENDING}"
            )
        return manifest
