"""Small indexes over given texts, and an encoder that needs no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.vector_store import embed_chunks
from chunk_pipeline.embedding.vectors import Progress
from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, postings_of
from chunk_pipeline.retrieval.dense import DenseIndex, build_dense
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.retrieval.tokenizer import tokenize

DIMENSION = 32


@dataclass(frozen=True)
class HashingEncoder:
    """Terms hashed to signed places: texts with common words are near each other."""

    key: str = "hashing@0+fp32"
    dimension: int = DIMENSION

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        vectors = np.full((len(texts), self.dimension), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for term in tokenize(text):
                place = int(digest(term)[:8], 16)
                vectors[row, place % self.dimension] += 1.0 if place & 1024 else -1.0
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def chunk_table(texts: Sequence[str], repository: str = "r") -> pa.Table:
    """Rows with what retrieval reads of a ``chunks`` table; ids are in no order."""
    n = len(texts)
    return pa.table(
        {
            "chunk_id": pa.array([digest(f"{repository} {at} {text}")[:32] for at, text in enumerate(texts)]),
            "strategy": pa.array(["one"] * n, pa.string()),
            "repository": pa.array([repository] * n, pa.string()),
            "path": pa.array([f"{at}.json" for at in range(n)], pa.string()),
            "unit": pa.array([f"/{at}" for at in range(n)], pa.string()),
            "start_line": pa.array(range(1, n + 1), pa.int32()),
            "end_line": pa.array(range(2, n + 2), pa.int32()),
            "text": pa.array(texts, pa.large_string()),
            "text_sha256": pa.array([digest(text) for text in texts], pa.string()),
        }
    )


def encoded(*queries: str) -> QueryVectors:
    """The queries' vectors."""
    encoder = HashingEncoder()
    return QueryVectors.of(encoder.key, encoder.encode(queries))


def indexes_of(chunks: pa.Table) -> tuple[BM25Index, DenseIndex]:
    """Both indexes of the chunks."""
    ids = sorted(chunks["chunk_id"].to_pylist())
    encoder = HashingEncoder()
    vectors = embed_chunks(chunks, lambda: encoder, encoder.key, [], "s", "r", DIMENSION).vectors
    return (
        BM25Index.from_tables(*build_bm25("s", ids, postings_of(chunks, "s", "r"))),
        DenseIndex.from_table(build_dense("s", chunks, vectors)),
    )
