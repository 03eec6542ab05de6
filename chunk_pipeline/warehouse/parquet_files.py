"""Rows to a Parquet file and back.

A file's bytes are a function of its rows: zstd, fixed row groups, no clock. A checksum of all of them is
asked for at every reading: a flipped bit is an error and never another value.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from chunk_pipeline.warehouse.arrow_types import plainly_typed
from chunk_pipeline.warehouse.atomic import is_local, local_path, write_atomically
from chunk_pipeline.warehouse.manifest import MENDING, DamagedTableError, DataFile
from chunk_pipeline.warehouse.row_digest import row_digest
from chunk_pipeline.warehouse.table import Table

ROWS_PER_GROUP = 16_384
SUFFIX = ".parquet"
THREADED = 4 * 2**20
"""Bytes above which a file is worth reading on several threads."""
WRITER = f"pyarrow {pa.__version__}"
"""What wrote the files of this process; another version may give other bytes for the same rows."""


def file_name(content: str) -> str:
    """The name of the file with rows of that digest: the same rows by the same writer are the same file.

    Another writer may give them other bytes, and a reader may hold a manifest that names the old ones.
    """
    return f"{hashlib.sha256(f'{WRITER} {content}'.encode()).hexdigest()[:32]}{SUFFIX}"


def write_rows(folder: UPath, table: Table, rows: pa.Table, known: Mapping[str, DataFile]) -> DataFile:
    """Write rows to the folder of a partition, unless a file that is there holds them.

    Args:
        folder: Made if it is not there.
        table: Their declaration.
        rows: In their order, of their declared types.
        known: The files of the previous manifest, by the same writer, by the digests of their rows.

    Raises:
        OSError: The disk refused; no file appears.
    """
    rows = plainly_typed(rows)
    content = row_digest(rows)
    path = folder / file_name(content)
    there = known.get(content)
    if there is not None and size_of(path) == there.size:
        return there
    data = _encoded(rows)
    write_atomically(path, lambda file: file.write(data))
    if size_of(path) != len(data):
        raise OSError(f"{path}: what was written does not read back; check the disk")
    return described(table, path.name, data, rows, content)


def described(table: Table, name: str, data: bytes, rows: pa.Table, content: str) -> DataFile:
    """What a manifest says of a file.

    Args:
        table: Declaration of its table.
        name: Its name.
        data: Its bytes.
        rows: Its rows.
        content: Their digest.
    """
    return DataFile(
        name=name,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        crc32=crc32(data),
        rows=rows.num_rows,
        content=content,
        first=str(rows[table.cut_by][0].as_py()) if table.cut_by and rows.num_rows else "",
    )


def read_rows(folder: UPath, file: DataFile, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a file of a partition.

    Raises:
        FileNotFoundError: It is not there.
        DamagedTableError: It does not read back.
    """
    path = folder / file.name
    data = (local_path(path) if is_local(path) else path).read_bytes()
    if crc32(data) != file.crc32:
        raise DamagedTableError(f"{path} is damaged (its checksum does not fit); {MENDING}")
    try:
        parquet = pq.ParquetFile(pa.BufferReader(data))
        threads = file.size > THREADED
        rows = parquet.read(columns=list(columns) if columns else None, use_threads=threads)
    except (pa.ArrowException, OSError) as error:
        raise DamagedTableError(f"{path} does not read back ({error}); {MENDING}") from error
    return _as_declared(rows.replace_schema_metadata(None))


def _as_declared(rows: pa.Table) -> pa.Table:
    """The rows with their vectors' type as it was written: Parquet has another name for a list's elements.

    Types that differ in it are equal and yet written as other bytes.
    """
    place = rows.schema.get_field_index("vector")
    if place < 0:
        return rows
    kind = rows.schema.field(place).type
    width = kind.list_size if pa.types.is_fixed_size_list(kind) else -1
    field = rows.schema.field(place).with_type(pa.list_(kind.value_type, width))
    return rows.cast(rows.schema.set(place, field))


def size_of(path: UPath | Path) -> int | None:
    """Size in bytes; ``None`` where there is no such file."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def sizes_fit(folder: UPath, files: Iterable[DataFile]) -> bool:
    """Whether all files of a partition are there, and of the size that its manifest says."""
    # By plain paths where it can be: joining many takes longer than asking the disk.
    within = local_path(folder) if is_local(folder) else folder
    return all(size_of(within / file.name) == file.size for file in files)


def _encoded(rows: pa.Table) -> bytes:
    vectors = [name for name in rows.schema.names if name == "vector"]
    sink = io.BytesIO()
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
    return sink.getvalue()
