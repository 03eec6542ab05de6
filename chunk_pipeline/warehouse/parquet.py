"""The warehouse: every table as Parquet files under one root, each partition with one commit point.

Writing is: data files first, under names that are digests of their rows, then the manifest that names them
(``commits``): whoever is killed in between has changed nothing. Reading is in ``reading``. ``pinned`` keeps a
reader with the manifests that it saw first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import pyarrow as pa
from filelock import FileLock
from upath import UPath

from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.atomic import is_local, local_path, write_bytes
from chunk_pipeline.warehouse.columns import as_declared, columns_digest
from chunk_pipeline.warehouse.commits import ConcurrentRunError
from chunk_pipeline.warehouse.fingerprint import Inputs
from chunk_pipeline.warehouse.manifest import DamagedTableError, Manifest, StoredTable
from chunk_pipeline.warehouse.parquet_files import WRITER, write_rows
from chunk_pipeline.warehouse.partitions import WHOLE, Partition, folder_of, folders_of, owner_of
from chunk_pipeline.warehouse.patching import patched
from chunk_pipeline.warehouse.reading import Place, Stored, StoredTables
from chunk_pipeline.warehouse.segments import segments
from chunk_pipeline.warehouse.tables import Table

__all__ = [
    "WHOLE",
    "ConcurrentRunError",
    "DamagedTableError",
    "Partition",
    "Place",
    "Rows",
    "Stored",
    "Warehouse",
]


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


class Warehouse(StoredTables):
    """The tables under one root, a folder or an object store.

    Attributes:
        root: The root.
    """

    def pinned(self) -> Warehouse:
        """The same tables for a reader: each partition stays as it was when it was first read."""
        return Warehouse(self.root, {})

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
        kept = previous.tables if previous else {}
        tables = {name: each for name, each in kept.items() if name != table.name}
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
        rows = as_declared(table, given.rows)
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


def _manifest(main: Rows, inputs: Inputs) -> Manifest:
    named = zip(folders_of(main.table), folder_of(main.table, main.partition)[1:], strict=True)
    return Manifest(
        table=main.table.name,
        partition={name: folder.partition("=")[2] for name, folder in named},
        inputs=dict(inputs.parts),
        fingerprint=inputs.fingerprint,
        writer=WRITER,
    )
