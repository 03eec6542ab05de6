"""The Parquet files that hold every table, one file a partition.

A file's bytes are a function of its rows: sorted, zstd, fixed row groups, no clock. Its footer records the
*fingerprint* of the inputs that made it (so that a later run knows there is nothing to do) and the digest of
its data pages (so that what depends on it knows whether it changed). Both travel in the file itself: there is
no second file to fall out of step with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock
from upath import UPath

from chunk_pipeline.warehouse.atomic import is_local, local_path, write_atomically
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import Partitioning, Table

FINGERPRINT = b"chunk_pipeline.fingerprint"
CONTENT = b"chunk_pipeline.content"
ROWS_PER_GROUP = 16_384
FILE_NAME = "part.parquet"


@dataclass(frozen=True, slots=True, order=True)
class Partition:
    """Which file of a table: values for the folders that the table's partitioning names.

    Attributes:
        strategy: Strategy name.
        stage: Asset that quarantined.
        repository: Partition key of a source (its slug).
    """

    strategy: str | None = None
    stage: str | None = None
    repository: str | None = None


WHOLE = Partition()
"""The one partition of a table that is not partitioned."""

_FOLDERS: Mapping[Partitioning, tuple[str, ...]] = {
    Partitioning.WHOLE: (),
    Partitioning.REPOSITORY: ("repository",),
    Partitioning.STRATEGY: ("strategy",),
    Partitioning.STRATEGY_REPOSITORY: ("strategy", "repository"),
    Partitioning.STAGE_REPOSITORY: ("stage", "repository"),
}


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known of a stored partition without reading its rows."""

    rows: int
    size: int
    fingerprint: str
    content: str


class DamagedTableError(OSError):
    """A stored file that does not read back; the message names it."""


class _HashingSink:
    """A file object that digests what passes through it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hasher = hashlib.sha256()
        self.closed = False

    def write(self, data: bytes) -> int:
        self._hasher.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()

    def tell(self) -> int:
        return self._file.tell()

    def hexdigest(self) -> str:
        return self._hasher.hexdigest()


class Warehouse:
    """The tables under one root, a folder or an object store."""

    def __init__(self, root: str | Path | UPath) -> None:
        self.root = UPath(root)

    def path(self, table: Table, partition: Partition = WHOLE) -> UPath:
        """Where a partition of a table lies.

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
        path = self.root / table.name
        for name in folders:
            path = path / f"{name}={values[name]}"
        return path / FILE_NAME

    def stored(self, table: Table, partition: Partition = WHOLE) -> Stored | None:
        """The footer's facts, or ``None`` where the partition does not exist or is damaged."""
        path = self.path(table, partition)
        try:
            with path.open("rb") as file:
                footer = pq.read_metadata(file)
                size = file.seek(0, 2)
        except (FileNotFoundError, pa.ArrowInvalid):
            return None
        metadata = footer.metadata or {}
        return Stored(
            rows=footer.num_rows,
            size=size,
            fingerprint=metadata.get(FINGERPRINT, b"").decode(),
            content=metadata.get(CONTENT, b"").decode(),
        )

    def partitions(
        self, table: Table, *, strategy: str | None = None, repository: str | None = None
    ) -> list[Partition]:
        """The stored partitions of a table, sorted; optionally those of one strategy or repository."""
        folders = _FOLDERS[table.partitioning]
        wanted = {"strategy": strategy, "repository": repository}
        # Named folders are opened, not looked for: a table has a hundred of them.
        named = (f"{name}={escape(wanted.get(name) or '') or '*'}" for name in folders)
        pattern = "/".join([*named, FILE_NAME])
        base = self.root / table.name
        found = []
        for path in base.glob(pattern) if base.exists() else ():
            names = [part.partition("=") for part in path.parts[-1 - len(folders) : -1]]
            found.append(Partition(**{name: value for name, _, value in names}))
        return sorted(
            (
                each
                for each in found
                if strategy in (None, each.strategy) and repository in (None, each.repository)
            ),
            key=lambda each: (each.strategy or "", each.stage or "", each.repository or ""),
        )

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
            DamagedTableError: A file does not read back; deleting it makes the next run write it again.
        """
        if partition is not None:
            wanted = [partition]
        else:
            wanted = self.partitions(table, strategy=strategy, repository=repository)
        read = (self._read_one(table, each, columns) for each in wanted)
        parts = [part for part in read if part is not None]
        if not parts:
            empty = table.empty()
            return empty.select(list(columns)) if columns else empty
        filled = [part for part in parts if part.num_rows] or parts[:1]
        return joined(filled)

    def _read_one(self, table: Table, partition: Partition, columns: Sequence[str] | None) -> pa.Table | None:
        path = self.path(table, partition)
        try:
            with path.open("rb") as file:
                rows = pq.ParquetFile(file).read(columns=list(columns) if columns else None)
        except FileNotFoundError:
            return None
        except pa.ArrowException as error:
            raise DamagedTableError(f"{path} is damaged ({error}); delete it and run again") from error
        return rows.replace_schema_metadata(None)

    def write(self, table: Table, rows: pa.Table, fingerprint: str, partition: Partition = WHOLE) -> Stored:
        """Replace a partition by these rows, sorted by the table's sort columns.

        Raises:
            ValueError: The rows do not have the table's columns.
            OSError: The disk refused; the previous partition is untouched.
        """
        if rows.schema.names != table.schema.names:
            raise ValueError(f"table {table.name} has columns {table.schema.names}, not {rows.schema.names}")
        schema = table.schema if "vector" not in rows.schema.names else _keep_vector_type(table, rows.schema)
        ordered = rows.sort_by([(name, "ascending") for name in table.sort]) if table.sort else rows
        ordered = ordered.cast(schema).combine_chunks()
        content = ""

        def write(file: BinaryIO) -> None:
            nonlocal content
            content = _write_parquet(file, ordered, fingerprint)

        path = self.path(table, partition)
        with self.lock(path):
            write_atomically(path, write)
        stored = self.stored(table, partition)
        if stored is None or stored.rows != rows.num_rows or stored.content != content:
            raise OSError(f"{path}: what was written does not read back; check the disk")
        return stored

    def drop(self, table: Table, partition: Partition) -> None:
        """Remove a partition; quietly where there is none."""
        path = self.path(table, partition)
        path.unlink(missing_ok=True)
        if is_local(path):
            folder = local_path(path.parent)
            while folder != local_path(self.root) and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
                folder = folder.parent

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


def _keep_vector_type(table: Table, actual: pa.Schema) -> pa.Schema:
    index = table.schema.get_field_index("vector")
    return table.schema.set(index, table.schema.field(index).with_type(actual.field("vector").type))


def _write_parquet(file: BinaryIO, rows: pa.Table, fingerprint: str) -> str:
    """Write the rows and return the digest of the data pages."""
    vectors = [name for name in rows.schema.names if name == "vector"]
    sink = _HashingSink(file)
    writer = pq.ParquetWriter(
        sink,
        rows.schema,
        compression="zstd",
        use_dictionary=[name for name in rows.schema.names if name not in vectors],
        column_encoding={f"{name}.list.element": "BYTE_STREAM_SPLIT" for name in vectors} or None,
        write_statistics=True,
    )
    with writer:
        for start in range(0, rows.num_rows, ROWS_PER_GROUP):
            writer.write_table(rows.slice(start, ROWS_PER_GROUP), row_group_size=ROWS_PER_GROUP)
        content = sink.hexdigest()
        writer.add_key_value_metadata({FINGERPRINT.decode(): fingerprint, CONTENT.decode(): content})
    return content
