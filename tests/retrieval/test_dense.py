from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from retrieval_indexes import DIMENSION, HashingEncoder, chunk_table

from chunk_pipeline.embedding.vector_store import embed_chunks
from chunk_pipeline.retrieval.dense import DenseError, DenseIndex, build_dense
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.warehouse.table import joined
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


def _two_models() -> tuple[pa.Table, pa.Table]:
    """Five chunks and their vectors: three by a model of width 2, two by one of width 3."""
    chunks = pa.table(
        {
            "chunk_id": ["a", "b", "c", "d", "e"],
            "text_sha256": ["1", "2", "3", "1", "2"],
            "model": ["flat", "deep", "flat", "deep", "flat"],
        }
    )
    flat = [("flat", "1", [1.0, 0.0]), ("flat", "2", [0.6, 0.8]), ("flat", "3", [0.0, 1.0])]
    deep = [("deep", "1", [0.0, 0.0, 1.0]), ("deep", "2", [0.0, 1.0, 0.0])]
    tables = [
        pa.Table.from_pylist(
            [
                {
                    "strategy": "s",
                    "repository": "r",
                    "model": model,
                    "text_sha256": digest,
                    "vector": vector,
                }
                for model, digest, vector in rows
            ],
            schema=with_dimension(VECTORS, len(rows[0][2])),
        )
        for rows in (flat, deep)
    ]
    return chunks, joined(tables)


def test_two_models_of_different_widths_lie_in_one_index_and_share_no_vector() -> None:
    table = build_dense("s", *_two_models())
    assert table["vector"].to_pylist() == [
        [1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 1.0],
        [0.0, 0.0, 1.0],
        pytest.approx([0.6, 0.8]),
    ]
    index = DenseIndex.from_table(table)
    assert index.models == ("deep", "flat")
    assert [block.places.tolist() for block in index.blocks] == [[1, 3], [0, 2, 4]]


def test_models_are_merged_by_rank_and_never_by_score() -> None:
    index = DenseIndex.from_table(build_dense("s", *_two_models()))
    # Every cosine of the flat model is over every one of the deep model, and says nothing beside it.
    queries = QueryVectors(
        {"flat": np.array([[0.6, 0.8]], np.float32), "deep": np.array([[1.0, 0.1, 0.05]], np.float32)}, 1
    )
    expected = [1 / 63, 1 / 61, 1 / 62, 1 / 62, 1 / 61]
    assert index.scores(queries)[0] == pytest.approx(expected)


def test_chunks_of_equal_similarity_share_a_rank_across_models() -> None:
    index = DenseIndex.from_table(build_dense("s", *_two_models()))
    queries = QueryVectors(
        {"flat": np.array([[0.0, 1.0]], np.float32), "deep": np.array([[1.0, 0.0, 0.0]], np.float32)}, 1
    )
    assert index.scores(queries)[0] == pytest.approx([1 / 63, 1 / 61, 1 / 61, 1 / 61, 1 / 62])


def test_a_query_must_be_encoded_by_every_model_of_the_index() -> None:
    index = DenseIndex.from_table(build_dense("s", *_two_models()))
    with pytest.raises(DenseError, match="the index is of deep, the queries' vectors of flat; encode anew"):
        index.scores(QueryVectors.of("flat", np.ones((1, 2), np.float32)))
    with pytest.raises(ValueError, match="encode the queries by every model"):
        QueryVectors({"flat": np.ones((2, 2), np.float32)}, 1)


def test_queries_are_picked_by_slice_and_by_place() -> None:
    queries = QueryVectors.of("m", np.arange(6, dtype=np.float32).reshape(3, 2))
    assert queries[1:].by_model["m"].tolist() == [[2, 3], [4, 5]]
    assert queries[[2, 0]].by_model["m"].tolist() == [[4, 5], [0, 1]]
    assert (len(queries[1:]), len(queries[[]])) == (2, 0)


def test_the_context_of_a_chunk_is_kept_beside_its_vector() -> None:
    chunks = chunk_table(TEXTS)
    tagged = chunks.append_column("context", pa.array(["[NL] "] * len(TEXTS)))
    assert set(build_dense("s", tagged, _vectors(chunks))["context"].to_pylist()) == {"[NL] "}
    assert set(build_dense("s", chunks, _vectors(chunks))["context"].to_pylist()) == {""}
