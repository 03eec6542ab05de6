"""Strategies of different categories side by side: who is asked what, and among which chunks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from evaluation_tables import chunk_row, chunk_table, gold_of, ranking_table

from chunk_pipeline.evaluation.comparisons import comparisons
from chunk_pipeline.evaluation.gold.query import gold_queries, gold_table
from chunk_pipeline.evaluation.metrics import retrieval_metrics
from chunk_pipeline.evaluation.scopes import EVERYWHERE, Scopes, keep_allowed

SCOPES = Scopes(
    {
        "page": frozenset({"markdown"}),
        "prose": frozenset({"markdown", "text"}),
        "data": frozenset({"i18n_translations"}),
        "other_data": frozenset({"i18n_translations"}),
    }
)


def gold(query: str, path: str, category: str, route: str = "markdown_title") -> pa.Table:
    """One query, answered by the first ten characters of a file."""
    (row,) = gold_queries(gold_of({query: [(path, 0, 10)]}, path=path))
    return gold_table([replace(row, category=category, route=route)])


GOLD = pa.concat_tables(
    [
        gold("page", "a.md", "markdown"),
        gold("words", "a.md", "markdown", "code_to_docs"),
        gold("value", "a.json", "i18n_translations", "i18n_value"),
    ]
)


def made(strategy: str, *files: tuple[str, str]) -> tuple[pa.Table, pa.Table]:
    """Chunks, one a file of (path, category), and rankings of them in that order for every query."""
    rows = [
        chunk_row(f"{strategy} {path}", path, [(0, 10)], category=category, strategy=strategy)
        for path, category in files
    ]
    asked = GOLD.filter(pa.array(SCOPES.asked(strategy, GOLD)))["query"].to_pylist()
    ids = [row["chunk_id"] for row in rows]
    return chunk_table(rows), ranking_table({"bm25": {query: ids for query in asked}}, strategy)


MADE = {
    "page": made("page", ("b.md", "markdown"), ("a.md", "markdown")),
    "prose": made("prose", ("x.txt", "text"), ("y.txt", "text"), ("a.md", "markdown"), ("b.md", "markdown")),
    "data": made("data", ("a.json", "i18n_translations")),
    "other_data": made("other_data", ("b.json", "i18n_translations"), ("a.json", "i18n_translations")),
}
CHUNKS = {name: chunks for name, (chunks, _) in MADE.items()}
RANKINGS = {name: rankings for name, (_, rankings) in MADE.items()}


def value(table: pa.Table, **wanted: str) -> float:
    wanted = {"metric": "mrr", "level": "chunk", "route": "all", **wanted}
    (row,) = [row for row in table.to_pylist() if all(row[key] == each for key, each in wanted.items())]
    return float(row["value"])


def test_a_strategy_is_asked_only_the_gold_of_the_categories_that_it_cuts() -> None:
    table = retrieval_metrics(GOLD, RANKINGS, CHUNKS, SCOPES)
    asked = {(row["strategy"], row["category"]) for row in table.to_pylist()}
    assert asked == {
        *((name, category) for name in ("page", "prose") for category in ("markdown", "all")),
        *((name, category) for name in ("data", "other_data") for category in ("i18n_translations", "all")),
    }
    assert {row["n"] for row in table.to_pylist() if row["strategy"] == "data"} == {1}


def test_a_ranking_counts_only_chunks_that_every_strategy_compared_could_return() -> None:
    table = retrieval_metrics(GOLD, RANKINGS, CHUNKS, SCOPES)
    assert value(table, strategy="page", category="markdown") == 1 / 2
    assert value(table, strategy="prose", category="markdown") == 1.0
    alone = retrieval_metrics(
        GOLD, {"prose": RANKINGS["prose"]}, CHUNKS, Scopes({"prose": SCOPES.categories["prose"]})
    )
    assert value(alone, strategy="prose", category="markdown") == pytest.approx(1 / 3)


def test_the_candidates_are_the_categories_that_all_cut() -> None:
    assert SCOPES.candidates("markdown") == {"markdown"}
    assert SCOPES.candidates("text") is None
    assert SCOPES.candidates("i18n_translations") is None
    assert EVERYWHERE.candidates("markdown") is None


def test_only_strategies_that_are_asked_the_same_are_compared() -> None:
    table = comparisons(GOLD, RANKINGS, CHUNKS, SCOPES)
    pairs = {
        (row["left_strategy"], row["right_strategy"], row["category"], row["route"])
        for row in table.to_pylist()
    }
    assert pairs == {
        *(("page", "prose", "markdown", route) for route in ("all", "code_to_docs", "markdown_title")),
        *(("data", "other_data", "i18n_translations", route) for route in ("all", "i18n_value")),
        ("page", "prose", "all", "all"),
        ("data", "other_data", "all", "all"),
    }


def test_a_route_is_told_by_itself_in_hits_mrr_and_ndcg_and_compared_by_what_decides() -> None:
    table = retrieval_metrics(GOLD, RANKINGS, CHUNKS, SCOPES)
    of_route = table.filter((pc.field("route") == "code_to_docs") & (pc.field("strategy") == "page"))
    assert {row["n"] for row in of_route.to_pylist()} == {1}
    assert set(of_route["metric"].to_pylist()) == {"hit@1", "hit@3", "hit@5", "hit@10", "mrr", "ndcg@10"}
    assert set(of_route["level"].to_pylist()) == {"file", "chunk"}
    compared = comparisons(GOLD, RANKINGS, CHUNKS, SCOPES).filter(pc.field("route") == "code_to_docs")
    assert set(zip(compared["metric"].to_pylist(), compared["level"].to_pylist(), strict=True)) == {
        ("mrr", "chunk")
    }


def test_chunks_that_are_not_allowed_leave_their_places_to_those_behind() -> None:
    ranking = np.array([[3, 0, 2, 1], [1, 3, -1, -1]])
    allowed = np.array([True, True, False, False])
    assert keep_allowed(ranking, allowed).tolist() == [[0, 1, -1, -1], [1, -1, -1, -1]]
    assert keep_allowed(ranking, np.ones(4, dtype=bool)).tolist() == ranking.tolist()
