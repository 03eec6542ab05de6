"""The warehouse: every table as Parquet files under one root, each partition with one commit point.

Writing is: data files first, under names that are digests of their rows, then the manifest that names them
(``commits``). Reading is: the newest manifest, then its files. So a reader sees what was there before a run
or what is there after, whoever is killed in between, and what one manifest names stays readable until it is
collected (``collection``). ``pinned`` keeps a reader with the manifests that it saw first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
from filelock import FileLock
from upath import UPath

from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.atomic import is_local, local_path, write_bytes
from chunk_pipeline.warehouse.commits import ConcurrentRunError
from chunk_pipeline.warehouse.fingerprint import Inputs
from chunk_pipeline.warehouse.manifest import MENDING, DamagedTableError, Manifest, StoredTable
from chunk_pipeline.warehouse.ordering import ordered
from chunk_pipeline.warehouse.parquet_files import WRITER, read_rows, size_of, write_rows
from chunk_pipeline.warehouse.partitions import (
    WHOLE,
    Partition,
    folder_of,
    folders_of,
    owned,
    owner_of,
    owners_of,
)
from chunk_pipeline.warehouse.patching import patched, read_keys
from chunk_pipeline.warehouse.segments import segments
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import Table

__all__ = [
    "WHOLE",
    "ConcurrentRunError",
    "DamagedTableError",
    "Partition",
    "Rows",
    "Stored",
    "Warehouse",
]


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


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows for a partition of a table.

    Attributes:
        table: Its declaration.
        partition: Which partition.
        rows: All rows, or those that take the place of others.
        replaces: Values of the table's cutting column whose rows go; ``None`` where all do.
    """

    table: Table
    partition: Partition
    rows: pa.Table
    replaces: frozenset[str] | None = None


Place = tuple[str, ...]
"""Folders of a main table's partition below the root."""


