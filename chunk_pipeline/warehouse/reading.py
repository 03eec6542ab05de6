"""Reading the tables: the newest manifest of a partition, then the files that it names.

So a reader sees what was there before a run or what is there after, and what one manifest names stays
readable until it is collected (``collection``). Writing is in ``parquet``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from upath import UPath

from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.columns import columns_digest
from chunk_pipeline.warehouse.manifest import MENDING, DamagedTableError, Manifest, StoredTable
from chunk_pipeline.warehouse.parquet_files import WRITER, read_rows, sizes_fit
from chunk_pipeline.warehouse.partitions import (
    WHOLE,
    Partition,
    folder_of,
    folders_of,
    owned,
    owner_of,
    owners_of,
)
from chunk_pipeline.warehouse.patching import read_keys
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import Table


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known of a stored partition without reading its rows.

    Attributes:
        rows: How many.
        size: Bytes of its files.
        fingerprint: Digest of the inputs that it was made from.
        content: Digest of its rows.
        version: Digest of the manifest that holds it.
    """

    rows: int
    size: int
    fingerprint: str
    content: str
    version: str


Place = tuple[str, ...]
"""Folders of a main table's partition below the root."""


class _Loaded(NamedTuple):
    """A manifest that was read, and its digest, which is made from all of it."""

    stamp: commits.Stamp
    manifest: Manifest
    digest: str


