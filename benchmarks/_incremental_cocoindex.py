"""CocoIndex 1.0 as a store of the benchmark: its own state on disk, its rows in an SQLite table.

It is used as in its example of text embeddings: a memoised function for each file, a row for each piece.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks._incremental_store import CountingEncoder, Row, pieces

# Else it calls its makers' server when it is imported and at each update.
os.environ["COCOINDEX_DISABLE_USAGE_TRACKING"] = "1"

import cocoindex as coco
from cocoindex.connectors import localfs, sqlite
from cocoindex.resources.file import FileLike
from cocoindex.resources.id import IdGenerator

TABLE = "pieces"
DATABASE = coco.ContextKey[sqlite.ManagedConnection]("database")
EMBEDDER = coco.ContextKey["Embedder"]("embedder")
FILES = coco.ContextKey[Path]("files")


@dataclass
class Piece:
    """A row of the table; the vector is the bytes of float32."""

    id: int
    path: str
    text: str
    vector: bytes


class Embedder:
    """The counting encoder, in batches as large as those of CocoIndex's own embedders."""

    def __init__(self, encoder: CountingEncoder) -> None:
        self._encoder = encoder

    @coco.fn.as_async(batching=True, max_batch_size=64)
    def embed(self, texts: list[str]) -> list[bytes]:
        """The vectors of texts, as bytes."""
        return [vector.tobytes() for vector in self._encoder.encode(texts)]


@coco.fn
async def declare_piece(text: str, path: str, ids: IdGenerator, table: sqlite.TableTarget[Piece]) -> None:
    """Declare the row of a piece."""
    vector = await coco.use_context(EMBEDDER).embed(text)
    table.declare_row(row=Piece(await ids.next_id(text), path, text, vector))


@coco.fn(memo=True)
async def declare_file(file: FileLike[Path], table: sqlite.TableTarget[Piece]) -> None:
    """Declare the rows of a file, unless it is as it was."""
    await coco.map(
        declare_piece, pieces(await file.read_text()), file.file_path.path.as_posix(), IdGenerator(), table
    )


@coco.fn
async def declare_all() -> None:
    """Declare the rows of all files."""
    schema = await sqlite.TableSchema.from_class(Piece, primary_key=["id"])
    table = await sqlite.mount_table_target(DATABASE, TABLE, schema)
    await coco.mount_each(declare_file, localfs.walk_dir(FILES, recursive=True).items(), table)


class CocoIndex:
    """An app with an environment of its own."""

    def __init__(self, files: Path, place: Path, encoder: CountingEncoder) -> None:
        self._path = place / "target.sqlite"
        self._connection = sqlite.connect(self._path, load_vec=False)
        provider = coco.ContextProvider()
        provider.provide(DATABASE, self._connection)
        provider.provide(EMBEDDER, Embedder(encoder))
        provider.provide(FILES, files)
        settings = coco.Settings(db_path=place / "state")
        self._environment = coco.Environment(settings, context_provider=provider)
        self._app = coco.App(coco.AppConfig("benchmark", environment=self._environment), declare_all)

    def update(self) -> None:
        """Run the app."""
        self._app.update_blocking()

    def rows(self) -> Iterator[Row]:
        """The SQLite table, by a connection of its own."""
        with closing(sqlite3.connect(self._path)) as connection:
            for path, text, vector in connection.execute(f"SELECT path, text, vector FROM {TABLE}"):
                yield Row(path, text, np.frombuffer(vector, np.float32))

    def close(self) -> None:
        """Close the state and the database."""
        self._environment.close()
        self._connection.close()