class Warehouse:
    """The tables under one root, a folder or an object store.

    Attributes:
        root: The root.
    """

    def __init__(self, root: str | Path | UPath, pins: dict[Place, int] | None = None) -> None:
        self.root = UPath(root)
        self._pins = pins

    def pinned(self, pins: Mapping[Place, int] | None = None) -> Warehouse:
        """The same tables for a reader: each partition stays as it was when it was first read.

        Args:
            pins: Numbers of manifests to begin with; what is not named is not there.
        """
        return _Release(self.root, dict(pins)) if pins is not None else Warehouse(self.root, {})

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
        place = folder_of(*owner_of(table, partition))
        while number := self.number(table, partition):
            try:
                manifest = commits.load(self.root.joinpath(*place), number)
            except FileNotFoundError:
                if self._pins is None and number not in self._numbers(place):
                    continue  # replaced and collected between the two looks
                gone = f"the manifest {number} of {'/'.join(place)} is gone"
                raise DamagedTableError(f"{gone}; {MENDING}") from None
            return None if manifest.dropped else manifest
        return None

    def _table(self, table: Table, partition: Partition) -> StoredTable | None:
        manifest = self.manifest(table, partition)
        return manifest.tables.get(table.name) if manifest else None

    def stored(self, table: Table, partition: Partition = WHOLE) -> Stored | None:
        """What the manifest says of a partition, or ``None`` where it is not there, damaged or of old form.

        Its files are looked at, not read: one that is gone or has another size is damaged.
        """
        try:
            manifest = self.manifest(table, partition)
        except DamagedTableError:
            return None
        stored = manifest.tables.get(table.name) if manifest else None
        if manifest is None or stored is None or stored.columns != columns_digest(table):
            return None
        folder = self.folder(table, partition)
        if any(size_of(folder / file.name) != file.size for file in stored.files):
            return None
        return Stored(stored.rows, stored.size, manifest.fingerprint, stored.content, manifest.digest)

    def partitions(
        self, table: Table, *, strategy: str | None = None, repository: str | None = None
    ) -> list[Partition]:
        """The stored partitions of a table, sorted; optionally those of one strategy or repository."""
        found = [
            owned(table, owner, each)
            for owner in owners_of(table)
            for each in self._owned(owner, table.name)
            if strategy in (None, each.strategy) and repository in (None, each.repository)
        ]
        return sorted(found, key=lambda each: each.order)

    def _owned(self, owner: Table, table_name: str) -> Iterator[Partition]:
        """The partitions of a main table whose manifests hold a table, or are damaged."""
        for partition in self.known_partitions(owner):
            try:
                manifest = self.manifest(owner, partition)
            except DamagedTableError:
                yield partition
            else:
                if manifest is not None and table_name in manifest.tables:
                    yield partition

    def known_partitions(self, owner: Table) -> Iterator[Partition]:
        """The partitions of a main table that have or had a manifest, dropped ones included."""
        folders = folders_of(owner)
        for names in _subfolders(self.root / owner.name, folders):
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

    # Writing

    def commit(
        self,
        rows: Sequence[Rows],
        inputs: Inputs,
        *,
        base: int | None = None,
        pages: Mapping[str, bytes] | None = None,
    ) -> Manifest:
        """Replace the partitions of a main table and of those committed with it, in one step.

        Args:
            rows: For each table, the main table last; sorted here by the table's sort columns.
            inputs: What they were made from.
            base: Number of the commit that the work began with; the present one by default.
            pages: Files for people made with the tables, by their path in the warehouse.

        Raises:
            ValueError: Rows do not have their table's columns.
            ConcurrentRunError: Another run has committed something else since ``base``.
            OSError: The disk refused; what was there before is untouched.
        """
        main = rows[-1]
        number = self.number(main.table, main.partition) if base is None else base
        previous = self._previous(main, number)
        tables = {each.table.name: self._write_table(each, previous) for each in rows}
        for path, data in (pages or {}).items():
            write_bytes(self.root / path, data)
        manifest = _manifest(main, inputs).model_copy(
            update={
                "tables": tables,
                "pages": {path: sha256(data).hexdigest() for path, data in (pages or {}).items()},
            }
        )
        self._publish(main, number, previous, manifest)
        return manifest

    def write(self, table: Table, rows: pa.Table, inputs: Inputs, partition: Partition = WHOLE) -> Stored:
        """Replace one table's partition alone; what else its manifest holds stays as it is.

        Raises:
            ValueError: The rows do not have the table's columns.
            OSError: The disk refused; the previous partition is untouched.
        """
        main = Rows(*owner_of(table, partition), rows)
        while True:
            number = self.number(main.table, main.partition)
            previous = self._previous(main, number)
            written = self._write_table(Rows(table, partition, rows), previous)
            tables = {**(previous.tables if previous else {}), table.name: written}
            manifest = _manifest(main, inputs).model_copy(update={"tables": tables})
            try:
                self._publish(main, number, previous, manifest)
            except ConcurrentRunError:
                continue
            return Stored(written.rows, written.size, manifest.fingerprint, written.content, manifest.digest)

    def drop(self, table: Table, partition: Partition = WHOLE) -> None:
        """Remove a partition, of a main table with all that is committed with it; quietly where none is.

        The files go when they are collected: who reads them still may.
        """
        main = Rows(*owner_of(table, partition), table.empty())
        number = self.number(main.table, main.partition)
        try:
            previous = self.manifest(main.table, main.partition)
        except DamagedTableError:
            previous = None
        else:
            if previous is None or table.name not in previous.tables:
                return
        tables = {name: each for name, each in (previous.tables if previous else {}).items()}
        tables.pop(table.name, None)
        if previous is None or main.table.name == table.name or not tables:
            manifest = _manifest(main, Inputs({})).model_copy(update={"dropped": True})
        else:
            manifest = previous.model_copy(update={"tables": tables})
        self._publish(main, number, previous, manifest)

    def _previous(self, main: Rows, number: int) -> Manifest | None:
        try:
            return commits.load(self.folder(main.table, main.partition), number) if number else None
        except (FileNotFoundError, DamagedTableError):
            return None

    def _write_table(self, given: Rows, previous: Manifest | None) -> StoredTable:
        table, folder = given.table, self.folder(given.table, given.partition)
        before = previous.tables.get(table.name) if previous and previous.writer == WRITER else None
        rows = _ordered(table, given.rows)
        if given.replaces is not None:
            if before is None or before.columns != columns_digest(table):
                raise ValueError(f"{folder}: there is nothing to patch; give all rows")
            return StoredTable(
                columns=before.columns,
                files=tuple(patched(table, folder, before.files, rows, given.replaces)),
            )
        known = {file.content: file for file in before.files} if before else {}
        files = [write_rows(folder, table, part, known) for part in segments(table, rows)]
        return StoredTable(columns=columns_digest(table), files=tuple(files))

    def _publish(self, main: Rows, base: int, previous: Manifest | None, manifest: Manifest) -> None:
        if previous is not None and previous == manifest:
            return
        folder = self.folder(main.table, main.partition)
        try:
            commits.publish(folder, base + 1, manifest)
        except FileExistsError:
            theirs = self._previous(main, self._numbers(folder_of(main.table, main.partition))[-1])
            if theirs == manifest:
                return
            raise ConcurrentRunError(
                f"another run wrote {'/'.join(folder_of(main.table, main.partition))} meanwhile; what it "
                "wrote stays: run again"
            ) from None

    @contextmanager
    def lock(self, path: UPath) -> Iterator[None]:
        """Exclude other processes from writing a path. Freed by the system when the holder dies.

        An object store's put is atomic and has no leftovers, so nothing is locked there.
        """
        if not is_local(path):
            yield
            return
        root = local_path(self.root)
        folder = root / ".locks"
        folder.mkdir(parents=True, exist_ok=True)
        name = str(local_path(path).relative_to(root)).replace("/", "+")
        with FileLock(folder / f"{name}.lock"):
            yield