class StoredTables:
    """The tables under one root, a folder or an object store, as far as they are read.

    Attributes:
        root: The root.
    """

    def __init__(self, root: str | Path | UPath, pins: dict[Place, int] | None = None) -> None:
        self.root = UPath(root)
        self._pins = pins
        self._loaded: dict[Place, _Loaded] = {}

    # Where things lie

    def folder(self, table: Table, partition: Partition = WHOLE) -> UPath:
        """The folder of a partition's data files.

        Raises:
            ValueError: The partition names too much or too little for the table.
        """
        return self.root.joinpath(*folder_of(table, partition))

    def files(self, table: Table, partition: Partition = WHOLE) -> list[UPath]:
        """The data files of a partition, in the order of the rows; empty where there is none.

        Raises:
            DamagedTableError: Its manifest does not read back.
        """
        stored = self._table(table, partition)
        return [self.folder(table, partition) / file.name for file in stored.files] if stored else []

    # What is there

    def number(self, table: Table, partition: Partition = WHOLE) -> int:
        """The number of the commit that counts; 0 where there was none."""
        place = folder_of(*owner_of(table, partition))
        if self._pins is not None and place in self._pins:
            return self._pins[place]
        numbers = self._numbers(place)
        number = numbers[-1] if numbers else 0
        if self._pins is not None:
            self._pins[place] = number
        return number

    def _numbers(self, place: Place) -> list[int]:
        return commits.numbers(self.root.joinpath(*place))

    def manifest(self, table: Table, partition: Partition = WHOLE) -> Manifest | None:
        """The manifest that holds a partition, or ``None`` where it is not there or was dropped.

        Raises:
            DamagedTableError: It does not read back.
        """
        loaded = self._load(table, partition)
        return None if loaded is None or loaded.manifest.dropped else loaded.manifest

    def _load(self, table: Table, partition: Partition) -> _Loaded | None:
        """The newest manifest; a file that is the one that was read before is not read again."""
        place = folder_of(*owner_of(table, partition))
        home = self.root.joinpath(*place)
        while number := self.number(table, partition):
            known = self._loaded.get(place)
            try:
                stamp = commits.stamp(home, number)
                if known is not None and stamp and known.stamp == stamp:
                    return known
                manifest = commits.load(home, number)
            except FileNotFoundError:
                if self._pins is None and number not in self._numbers(place):
                    continue  # replaced and collected between the two looks
                gone = f"the manifest {number} of {'/'.join(place)} is gone"
                raise DamagedTableError(f"{gone}; {MENDING}") from None
            loaded = self._loaded[place] = _Loaded(stamp, manifest, manifest.digest)
            return loaded
        self._loaded.pop(place, None)
        return None

    def _table(self, table: Table, partition: Partition) -> StoredTable | None:
        manifest = self.manifest(table, partition)
        return manifest.tables.get(table.name) if manifest else None

    def stored(self, table: Table, partition: Partition = WHOLE) -> Stored | None:
        """What the manifest says of a partition, or ``None`` where it is not there, damaged or of old form.

        Its files are looked at, not read: one that is gone or has another size is damaged.
        """
        try:
            loaded = self._load(table, partition)
        except DamagedTableError:
            return None
        stored = loaded.manifest.tables.get(table.name) if loaded else None
        if loaded is None or stored is None or stored.columns != columns_digest(table):
            return None
        if not sizes_fit(self.folder(table, partition), stored.files):
            return None
        return Stored(stored.rows, stored.size, loaded.manifest.fingerprint, stored.content, loaded.digest)

    def partitions(
        self, table: Table, *, strategy: str | None = None, repository: str | None = None
    ) -> list[Partition]:
        """The stored partitions of a table, sorted; optionally those of one strategy or repository."""
        wanted = {"strategy": strategy, "repository": repository}
        named = {name: value for name, value in wanted.items() if value is not None}
        found = [
            owned(table, owner, each)
            for owner in owners_of(table)
            if set(named) <= set(folders_of(owner))
            for each in self._owned(owner, table.name, named)
        ]
        return sorted(found, key=lambda each: each.order)

    def _owned(self, owner: Table, table_name: str, named: Mapping[str, str]) -> Iterator[Partition]:
        """The partitions of a main table whose manifests hold a table, or are damaged."""
        for partition in self.known_partitions(owner, named):
            try:
                manifest = self.manifest(owner, partition)
            except DamagedTableError:
                yield partition
            else:
                if manifest is not None and table_name in manifest.tables:
                    yield partition

    def known_partitions(self, owner: Table, named: Mapping[str, str] | None = None) -> Iterator[Partition]:
        """The partitions of a main table that have or had a manifest, dropped ones included.

        Args:
            owner: The main table.
            named: Values of some of its folders; other folders are not looked into.
        """
        folders = folders_of(owner)
        for names in _subfolders(self.root / owner.name, folders, named or {}):
            yield Partition(**dict(zip(folders, names, strict=True)))

    def page_digest(self, path: str) -> str:
        """SHA-256 of a file for people, by its path in the warehouse; empty where it is not there."""
        page = self.root / path
        return sha256(page.read_bytes()).hexdigest() if page.exists() else ""

    # Reading

    def read(
        self,
        table: Table,
        partition: Partition | None = None,
        *,
        strategy: str | None = None,
        repository: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> pa.Table:
        """Rows of one partition, or of all partitions that match, in the order of the partitions.

        Returns:
            A table of the declared schema (of the stored one for vectors); empty where nothing is stored.

        Raises:
            DamagedTableError: A file does not read back; the message names it.
        """
        if partition is not None:
            wanted = [partition]
        else:
            wanted = self.partitions(table, strategy=strategy, repository=repository)
        parts = [part for each in wanted for part in self._read_one(table, each, columns)]
        if not parts:
            empty = table.empty()
            return empty.select(list(columns)) if columns else empty
        filled = [part for part in parts if part.num_rows] or parts[:1]
        return joined(filled)

    def _read_one(self, table: Table, partition: Partition, columns: Sequence[str] | None) -> list[pa.Table]:
        number = self.number(table, partition)
        folder = self.folder(table, partition)
        try:
            stored = self._table(table, partition)
            return [read_rows(folder, file, columns) for file in stored.files] if stored else []
        except FileNotFoundError as error:
            if self._pins is None and self.number(table, partition) != number:
                return self._read_one(table, partition, columns)
            raise DamagedTableError(f"{error.filename} is not there; {MENDING}") from error

    def read_keys(
        self, table: Table, partition: Partition, keys: Collection[str], columns: Sequence[str]
    ) -> pa.Table:
        """Some columns of the rows of some values of the table's cutting column, reading no other files.

        Raises:
            DamagedTableError: A file does not read back.
        """
        stored = self._table(table, partition)
        if stored is None:
            return table.empty().select(list(columns))
        parts = list(read_keys(table, self.folder(table, partition), stored.files, keys, columns))
        return joined(parts) if parts else table.empty().select(list(columns))

    def can_patch(self, table: Table, partition: Partition) -> bool:
        """Whether a patch of what is stored gives the same bytes as writing all of it."""
        try:
            manifest = self.manifest(table, partition)
        except DamagedTableError:
            return False
        return bool(table.cut_by) and manifest is not None and manifest.writer == WRITER


def _subfolders(base: UPath, folders: Sequence[str], named: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The values of nested folders ``name=value`` below a table's folder, sorted."""
    if not folders:
        return [()]
    found = []
    wanted = named.get(folders[0])
    for name in [f"{folders[0]}={wanted}"] if wanted is not None else _names(base):
        key, _, value = name.partition("=")
        if key == folders[0]:
            found += [(value, *rest) for rest in _subfolders(base / name, folders[1:], named)]
    return found


def _names(folder: UPath) -> list[str]:
    try:
        within = local_path(folder) if is_local(folder) else folder
        return sorted(path.name for path in within.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
