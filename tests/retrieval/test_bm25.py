from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, postings_of
from chunk_pipeline.retrieval.tokenizer import tokenize
from chunk_pipeline.warehouse.tables import BM25_CHUNKS, BM25_TERMS, POSTINGS


def _chunks(texts: Sequence[str]) -> pa.Table:
    """Chunks with ids in no order."""
    ids = [digest(f"{place} {text}")[:32] for place, text in enumerate(texts)]
    return pa.table({"chunk_id": pa.array(ids, pa.string()), "text": pa.array(texts, pa.large_string())})


def _index(chunks: pa.Table) -> BM25Index:
    """An index over postings that come from two repositories."""
    half = chunks.num_rows // 2
    postings = pa.concat_tables(
        [postings_of(chunks.slice(half), "s", "second"), postings_of(chunks.slice(0, half), "s", "first")]
    )
    return BM25Index.from_tables(*build_bm25("s", sorted(chunks["chunk_id"].to_pylist()), postings))


def _reference(chunks: pa.Table) -> BM25Okapi:
    return BM25Okapi([tokenize(text) for text in chunks.sort_by("chunk_id")["text"].to_pylist()])


def test_postings_count_terms_and_say_where_each_is_first() -> None:
    chunks = pa.table({"chunk_id": ["b", "a"], "text": ["port harbour port", "!"]})
    postings = postings_of(chunks, "s", "r")
    assert postings.schema == POSTINGS.schema
    assert postings.select(["chunk_id", "term", "frequency", "first"]).to_pylist() == [
        {"chunk_id": "b", "term": "harbour", "frequency": 1, "first": 1},
        {"chunk_id": "b", "term": "port", "frequency": 2, "first": 0},
    ]


@pytest.fixture(scope="module")
def real_chunks(corpora: Path) -> pa.Table:
    files = sorted((corpora / "corpora" / "kalisio").rglob("*.json"))
    texts = [file.read_text(encoding="utf-8-sig") for file in files]
    return _chunks([text[start : start + 500] for text in texts for start in range(0, len(text), 500)])


def test_scores_on_real_chunks_are_bit_equal_to_rank_bm25(real_chunks: pa.Table) -> None:
    index, reference = _index(real_chunks), _reference(real_chunks)
    queries = [" ".join(text.split()[3:9]) for text in real_chunks["text"].to_pylist()[::40]]
    queries += ["form field name using text field", "type string type string", "nothing of this xyzzy", ""]
    for query in queries:
        assert np.array_equal(index.scores(tokenize(query)), reference.get_scores(tokenize(query)))


WORDS = st.sampled_from(["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op"])
CORPORA = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=24)


@settings(max_examples=150, deadline=None)
@given(CORPORA.filter(lambda texts: any(texts)), st.lists(WORDS, max_size=6))
def test_scores_on_any_corpus_are_bit_equal_to_rank_bm25(texts: list[str], query: list[str]) -> None:
    # Small corpora have negative weights, weights of 0, and chunks without a word.
    chunks = _chunks(texts)
    assert np.array_equal(_index(chunks).scores(query), _reference(chunks).get_scores(query))


def test_a_chunk_without_terms_counts_in_the_size_of_the_corpus() -> None:
    chunks = _chunks(["harbour port", "...", "!", "port"])
    index = _index(chunks)
    assert len(index) == 4
    assert np.array_equal(index.scores(["harbour"]), _reference(chunks).get_scores(["harbour"]))


def test_only_the_chunks_of_the_index_count() -> None:
    chunks = _chunks(["harbour port", "lighthouse", "port of call"])
    kept = chunks.slice(0, 2)
    ids = sorted(kept["chunk_id"].to_pylist())
    index = BM25Index.from_tables(*build_bm25("s", ids, postings_of(chunks, "s", "r")))
    assert np.array_equal(index.scores(["port"]), _reference(kept).get_scores(["port"]))


@pytest.mark.parametrize("texts", [[], ["", "!"]])
def test_a_corpus_without_words_scores_nothing(texts: list[str]) -> None:
    index = _index(_chunks(texts))
    assert index.scores(["harbour"]).tolist() == [0.0] * len(texts)


def test_tables_are_as_declared_and_the_same_for_any_order_of_postings() -> None:
    chunks = _chunks(["harbour port", "lighthouse port", "port of call"])
    ids = sorted(chunks["chunk_id"].to_pylist())
    postings = postings_of(chunks, "s", "r")
    terms, ordinals = build_bm25("s", ids, postings)
    assert (terms.schema, ordinals.schema) == (BM25_TERMS.schema, BM25_CHUNKS.schema)
    assert terms["term"].to_pylist() == ["call", "harbour", "lighthouse", "of", "port"]
    assert terms["chunks"].to_pylist()[-1] == [0, 1, 2]
    again = build_bm25("s", ids, postings.take(list(reversed(range(postings.num_rows)))))
    assert again[0].equals(terms)
    assert again[1].equals(ordinals)


def test_an_index_read_as_a_slice_of_a_table_is_the_same() -> None:
    chunks = _chunks(["harbour port", "lighthouse port"])
    terms, ordinals = build_bm25("s", sorted(chunks["chunk_id"].to_pylist()), postings_of(chunks, "s", "r"))
    doubled = pa.concat_tables([terms, terms]).combine_chunks().slice(terms.num_rows)
    assert np.array_equal(
        BM25Index.from_tables(doubled, ordinals).scores(["harbour"]), _index(chunks).scores(["harbour"])
    )


def test_holders_are_the_chunks_with_a_term_whatever_its_score() -> None:
    index = _index(_chunks(["port", "harbour"]))  # each in half of the chunks: weight 0
    assert index.scores(["port"]).tolist() == [0.0, 0.0]
    assert index.holders(["port", "port", "unknown"]).sum() == 1


@pytest.mark.parametrize("ids", [["b", "a"], ["a", "a"]])
def test_chunk_ids_out_of_order_are_refused(ids: list[str]) -> None:
    with pytest.raises(ValueError, match="must ascend, each once"):
        build_bm25("s", ids, POSTINGS.empty())
