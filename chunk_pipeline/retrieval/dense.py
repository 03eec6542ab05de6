"""Dense retrieval: the dot product of a query's vector with every chunk's, exactly.

Exact because it can be: a hundred thousand chunks take milliseconds, and an approximate index of that size
misses one neighbour in eight. Products are made in tiles of one shape, filled up with zeros: a matrix library
takes other paths at the edges of other shapes, and then chunks of one text would differ in the last bit and
no longer be ties. What does not belong here: encoding, and turning scores into ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.embedding.arrays import Vectors, to_numpy
from chunk_pipeline.warehouse.tables import DENSE_INDEX, with_dimension

QUERIES_PER_TILE = 16
CHUNKS_PER_TILE = 1024


class DenseError(ValueError):
    """Vectors that do not fit the chunks, or one another."""


def build_dense(strategy: str, chunks: pa.Table, vectors: pa.Table) -> pa.Table:
    """Lay down the vector of every chunk, in the order of chunk ids.

    Args:
        strategy: Strategy of the rows.
        chunks: A table with ``chunk_id`` and ``text_sha256``: the chunks of the index.
        vectors: ``vectors`` of one model that hold the chunks' texts, of any repositories.

    Returns:
        A ``dense_index`` table.

    Raises:
        DenseError: The vectors are of several models, or a chunk has none.
    """
    models = pc.unique(vectors["model"]).to_pylist()
    if len(models) > 1:
        raise DenseError(
            f"{strategy}: vectors of several models ({', '.join(sorted(models))}); encode anew with one"
        )
    ordered = chunks.select(["chunk_id", "text_sha256"]).sort_by("chunk_id")
    rows = pc.index_in(ordered["text_sha256"], value_set=vectors["text_sha256"])
    if rows.null_count:
        chunk = ordered["chunk_id"].filter(pc.is_null(rows))[0].as_py()
        raise DenseError(
            f"{strategy}: {rows.null_count} chunks have no vector, the first is {chunk}; encode them first"
        )
    width = getattr(vectors.schema.field("vector").type, "list_size", 0)
    columns = [
        pa.repeat(strategy, ordered.num_rows),
        pa.repeat(models[0] if models else "", ordered.num_rows),
        ordered["chunk_id"],
        vectors["vector"].take(rows),
    ]
    return pa.table(columns, schema=with_dimension(DENSE_INDEX, width) if width else DENSE_INDEX.schema)


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """A dense index in memory.

    Attributes:
        chunk_ids: The chunks, ascending; a score's place is its chunk's place here.
        vectors: Unit-length vectors, shape (chunks, dimension).
        model: Key of the model that made them; empty where there are none.
    """

    chunk_ids: pa.Array
    vectors: Vectors
    model: str

    @classmethod
    def from_table(cls, table: pa.Table) -> DenseIndex:
        """Open an index: a ``dense_index`` table of one strategy, in its stored order."""
        column = table["vector"]
        width = getattr(column.type, "list_size", 0)
        if table.num_rows and not width:
            width = len(column[0])
        return cls(
            chunk_ids=table["chunk_id"].combine_chunks(),
            vectors=to_numpy(column, width) if width else np.zeros((0, 0), dtype=np.float32),
            model=table["model"][0].as_py() if table.num_rows else "",
        )

    def __len__(self) -> int:
        return len(self.chunk_ids)

    def scores(self, queries: Vectors) -> Vectors:
        """Cosine similarity of every query with every chunk, shape (queries, chunks).

        Args:
            queries: Unit-length vectors, shape (queries, dimension).

        Raises:
            DenseError: The queries are of another width than the index.
        """
        if not len(self):
            return np.zeros((len(queries), 0), dtype=np.float32)
        if queries.shape[1:] != self.vectors.shape[1:]:
            raise DenseError(
                f"queries of shape {queries.shape} do not fit vectors of width {self.vectors.shape[1]}"
            )
        scores = np.empty((len(queries), len(self)), dtype=np.float32)
        asked = [_tile(queries, row, QUERIES_PER_TILE) for row in range(0, len(queries), QUERIES_PER_TILE)]
        for column in range(0, len(self), CHUNKS_PER_TILE):
            tile = _tile(self.vectors, column, CHUNKS_PER_TILE)
            for number, block in enumerate(asked):
                row = number * QUERIES_PER_TILE
                target = scores[row : row + QUERIES_PER_TILE, column : column + CHUNKS_PER_TILE]
                target[...] = (block @ tile.T)[: target.shape[0], : target.shape[1]]
        return scores


def _tile(vectors: Vectors, start: int, size: int) -> Vectors:
    """Rows from ``start``, filled up with zeros to ``size``."""
    rows = vectors[start : start + size]
    if len(rows) == size:
        return rows
    filled = np.zeros((size, vectors.shape[1]), dtype=np.float32)
    filled[: len(rows)] = rows
    return filled
