"""The metrics and comparisons tables on rankings whose figures can be counted by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from evaluation_tables import chunk_row, chunk_table, gold_of, ranking_table

from chunk_pipeline.evaluation.comparisons import comparisons
from chunk_pipeline.evaluation.gold.query import gold_queries, gold_table
from chunk_pipeline.evaluation.metrics import retrieval_metrics
from chunk_pipeline.evaluation.sample import clusters, sample
from chunk_pipeline.warehouse.tables import COMPARISONS, RETRIEVAL_METRICS

N = 12
QUERIES = [f"query {n:02}" for n in range(N)]


def chunks(strategy: str) -> pa.Table:
    """One file and one chunk a query."""
    return chunk_table(
        chunk_row(f"{strategy}{n:02}", f"{n:02}.json", [(0, 10)], strategy=strategy) for n in range(N)
    )


def gold() -> pa.Table:
    """One query a file, mined from the file that answers it."""
    mined = (gold_of({q: [(f"{n:02}.json", 0, 10)]}, path=f"{n:02}.json") for n, q in enumerate(QUERIES))
    return pa.concat_tables(mined)


def rankings(strategy: str, found_first: Sequence[int], retriever: str = "bm25") -> pa.Table:
    """The right chunk is first for some queries, second for the others."""
    queries = {}
    for n, query in enumerate(QUERIES):
        right, wrong = f"{strategy}{n:02}", f"{strategy}{(n + 1) % N:02}"
        queries[query] = [right, wrong] if n in found_first else [wrong, right]
    return ranking_table({retriever: queries}, strategy)


def rows(table: pa.Table, **wanted: object) -> list[dict[str, object]]:
    return [row for row in table.to_pylist() if all(row[key] == value for key, value in wanted.items())]


def test_metrics_are_means_over_rows_with_an_interval_around_them() -> None:
    table = retrieval_metrics(gold(), {"a": rankings("a", range(9))}, {"a": chunks("a")})
    assert table.schema.equals(RETRIEVAL_METRICS.schema)
    (first,) = rows(table, metric="hit@1", level="file", category="all")
    assert first["value"] == pytest.approx(0.75)
    assert first["low"] < 0.75 < first["high"]
    assert (first["n"], first["n_distinct"]) == (12, 12)
    (mrr,) = rows(table, metric="mrr", level="chunk", category="all", route="all")
    assert mrr["value"] == pytest.approx((9 + 3 / 2) / 12)
    (recall,) = rows(table, metric="span_recall@5", level="chunk", category="all")
    assert recall["value"] == 1.0
    at_chunks = {row["metric"] for row in rows(table, level="chunk")} - {
        row["metric"] for row in rows(table, level="file")
    }
    assert at_chunks == {"span_recall@5", "span_precision@5", "span_iou@5", "bundle_efficiency@5"}
    budgets = [f"hit@{budget}tokens" for budget in (500, 1000, 2000)]
    assert [rows(table, metric=each, level="chunk", category="all")[0]["value"] for each in budgets] == [
        1.0
    ] * 3


def test_a_clear_difference_is_told_with_its_wins_and_a_small_one_is_not() -> None:
    results = {"a": rankings("a", []), "b": rankings("b", range(N)), "c": rankings("c", range(3))}
    table = comparisons(gold(), results, {name: chunks(name) for name in results})
    assert table.schema.equals(COMPARISONS.schema)
    hits = table.filter(pc.and_(pc.equal(table["metric"], "hit@1"), pc.equal(table["category"], "all")))
    at_file = hits.filter(pc.and_(pc.equal(hits["level"], "file"), pc.equal(hits["left_strategy"], "a")))
    (clear,) = rows(at_file, right_strategy="b")
    assert (clear["wins"], clear["losses"], clear["ties"]) == (12, 0, 0)
    assert clear["difference"] == 1.0
    assert clear["verdict"] == "better"
    (small,) = rows(at_file, right_strategy="c")
    assert small["verdict"] == "not distinguishable"
    assert small["p_adjusted"] >= small["p_value"]


def test_a_fusion_is_compared_with_its_own_legs_only() -> None:
    table = pa.concat_tables([rankings("a", range(3), leg) for leg in ("bm25", "dense", "rrf", "convex")])
    found = comparisons(gold(), {"a": table}, {"a": chunks("a")})
    pairs = {(row["left_retriever"], row["right_retriever"]) for row in found.to_pylist()}
    assert pairs == {("bm25", "rrf"), ("dense", "rrf"), ("bm25", "convex"), ("dense", "convex")}


def test_rankings_of_other_chunks_of_older_gold_or_with_repeats_are_refused() -> None:
    with pytest.raises(ValueError, match="materialise the rankings again"):
        retrieval_metrics(gold(), {"a": rankings("a", [])}, {"a": chunks("b")})
    twice = ranking_table({"bm25": {each: ["a00", "a00"] for each in QUERIES}}, "a")
    with pytest.raises(ValueError, match="more than once"):
        retrieval_metrics(gold(), {"a": twice}, {"a": chunks("a")})
    more = pa.concat_tables([gold(), gold_of({"new query": [("00.json", 0, 10)]})])
    with pytest.raises(ValueError, match="'new query'"):
        retrieval_metrics(more, {"a": rankings("a", [])}, {"a": chunks("a")})


def test_no_gold_and_no_rankings_give_empty_tables() -> None:
    empty = gold_of({})
    assert retrieval_metrics(empty, {}, {}).num_rows == 0
    assert comparisons(empty, {}, {}).num_rows == 0
    asked = rankings("a", []).slice(0, 0)
    assert retrieval_metrics(gold(), {"a": asked}, {"a": chunks("a")}).num_rows == 0
    assert comparisons(empty, {"a": asked}, {"a": chunks("a")}).num_rows == 0


def test_rows_that_share_a_query_are_one_distinct_query_in_one_cluster() -> None:
    shared = gold_of({"same": [("a.json", 0, 5)], "only a": [("a.json", 0, 5)]}, path="a.json")
    other = gold_of({"same": [("a.json", 0, 5)], "only b": [("b.json", 0, 5)]}, path="b.json")
    apart = gold_of({"alone": [("c.json", 0, 5)]}, path="c.json")
    table = gold_table(gold_queries(pa.concat_tables([shared, other, apart])))
    cluster = clusters(table)
    every = sample(table, np.ones(5, dtype=bool), cluster)
    assert (every.n_rows, every.n_queries) == (5, 4)
    assert sorted(every.count.tolist()) == [1, 1, 1, 2]
    assert cluster.tolist() == [0, 0, 0, 0, 1]
