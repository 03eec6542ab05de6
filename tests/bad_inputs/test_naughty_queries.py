"""Every naughty string as a query, by every retriever: it finds what it says or nothing, no more."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.retrieval.bm25 import BM25Index
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.retrieval.rankings import RETRIEVERS
from chunk_pipeline.retrieval.search import Hit, clean, search
from chunk_pipeline.retrieval.tokenizer import tokenize
from chunk_pipeline.stages.embeddings import embed, embed_queries, post
from chunk_pipeline.stages.evaluation import mine_gold
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.passages import encode_query
from chunk_pipeline.stages.search import find
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import BM25_CHUNKS, BM25_TERMS, CHUNKS, DENSE_INDEX
from tests.bad_inputs.corpora import UNSET, naughty_strings, parameters_of
from tests.bad_inputs.naughty import as_json
from tests.bad_inputs.pipeline import put_through
from tests.end_to_end.project import Project
from tests.stages.stages_project import cheap_encoder

NAME = "json_category"
K = 10
ODD = (
    "",
    " \t\r\n",
    "\0",
    "a\0b",
    "a the of and",
    "%_%",
    "' OR 1=1; DROP TABLE chunks; --",
    ".*(a+)+$",
    "\\",
    "zout" * 250_000,
    "zout " * 200_000,
    "\ud800 zout",
    "\u202ezout",
)
"""Further queries: nothing, a million characters, half of a surrogate pair, SQL, a regular expression."""

STRINGS = naughty_strings()
QUERIES = [(f"row 68 query {place}", place) for place in range(len(STRINGS))]


class Searched:
    """A project of one JSON file a string, with its indexes; the number of a string is in its path."""

    def __init__(self, workspace: Workspace) -> None:
        own = Partition(strategy=NAME)
        warehouse = workspace.warehouse
        self.workspace = workspace
        self.bm25 = BM25Index.from_tables(warehouse.read(BM25_TERMS, own), warehouse.read(BM25_CHUNKS, own))
        self.dense = DenseIndex.from_table(warehouse.read(DENSE_INDEX, own))
        chunks = warehouse.read(CHUNKS, strategy=NAME)
        self.places = {
            chunk_id: int(path.split("/")[-1].removesuffix(".json"))
            for chunk_id, path in zip(chunks["chunk_id"].to_pylist(), chunks["path"].to_pylist(), strict=True)
        }

    def hits(self, query: str, retriever: str, k: int) -> list[Hit]:
        return search(
            query,
            self.bm25,
            self.dense,
            lambda words: encode_query(self.workspace, words, self.dense.models),
            retriever,
            k,
        )


def indexed(root: Path, strings: Sequence[str]) -> Searched:
    """A project of these strings, indexed."""
    files = {
        f"test/config/{place:03}.json".encode(): json.dumps(as_json(string), ensure_ascii=False).encode()
        for place, string in enumerate(strings)
    }
    put_through(root, {"wide": files}, strategies=[NAME], proofs=False)
    workspace = Workspace(Project(root).settings, make_encoder=cheap_encoder)
    embed(workspace, "wide", strategy(NAME))
    post(workspace, "wide", strategy(NAME))
    mine_gold(workspace)
    embed_queries(workspace)
    build_bm25_index(workspace, strategy(NAME))
    build_dense_index(workspace, strategy(NAME))
    return Searched(workspace)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    if not STRINGS:
        pytest.skip(UNSET)
    return indexed(tmp_path_factory.mktemp("queries"), STRINGS)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """A few strings only: each search of the stored indexes reads them anew."""
    return indexed(tmp_path_factory.mktemp("few"), ["salt", "zout", "", *STRINGS[::40]])


def is_ranking(hits: list[Hit], k: int) -> bool:
    """Whether hits are what a search gives: at most k, ranked, each chunk once, scores finite and falling."""
    scores = [hit.score for hit in hits]
    return (
        len(hits) <= k
        and [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        and len({hit.chunk_id for hit in hits}) == len(hits)
        and all(map(math.isfinite, scores))
        and scores == sorted(scores, reverse=True)
    )


@pytest.mark.parametrize("place", parameters_of(QUERIES))
def test_a_string_as_a_query_finds_what_it_says_or_nothing(searched: Searched, place: int) -> None:
    query = STRINGS[place]
    for retriever in RETRIEVERS:
        hits = searched.hits(query, retriever, K)
        assert is_ranking(hits, K)
        if not clean(query):
            assert hits == []
        elif retriever != "bm25":
            assert len(hits) == K
    every = searched.hits(query, "bm25", len(STRINGS))
    assert is_ranking(every, len(STRINGS))
    found = {searched.places[hit.chunk_id] for hit in every}
    # A string is found by its own words, if it has any.
    assert place in found or not tokenize(query)
    assert found or not tokenize(query)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(len(RETRIEVERS)), ids=RETRIEVERS)
def test_every_string_may_be_asked_of_the_stored_indexes(few: Searched, first: int) -> None:
    """Each string by one of the retrievers in turn."""
    if not STRINGS:
        pytest.skip(UNSET)
    retriever = RETRIEVERS[first]
    for query in STRINGS[first :: len(RETRIEVERS)]:
        found = find(few.workspace, query, strategy=strategy(NAME), retriever=retriever, k=3)
        assert [each.hit for each in found] == few.hits(query, retriever, 3) or retriever == "convex"
        assert bool(found) <= bool(clean(query))
        assert all(each.text and each.path.startswith("test/config/") for each in found)


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_an_odd_query_has_a_defined_answer(few: Searched, query: str, retriever: str) -> None:
    hits = few.hits(query, retriever, K)
    assert is_ranking(hits, K)
    assert bool(hits) <= bool(clean(query))
    found = find(few.workspace, query, strategy=strategy(NAME), retriever=retriever, k=K)
    assert len(found) == len(hits)
