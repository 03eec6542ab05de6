from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retrieval_indexes import chunk_table, encoded, indexes_of

from chunk_pipeline.retrieval.dense import DenseError
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.retrieval.rankings import RETRIEVERS, rank_queries
from chunk_pipeline.retrieval.search import Hit, chunks_of_repository, clean, results, search

CHUNKS = pa.concat_tables(
    [
        chunk_table(["harbour light", "port of call", "the quay"], "sea"),
        chunk_table(["harbour master", "railway station"], "land"),
    ]
)
BM25, DENSE = indexes_of(CHUNKS)


def _search(query: str, retriever: str = "rrf", k: int = 10, among: pa.Array | None = None) -> list[Hit]:
    return search(query, BM25, DENSE, encoded, retriever, k, among=among)


def _texts(hits: list[Hit]) -> list[str]:
    return [result.text for result in results(hits, CHUNKS)]


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_the_best_chunk_is_first_and_ranks_count_up(retriever: str) -> None:
    hits = _search("harbour light", retriever)
    assert _texts(hits)[0] == "harbour light"
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("retriever", [each for each in RETRIEVERS if each != "bm25"])
def test_a_search_gives_the_ranking_that_is_evaluated(retriever: str) -> None:
    vectors = encoded("port light")
    ranked = rank_queries("s", ["port light"], BM25, DENSE, vectors, 0.5)
    rows = ranked.filter(pa.compute.field("retriever") == retriever)
    hits = _search("port light", retriever)
    assert [hit.chunk_id for hit in hits] == rows["chunk_id"].to_pylist()
    assert [hit.score for hit in hits] == rows["score"].to_pylist()


def test_bm25_finds_only_chunks_with_a_word_of_the_query_and_loads_no_model() -> None:
    def never(query: str) -> QueryVectors:
        raise AssertionError("the model was loaded")

    assert sorted(_texts(search("harbour", BM25, DENSE, never, "bm25"))) == [
        "harbour light",
        "harbour master",
    ]
    assert search("xyzzy", BM25, DENSE, never, "bm25") == []


def test_results_say_where_a_hit_is() -> None:
    result = results(_search("railway", "bm25"), CHUNKS)[0]
    assert (result.repository, result.path, result.unit) == ("land", "1.json", "/1")
    assert (result.start_line, result.end_line, result.hit.rank) == (2, 3, 1)


def test_a_repository_limits_the_hits_but_not_their_scores() -> None:
    everywhere = {hit.chunk_id: hit.score for hit in _search("harbour")}
    inside = _search("harbour", among=chunks_of_repository(CHUNKS, "land"))
    assert _texts(inside) == ["harbour master", "railway station"]
    assert all(everywhere[hit.chunk_id] == hit.score for hit in inside)
    assert _search("harbour", among=chunks_of_repository(CHUNKS, "no such")) == []


@pytest.mark.parametrize("query", ["", "   ", "\0", "?!… --", "\U0001f6a2", "\x1b[", "́"])
@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_a_query_without_a_letter_or_digit_finds_nothing(query: str, retriever: str) -> None:
    assert _search(query, retriever) == []


@pytest.mark.parametrize(
    "query", ["harbour\0light", "'; DROP TABLE chunks; --", "(a|b)*[", "\ud800 harbour", "λόγος", "x"]
)
@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_odd_queries_are_words_like_any_other(query: str, retriever: str) -> None:
    assert len(_search(query, retriever)) <= CHUNKS.num_rows


def test_a_megabyte_is_cut() -> None:
    query = "harbour " * 131_072
    assert len(clean(query)) < 10_001
    assert _texts(_search(query))[0].startswith("harbour")


def test_control_characters_are_spaces() -> None:
    assert clean("harbour\0\x1b[31mlight\n") == "harbour [31mlight"


def test_k_bounds_the_hits() -> None:
    assert _search("harbour", k=0) == []
    assert len(_search("harbour", k=2)) == 2
    assert len(_search("harbour", k=1000)) == CHUNKS.num_rows
    with pytest.raises(ValueError, match="k is -1"):
        _search("harbour", k=-1)


def test_an_unknown_retriever_is_refused_even_for_an_empty_query() -> None:
    with pytest.raises(ValueError, match="no retriever 'fuzzy'; there are: bm25, convex, dense, rrf"):
        _search("", "fuzzy")


def test_an_empty_index_finds_nothing() -> None:
    assert search("harbour", *indexes_of(chunk_table([])), encoded) == []


def test_an_encoder_of_another_model_is_refused() -> None:
    with pytest.raises(DenseError, match="the index is of hashing@0"):
        search("harbour", BM25, DENSE, lambda query: QueryVectors.of("other", np.ones((1, 32), np.float32)))


def test_hits_that_are_not_in_the_chunks_are_refused() -> None:
    with pytest.raises(ValueError, match="1 of 1 hits are not in the chunks"):
        results([Hit("gone", 1, 0.0)], CHUNKS)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.sampled_from(RETRIEVERS), st.integers(0, 8))
def test_any_query_has_an_answer(query: str, retriever: str, k: int) -> None:
    hits = _search(query, retriever, k)
    assert len(hits) <= min(k, CHUNKS.num_rows)
    assert len({hit.chunk_id for hit in hits}) == len(hits)


def test_naughty_strings_are_answered(corpora: Path) -> None:
    folder = corpora / "corpora" / "bad_inputs" / "naughty_strings"
    strings = json.loads(next(folder.rglob("*.json")).read_text(encoding="utf-8"))
    assert len(strings) == 515
    for query in strings:
        for retriever in RETRIEVERS:
            assert len(_search(query, retriever)) <= CHUNKS.num_rows
