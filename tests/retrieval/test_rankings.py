from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from retrieval_indexes import DIMENSION, HashingEncoder, chunk_table, encoded, indexes_of

from chunk_pipeline.retrieval.fusion import convex, fuse_ranks, rank_order
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.retrieval.rankings import RETRIEVERS, rank_queries, retriever_scores
from chunk_pipeline.retrieval.tokenizer import tokenize
from chunk_pipeline.warehouse.tables import RANKINGS

TEXTS = [f"{first} {second}" for first in ("harbour", "port", "quay") for second in ("light", "call", "port")]
CHUNKS = chunk_table([*TEXTS, "harbour light", "..."])
QUERIES = ["harbour light", "port of call", "xyzzy"]
BM25, DENSE = indexes_of(CHUNKS)
VECTORS = encoded(*QUERIES)


def _rank(depth: int = 1000) -> pa.Table:
    return rank_queries("s", QUERIES, BM25, DENSE, VECTORS, 0.3, depth)


def _ids(table: pa.Table, retriever: str, query: str) -> list[str]:
    rows = table.filter((pc.field("retriever") == retriever) & (pc.field("query") == query))
    assert rows["rank"].to_pylist() == list(range(1, rows.num_rows + 1))
    return rows["chunk_id"].to_pylist()


def test_every_retriever_ranks_every_chunk_for_every_query() -> None:
    table = _rank()
    assert table.schema == RANKINGS.schema
    assert table.num_rows == len(RETRIEVERS) * len(QUERIES) * CHUNKS.num_rows
    assert table.equals(table.sort_by([(name, "ascending") for name in RANKINGS.sort]))


def test_rankings_equal_the_retrievers_taken_one_by_one() -> None:
    table, ids = _rank(), BM25.chunk_ids.to_pylist()
    for row, query in enumerate(QUERIES):
        lexical, semantic = BM25.scores(tokenize(query)), DENSE.scores(VECTORS[row : row + 1])[0]
        by_bm25 = [ids[at] for at in rank_order(lexical)]
        by_dense = [ids[at] for at in rank_order(semantic)]
        assert _ids(table, "bm25", query) == by_bm25
        assert _ids(table, "dense", query) == by_dense
        assert _ids(table, "rrf", query) == [ids[at] for at in rank_order(fuse_ranks((lexical, semantic)))]
        mixed = convex(lexical, semantic, 0.3)
        assert _ids(table, "convex", query) == [ids[at] for at in rank_order(mixed)]


def test_depth_cuts_full_rankings() -> None:
    deep, shallow = _rank(), _rank(depth=3)
    assert shallow.equals(deep.filter(pc.field("rank") <= 3))


def test_chunks_of_one_text_are_tied_and_in_the_order_of_ids() -> None:
    ids = _ids(_rank(), "dense", "harbour light")[:2]
    assert ids == sorted(ids)
    texts = dict(zip(CHUNKS["chunk_id"].to_pylist(), CHUNKS["text"].to_pylist(), strict=True))
    assert [texts[each] for each in ids] == ["harbour light"] * 2


def test_a_query_is_ranked_the_same_in_any_company() -> None:
    many = [f"{text} {number}" for number in range(30) for text in QUERIES]
    vectors = encoded(*many)
    together = rank_queries("s", many, BM25, DENSE, vectors, 0.5)
    alone = rank_queries("s", many[70:71], BM25, DENSE, vectors[70:71], 0.5)
    assert together.filter(pc.field("query") == many[70]).equals(alone)


def test_no_queries_or_no_chunks_give_no_rows() -> None:
    none = rank_queries(
        "s", [], BM25, DENSE, QueryVectors.of(HashingEncoder().key, np.zeros((0, DIMENSION), np.float32)), 0.5
    )
    assert none.schema == RANKINGS.schema
    assert none.num_rows == 0
    assert rank_queries("s", QUERIES, *indexes_of(chunk_table([])), VECTORS, 0.5).num_rows == 0


def test_indexes_of_different_chunks_are_refused() -> None:
    with pytest.raises(ValueError, match="hold different chunks"):
        rank_queries("s", QUERIES, BM25, indexes_of(CHUNKS.slice(1))[1], VECTORS, 0.5)
    with pytest.raises(ValueError, match="2 queries but 3 query vectors"):
        rank_queries("s", QUERIES[1:], BM25, DENSE, VECTORS, 0.5)
    with pytest.raises(ValueError, match="no retriever 'fuzzy'"):
        retriever_scores("fuzzy", np.zeros((1, 1)), np.zeros((1, 1)), 0.5)
