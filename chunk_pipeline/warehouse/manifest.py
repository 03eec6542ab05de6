"""Manifests: what a partition holds, what it was made from, and the one file whose appearance commits it.

A manifest is a JSON line and the SHA-256 of that line. It names every data file with its digest, so nothing
of a partition can be lost, torn or swapped unnoticed, and every input with its digest, so that what has to be
made anew is known by reading it alone. It holds no clock and no number of its own: the same work gives the
same manifest, whatever was there before. Where manifests lie and how they are published is in ``commits``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Self, TypeVar, cast

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from chunk_pipeline.warehouse.fingerprint import Inputs, Part

FORMAT = 2
"""Format of the store. The first had one file a partition and no manifests."""


Record = TypeVar("Record", bound=BaseModel)


class DamagedTableError(OSError):
    """A stored file that does not read back; the message names it."""


class DataFile(BaseModel):
    """A file of a table's partition.

    Attributes:
        name: File name in the folder of the partition.
        size: Bytes.
        sha256: Digest of the bytes; ``verify`` asks for it.
        crc32: Checksum of the bytes; every reader asks for it, so that no flipped bit is ever a value.
        rows: How many rows it has.
        content: Digest of the rows, whatever the bytes (``row_digest``).
        first: Value of the table's cutting column in its first row; empty without one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    size: int
    sha256: str
    crc32: int
    rows: int
    content: str
    first: str = ""


class StoredTable(BaseModel):
    """What a manifest says of one table.

    Attributes:
        columns: Digest of the names and types that the table was declared with.
        files: Its data files, in the order of the rows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: str
    files: tuple[DataFile, ...]

    @property
    def rows(self) -> int:
        """Rows in all files."""
        return sum(file.rows for file in self.files)

    @property
    def size(self) -> int:
        """Bytes in all files."""
        return sum(file.size for file in self.files)

    @property
    def content(self) -> str:
        """Digest of the rows: what a stage that reads the table depends on."""
        digests = "\n".join(file.content for file in self.files)
        return hashlib.sha256(digests.encode()).hexdigest()


class Manifest(BaseModel):
    """What one partition of a main table, and of the tables committed with it, holds.

    Attributes:
        format: Format of the store.
        table: The main table.
        partition: Its partition, by the names of its folders.
        inputs: What it was made from.
        fingerprint: Digest of the inputs.
        writer: Version of the library that wrote the files: another one may write other bytes.
        tables: By name, the main table and those committed with it.
        pages: Digests of files for people that were made with the tables, by their path in the warehouse.
        dropped: Whether the partition is there no more; then it has no tables.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    table: str
    partition: Mapping[str, str]
    inputs: Mapping[str, object] = {}
    fingerprint: str = ""
    writer: str = ""
    tables: Mapping[str, StoredTable] = {}
    pages: Mapping[str, str] = {}
    dropped: bool = False

    def encode(self) -> bytes:
        """The manifest as it is stored: one line of JSON, and its digest."""
        return sealed(self)

    @property
    def digest(self) -> str:
        """SHA-256 of the manifest: the version of the data."""
        return self.encode().split(b"\n")[1].decode()

    @classmethod
    def decode(cls, data: bytes, where: str) -> Self:
        """Read a stored manifest.

        Raises:
            DamagedTableError: Its digest does not fit, or it is no manifest of this format.
        """
        return unsealed(cls, data, where)

    def made_from(self) -> Inputs:
        """The inputs as they were."""
        return Inputs(cast("Mapping[str, Part]", self.inputs))


def sealed(record: BaseModel) -> bytes:
    """A record as one line of JSON, and the SHA-256 of that line."""
    line = orjson.dumps(record.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
    return line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n"


def unsealed(kind: type[Record], data: bytes, where: str) -> Record:
    """The record that was sealed.

    Raises:
        DamagedTableError: Its digest does not fit, or it is no record of that kind.
    """
    line, _, rest = data.partition(b"\n")
    if hashlib.sha256(line).hexdigest().encode() + b"\n" != rest:
        raise DamagedTableError(f"{where} is damaged (its digest does not fit); {MENDING}")
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first, name = error.errors()[0], kind.__name__.lower()
        raise DamagedTableError(f"{where} is no {name} ({first['loc']}: {first['msg']})") from error


MENDING = "run 'chunk-pipeline repair', which makes again what is damaged and nothing else"
"""What to do about a damaged file."""
