"""The content-addressed store of vectors: which texts have one, and encoding only those that have not.

A vector is found by (model key, SHA-256 of the text). So an unchanged text is never encoded again, whichever
file, strategy or repository it is in, and a model is not even loaded where nothing is missing. Pure functions
on Arrow tables; what does not belong here: where tables are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.arrays import Vectors, to_arrow, to_numpy
from chunk_pipeline.embedding.vectors import Encoder, EncoderError, Progress, check_vectors
from chunk_pipeline.warehouse.tables import VECTORS, with_dimension

Counts = NDArray[np.int32]
UNCOUNTED = -1
"""Stands for a text whose tokens nobody counted, until the column is made."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of some chunks and what they cost.

    Attributes:
        vectors: A ``vectors`` table with exactly the chunks' distinct texts, sorted by digest.
        n_encoded: Texts that were encoded.
        n_reused: Texts whose vector was known.
        n_tokens: Tokens of the texts that were encoded; 0 where nobody counts.
    """

    vectors: pa.Table
    n_encoded: int
    n_reused: int
    n_tokens: int = 0


def missing_texts(chunks: pa.Table, known: Iterable[pa.Table], key: str) -> tuple[list[str], list[str]]:
    """The distinct texts of the chunks that no known table holds under this key.

    Args:
        chunks: A table with ``text`` and, or else it is computed, ``text_sha256``.
        known: ``vectors`` tables; read only as far as something is missing.
        key: Name of the vector space.

    Returns:
        Digests, ascending, and the texts in the same order.
    """
    texts = _distinct_texts(chunks)
    left = set(texts["text_sha256"].to_pylist())
    for table in known:
        left.difference_update(_of_model(table, key)["text_sha256"].to_pylist())
        if not left:
            break
    wanted = texts.filter(pc.is_in(texts["text_sha256"], value_set=pa.array(sorted(left), pa.string())))
    return wanted["text_sha256"].to_pylist(), wanted["text"].to_pylist()


def embed_chunks(
    chunks: pa.Table,
    encoder_factory: Callable[[], Encoder],
    key: str,
    known: Iterable[pa.Table],
    strategy: str,
    repository: str,
    dimension: int,
    progress: Progress | None = None,
    count: Callable[[Sequence[str]], Sequence[int]] | None = None,
) -> Embedded:
    """The vectors of the chunks' distinct texts, encoding only those that are not known.

    Args:
        chunks: A table with ``text`` and, or else it is computed, ``text_sha256``.
        encoder_factory: Called once, and only if a text is missing.
        key: Name of the vector space.
        known: ``vectors`` tables, the likeliest first; read only as far as something is missing.
        strategy: Strategy of the new rows.
        repository: Repository of the new rows.
        dimension: Width of the vectors.
        progress: Told how many texts are encoded, and of how many.
        count: Counts the tokens of texts, for ``n_tokens``; without it that is null. Known texts keep theirs.

    Raises:
        EncoderError: The encoder is of another key or width, or gives vectors that are not of unit length.
    """
    texts = _distinct_texts(chunks)
    digests = texts["text_sha256"].combine_chunks()
    vectors = np.empty((len(digests), dimension), dtype=np.float32)
    tokens = np.full(len(digests), UNCOUNTED, dtype=np.int32)
    found = _fill_known(vectors, tokens, digests, known, key)
    missing = np.flatnonzero(~found)
    if len(missing):
        encoder = encoder_factory()
        if (encoder.key, encoder.dimension) != (key, dimension):
            raise EncoderError(
                f"the encoder is {encoder.key} of width {encoder.dimension}, but {key} of width {dimension} "
                "is wanted; check the model and the compute class in the settings"
            )
        encoded = encoder.encode(texts["text"].take(pa.array(missing)).to_pylist(), progress)
        check_vectors(encoded, (len(missing), dimension))
        vectors[missing] = encoded
    uncounted = np.flatnonzero(tokens == UNCOUNTED)
    if count is not None and len(uncounted):
        tokens[uncounted] = count(texts["text"].take(pa.array(uncounted)).to_pylist())
    table = _table(vectors, tokens, digests, key, strategy, repository)
    counted = int(tokens[missing].clip(min=0).sum())
    return Embedded(table, len(missing), len(digests) - len(missing), counted)


def _distinct_texts(chunks: pa.Table) -> pa.Table:
    """One row (text_sha256, text) for each distinct text, sorted by digest."""
    text = chunks["text"].cast(pa.large_string())
    if "text_sha256" in chunks.schema.names:
        digests = chunks["text_sha256"].combine_chunks()
    else:
        digests = pa.array([digest(each) for each in text.to_pylist()], pa.string())
    first = np.unique(digests.to_numpy(zero_copy_only=False).astype(str), return_index=True)[1]
    return pa.table({"text_sha256": digests, "text": text}).take(pa.array(first))


def _of_model(table: pa.Table, key: str) -> pa.Table:
    columns = [name for name in ("text_sha256", "n_tokens", "vector") if name in table.schema.names]
    return table.select(columns).filter(pc.equal(table["model"], key))


def _fill_known(
    vectors: Vectors, tokens: Counts, digests: pa.Array, known: Iterable[pa.Table], key: str
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Copy known vectors and counts to their rows; returns which rows have a vector."""
    found = np.zeros(len(digests), dtype=bool)
    if found.all():
        return found
    for table in known:
        rows = _of_model(table, key)
        if rows.num_rows == 0:
            continue
        at = pc.index_in(digests, value_set=rows["text_sha256"].combine_chunks())
        new = np.flatnonzero(np.asarray(at.is_valid()) & ~found)
        taken = rows.take(at.take(pa.array(new)))
        vectors[new] = to_numpy(taken["vector"], vectors.shape[1])
        if "n_tokens" in taken.schema.names:
            tokens[new] = pc.fill_null(taken["n_tokens"], UNCOUNTED).to_numpy()
        found[new] = True
        if found.all():
            break
    return found


def _table(
    vectors: Vectors, tokens: Counts, digests: pa.Array, key: str, strategy: str, repository: str
) -> pa.Table:
    n, dimension = vectors.shape
    schema = with_dimension(VECTORS, dimension)
    columns = {
        "strategy": pa.repeat(strategy, n),
        "repository": pa.repeat(repository, n),
        "model": pa.repeat(key, n),
        "text_sha256": digests,
        "n_tokens": pa.array(tokens, mask=tokens == UNCOUNTED),
        "vector": to_arrow(vectors),
    }
    return pa.table([columns[name] for name in schema.names], schema=schema)
