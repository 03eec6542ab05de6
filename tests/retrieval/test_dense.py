from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from retrieval_indexes import DIMENSION, HashingEncoder, chunk_table

from chunk_pipeline.embedding.vector_store import embed_chunks
from chunk_pipeline.retrieval.dense import DenseError, DenseIndex, build_dense
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.warehouse.tables import DENSE_INDEX, VECTORS, with_dimension

TEXTS = ["harbour port", "lighthouse", "harbour port", "port of call"]


def _vectors(chunks: pa.Table) -> pa.Table:
    encoder = HashingEncoder()
    return embed_chunks(chunks, lambda: encoder, encoder.key, [], "s", "r", DIMENSION).vectors


def _index(vectors: np.ndarray) -> DenseIndex:
    return DenseIndex.of(pa.array([f"{at:06}" for at in range(len(vectors))]), vectors, "m")


def _scores(index: DenseIndex, queries: np.ndarray) -> np.ndarray:
    return index.scores(QueryVectors.of("m", queries))


def test_every_chunk_has_the_vector_of_its_text_in_the_order_of_ids() -> None:
    chunks = chunk_table(TEXTS)
    table = build_dense("s", chunks, _vectors(chunks))
    assert table.schema == with_dimension(DENSE_INDEX, DIMENSION)
    index = DenseIndex.from_table(table)
    ordered = chunks.sort_by("chunk_id")
    assert index.chunk_ids.to_pylist() == ordered["chunk_id"].to_pylist()
    assert np.array_equal(index.blocks[0].vectors, HashingEncoder().encode(ordered["text"].to_pylist()))
    assert index.models == (HashingEncoder().key,)


def test_texts_of_several_repositories_share_vectors() -> None:
    chunks = chunk_table(TEXTS)
    twice = pa.concat_tables([_vectors(chunks), _vectors(chunks.slice(1))])
    assert build_dense("s", chunks, twice).equals(build_dense("s", chunks, _vectors(chunks)))


def test_a_chunk_without_a_vector_is_named() -> None:
    chunks = chunk_table(TEXTS)
    with pytest.raises(DenseError, match=r"1 chunks have no vector, the first is .*; encode them first"):
        build_dense("s", chunks, _vectors(chunks.slice(2)))


def test_vectors_of_two_models_are_refused() -> None:
    vectors = _vectors(chunk_table(TEXTS))
    other = vectors.set_column(
        vectors.schema.get_field_index("model"), VECTORS.schema.field("model"), pa.array(["x"] * 3)
    )
    with pytest.raises(DenseError, match="several models"):
        build_dense("s", chunk_table(TEXTS), pa.concat_tables([vectors, other]))


def test_scores_are_dot_products() -> None:
    generator = np.random.default_rng(0)
    vectors = generator.standard_normal((2100, 48)).astype(np.float32)
    queries = generator.standard_normal((21, 48)).astype(np.float32)
    exact = queries.astype(np.float64) @ vectors.astype(np.float64).T
    assert np.abs(_scores(_index(vectors), queries) - exact).max() < 1e-4


@pytest.mark.parametrize("n", [5, 33, 1064, 4097])
def test_scores_are_the_same_to_the_bit_wherever_query_and_chunk_lie(n: int) -> None:
    generator = np.random.default_rng(n)
    vectors = generator.standard_normal((n, 384)).astype(np.float32)
    vectors = vectors[generator.integers(0, n // 3 + 1, n)]  # many chunks of one text
    queries = generator.standard_normal((19, 384)).astype(np.float32)
    scores = _scores(_index(vectors), queries)
    order = generator.permutation(n)
    assert np.array_equal(_scores(_index(vectors[order]), queries), scores[:, order])
    assert np.array_equal(_scores(_index(vectors), queries[7:8]), scores[7:8])
    same = (vectors[:, None, 0] == vectors[None, :40, 0]).argmax(axis=0)
    assert np.array_equal(scores[:, same], scores[:, :40])


def test_an_empty_index_scores_nothing() -> None:
    for schema in (DENSE_INDEX.schema, with_dimension(DENSE_INDEX, DIMENSION)):
        index = DenseIndex.from_table(schema.empty_table())
        assert _scores(index, np.ones((2, DIMENSION), np.float32)).shape == (2, 0)
    chunks = chunk_table([])
    assert build_dense("s", chunks, _vectors(chunks)).num_rows == 0


def test_queries_of_another_width_are_refused() -> None:
    with pytest.raises(DenseError, match="do not fit"):
        _scores(_index(np.ones((3, 8), np.float32)), np.ones((1, 9), np.float32))