class _Release(Warehouse):
    """Tables at given commits; a partition that is not among them is not there."""

    def number(self, table: Table, partition: Partition = WHOLE) -> int:
        return (self._pins or {}).get(folder_of(*owner_of(table, partition)), 0)


def columns_digest(table: Table) -> str:
    """Digest of the names and types of a table's columns; the width of vectors is no part of it."""
    return columns_digest_of(table.schema)


def columns_digest_of(schema: pa.Schema) -> str:
    """The same of the columns that a file has."""
    columns = "\n".join(
        f"{field.name} {'vector' if field.name == 'vector' else field.type}" for field in schema
    )
    return sha256(columns.encode()).hexdigest()[:16]


def _manifest(main: Rows, inputs: Inputs) -> Manifest:
    named = zip(folders_of(main.table), folder_of(main.table, main.partition)[1:], strict=True)
    return Manifest(
        table=main.table.name,
        partition={name: folder.partition("=")[2] for name, folder in named},
        inputs=dict(inputs.parts),
        fingerprint=inputs.fingerprint,
        writer=WRITER,
    )


def _ordered(table: Table, rows: pa.Table) -> pa.Table:
    """The rows as they are stored: of the declared types, sorted.

    Raises:
        ValueError: They do not have the table's columns.
    """
    if rows.schema.names != table.schema.names:
        raise ValueError(f"table {table.name} has columns {table.schema.names}, not {rows.schema.names}")
    schema = table.schema
    if "vector" in rows.schema.names:
        index = schema.get_field_index("vector")
        schema = schema.set(index, schema.field(index).with_type(rows.schema.field("vector").type))
    return ordered(rows, table.sort).cast(schema).combine_chunks()


def _subfolders(base: UPath, folders: Sequence[str]) -> list[tuple[str, ...]]:
    """The values of nested folders ``name=value`` below a table's folder, sorted."""
    if not folders:
        return [()]
    found = []
    for name in _names(base):
        key, _, value = name.partition("=")
        if key == folders[0]:
            found += [(value, *rest) for rest in _subfolders(base / name, folders[1:])]
    return found


def _names(folder: UPath) -> list[str]:
    try:
        within = local_path(folder) if is_local(folder) else folder
        return sorted(path.name for path in within.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
