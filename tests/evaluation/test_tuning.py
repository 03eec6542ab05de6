"""Rankings with a tuned fusion, from indexes built on the spot."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from evaluation_tables import chunk_row, chunk_table, gold_of

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.evaluation.metrics import retrieval_metrics
from chunk_pipeline.evaluation.tuning import tune, tuned_rankings
from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, postings_of
from chunk_pipeline.retrieval.dense import DenseIndex, build_dense
from chunk_pipeline.warehouse.tables import RANKINGS, VECTORS, with_dimension

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty"]
N = len(WORDS)


def vectors(texts: list[str], values: np.ndarray) -> pa.Table:
    """Vectors of these texts, one row of ``values`` each."""
    rows = [
        {
            "strategy": "s",
            "repository": "shop",
            "model": "m",
            "text_sha256": digest(text),
            "vector": row.tolist(),
        }
        for text, row in zip(texts, values, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=with_dimension(VECTORS, values.shape[1]))


def chunks() -> pa.Table:
    """A chunk a file, each about one word."""
    return chunk_table(
        chunk_row(f"c{n}", f"{n}.json", [(0, 10)], f"{word} text", text_sha256=digest(f"{word} text"))
        for n, word in enumerate(WORDS)
    )


def gold() -> pa.Table:
    """A query a file, by its word."""
    return pa.concat_tables(
        gold_of({word: [(f"{n}.json", 0, 10)]}, path=f"{n}.json") for n, word in enumerate(WORDS)
    )


def indexes() -> tuple[BM25Index, DenseIndex]:
    """BM25 knows every word; the vectors say that every word means the next one."""
    table = chunks()
    lexical = BM25Index.from_tables(
        *build_bm25("s", table["chunk_id"].to_pylist(), postings_of(table, "s", "shop"))
    )
    misled = vectors([f"{word} text" for word in WORDS], np.roll(np.eye(N, dtype=np.float32), 1, axis=1))
    return lexical, DenseIndex.from_table(build_dense("s", table, misled))


def test_the_fusion_learns_which_leg_to_trust() -> None:
    lexical, dense = indexes()
    queries = vectors(WORDS, np.eye(N, dtype=np.float32))
    assert tune(gold(), chunks(), lexical, dense, queries).weight > 0.5
    rankings = tuned_rankings("s", gold(), chunks(), lexical, dense, queries)
    found = {
        row["retriever"]: row["value"]
        for row in retrieval_metrics(gold(), {"s": rankings}, {"s": chunks()}).to_pylist()
        if (row["metric"], row["level"], row["category"]) == ("hit@1", "chunk", "all")
    }
    assert found["bm25"] == found["convex"] == 1.0
    assert found["dense"] == 0.0


def test_rankings_have_the_declared_schema_order_and_depth() -> None:
    lexical, dense = indexes()
    queries = vectors(WORDS, np.eye(N, dtype=np.float32))
    rankings = tuned_rankings("s", gold(), chunks(), lexical, dense, queries, depth=3)
    assert rankings.schema.equals(RANKINGS.schema)
    assert rankings.num_rows == 4 * N * 3
    assert rankings.equals(rankings.sort_by([(name, "ascending") for name in RANKINGS.sort]))


def test_queries_without_a_vector_are_refused() -> None:
    lexical, dense = indexes()
    with pytest.raises(ValueError, match="embed the gold queries again"):
        tuned_rankings("s", gold(), chunks(), lexical, dense, vectors(WORDS[:1], np.eye(1, N)))


def test_no_gold_gives_no_rankings() -> None:
    lexical, dense = indexes()
    empty = tuned_rankings("s", gold_of({}), chunks(), lexical, dense, vectors([], np.zeros((0, N))))
    assert empty.equals(RANKINGS.empty())
