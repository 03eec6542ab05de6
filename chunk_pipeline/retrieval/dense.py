"""Dense retrieval: the dot product of a query's vector with every chunk's, exactly.

Exact because it can be: a hundred thousand chunks take milliseconds, and an approximate index of that size
misses one neighbour in eight. Products are made in tiles of one shape, filled up with zeros: a matrix library
takes other paths at the edges of other shapes, and then chunks of one text would differ in the last bit and
no longer be ties.

Chunks may be read by several models. Their cosines are not on one scale (a model's similarities may all lie
between 0.7 and 1), so vectors of two models are never compared: each model ranks its own chunks by its own
vector of the query, and the rankings are merged by rank, with ties kept. What does not belong here: encoding,
and fusing with other retrievers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.embedding.arrays import Vectors, to_numpy
from chunk_pipeline.retrieval.fusion import K, ranks_of
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.warehouse.tables import DENSE_INDEX, with_dimension

QUERIES_PER_TILE = 16
CHUNKS_PER_TILE = 1024


class DenseError(ValueError):
    """Vectors that do not fit the chunks, or one another."""


def build_dense(strategy: str, chunks: pa.Table, vectors: pa.Table) -> pa.Table:
    """Lay down the vector of every chunk, in the order of chunk ids.

    Args:
        strategy: Strategy of the rows.
        chunks: The chunks of the index: a table with ``chunk_id``, ``text_sha256`` (of what is embedded) and,
            if vectors are of several models, ``model``, the key of the one that reads the chunk; optionally
            ``context``.
        vectors: ``vectors`` that hold the chunks' texts, of any repositories.

    Returns:
        A ``dense_index`` table; its vectors are lists of one width if all are of one width.

    Raises:
        DenseError: The vectors are of several models and chunks name none, or a chunk has no vector.
    """
    models = sorted(pc.unique(vectors["model"]).to_pylist())
    if len(models) > 1 and "model" not in chunks.schema.names:
        raise DenseError(f"{strategy}: vectors of several models ({', '.join(models)}); encode anew with one")
    ordered = chunks.sort_by("chunk_id")
    if "model" not in chunks.schema.names:
        ordered = ordered.append_column("model", pa.repeat(models[0] if models else "", ordered.num_rows))
    if "context" not in chunks.schema.names:
        ordered = ordered.append_column("context", pa.repeat("", ordered.num_rows))
    rows = pc.index_in(_keys(ordered), value_set=_keys(vectors))
    if rows.null_count:
        chunk = ordered["chunk_id"].filter(pc.is_null(rows))[0].as_py()
        raise DenseError(
            f"{strategy}: {rows.null_count} chunks have no vector, the first is {chunk}; encode them first"
        )
    width = getattr(vectors.schema.field("vector").type, "list_size", 0)
    columns = {
        "strategy": pa.repeat(strategy, ordered.num_rows),
        "model": ordered["model"],
        "chunk_id": ordered["chunk_id"],
        "context": ordered["context"],
        "vector": vectors["vector"].take(rows),
    }
    schema = with_dimension(DENSE_INDEX, width) if width else DENSE_INDEX.schema
    return pa.table([columns[name] for name in schema.names], schema=schema)


def _keys(table: pa.Table) -> pa.Array:
    """What finds a vector: model and digest, in one string."""
    joined = pc.binary_join_element_wise(table["model"], table["text_sha256"], " ")
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


@dataclass(frozen=True, slots=True)
class Block:
    """The chunks of an index that one model reads.

    Attributes:
        model: Key of the model.
        places: Places of the chunks in the index, ascending, shape (chunks,).
        vectors: Unit-length vectors, shape (chunks, dimension).
    """

    model: str
    places: NDArray[np.int64]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """A dense index in memory.

    Attributes:
        chunk_ids: The chunks, ascending; a score's place is its chunk's place here.
        blocks: The vectors by model, in the order of model keys; together they hold every chunk once.
    """

    chunk_ids: pa.Array
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, chunk_ids: pa.Array, vectors: Vectors, model: str) -> DenseIndex:
        """An index of one model: vectors of shape (chunks, dimension) in the order of the chunks."""
        return cls(chunk_ids, (Block(model, np.arange(len(vectors)), vectors),) if len(vectors) else ())

    @classmethod
    def from_table(cls, table: pa.Table) -> DenseIndex:
        """Open an index: a ``dense_index`` table of one strategy, in its stored order."""
        models = sorted(pc.unique(table["model"]).to_pylist())
        blocks = []
        for model in models:
            places = np.flatnonzero(np.asarray(pc.equal(table["model"], model)))
            column = table["vector"] if len(models) == 1 else table["vector"].take(pa.array(places))
            width = getattr(column.type, "list_size", 0) or len(column[0])
            blocks.append(Block(model, places, to_numpy(column, width)))
        return cls(table["chunk_id"].combine_chunks(), tuple(blocks))

    def __len__(self) -> int:
        return len(self.chunk_ids)

    @property
    def models(self) -> tuple[str, ...]:
        """Keys of the models whose vectors it holds."""
        return tuple(block.model for block in self.blocks)

    def scores(self, queries: QueryVectors) -> Vectors:
        """Score of every chunk for every query, shape (queries, chunks).

        With one model it is the cosine similarity. With several it is 1 ÷ (60 + rank) of a chunk among those
        of its model, as in reciprocal rank fusion; chunks of equal similarity share a rank.

        Args:
            queries: The queries' vectors by every model of the index.

        Raises:
            DenseError: A model's vectors are missing or of another width than the index.
        """
        if len(self.blocks) == 1:
            return _cosines(self.blocks[0], queries)
        scores = np.zeros((len(queries), len(self)), dtype=np.float32)
        for block in self.blocks:
            scores[:, block.places] = 1.0 / (K + ranks_of(_cosines(block, queries)))
        return scores


def _cosines(block: Block, queries: QueryVectors) -> Vectors:
    """Cosine similarity of every query with every chunk of a block, shape (queries, chunks)."""
    if block.model not in queries.by_model:
        made = ", ".join(sorted(queries.by_model)) or "no model"
        raise DenseError(f"the index is of {block.model}, the queries' vectors of {made}; encode anew")
    asked = queries.by_model[block.model]
    if asked.shape[1:] != block.vectors.shape[1:]:
        raise DenseError(
            f"queries of shape {asked.shape} do not fit vectors of width {block.vectors.shape[1]}"
        )
    scores = np.empty((len(asked), len(block.vectors)), dtype=np.float32)
    tiles = [_tile(asked, row, QUERIES_PER_TILE) for row in range(0, len(asked), QUERIES_PER_TILE)]
    for column in range(0, len(block.vectors), CHUNKS_PER_TILE):
        tile = _tile(block.vectors, column, CHUNKS_PER_TILE)
        for number, rows in enumerate(tiles):
            row = number * QUERIES_PER_TILE
            target = scores[row : row + QUERIES_PER_TILE, column : column + CHUNKS_PER_TILE]
            target[...] = (rows @ tile.T)[: target.shape[0], : target.shape[1]]
    return scores


def _tile(vectors: Vectors, start: int, size: int) -> Vectors:
    """Rows from ``start``, filled up with zeros to ``size``."""
    rows = vectors[start : start + size]
    if len(rows) == size:
        return rows
    filled = np.zeros((size, vectors.shape[1]), dtype=np.float32)
    filled[: len(rows)] = rows
    return filled
