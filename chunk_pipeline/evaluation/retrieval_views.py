"""What the report shows of the retrieval metrics of one category.

First one line a strategy, under the retriever that serves it best; then one column a route; every retriever
and the level of files are detail to open. The table ``retrieval_metrics`` holds every row and every digit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chunk_pipeline.evaluation.bundles import BUNDLE_DEPTH
from chunk_pipeline.evaluation.recommendation import Recommendation
from chunk_pipeline.evaluation.route_evidence import DECIDING_LEVEL, DECIDING_METRIC
from chunk_pipeline.evaluation.routes import RouteFacts
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.scores import TOKEN_BUDGETS
from chunk_pipeline.evaluation.view import Cell, TableView, estimate_cell, number_cell, text_cell, with_best

RANKED = ("mrr", "hit@1", "hit@3", "hit@5", "hit@10", "ndcg@10")
BUDGETS = tuple(f"hit@{budget}tokens" for budget in TOKEN_BUDGETS)
CHARACTERS = ("span_recall@5", "span_precision@5", "span_iou@5", f"bundle_efficiency@{BUNDLE_DEPTH}")
HEADINGS = {
    **{f"hit@{budget}tokens": f"hit@{budget}t" for budget in TOKEN_BUDGETS},
    "span_recall@5": "recall",
    "span_precision@5": "precision",
    "span_iou@5": "IoU",
    f"bundle_efficiency@{BUNDLE_DEPTH}": "bundle",
}
"""Headings that are shorter than the names of the metrics."""

Row = Mapping[str, Any]
Pivot = Mapping[tuple[str, str], Mapping[str, Row]]
"""(strategy, retriever) → metric → its row."""


def retrieval_views(
    rows: Sequence[Row], facts: Sequence[RouteFacts], advice: Recommendation | None = None
) -> list[TableView]:
    """The views of a category.

    Args:
        rows: Its rows of ``retrieval_metrics``.
        facts: Its routes, in the order in which they are shown.
        advice: What is recommended for it, if anything.
    """
    of_all = [row for row in rows if row["route"] == ALL]
    if not of_all:
        return []
    at_chunks = _pivot(row for row in of_all if row["level"] == "chunk")
    at_files = _pivot(row for row in of_all if row["level"] == "file")
    counts = " ".join((_counts(of_all), *map(_facts, facts[:1] if len(facts) == 1 else ())))
    views = [_best_of_each(at_chunks, counts, advice)]
    if len(facts) > 1:
        views.append(_by_route(rows, facts))
    views += [
        _every("Every retriever, at the level of chunks", at_chunks, (*RANKED, *BUDGETS, *CHARACTERS)),
        _every("Every retriever, at the level of files", at_files, (*RANKED, *BUDGETS)),
    ]
    if len(facts) > 1:
        views += [_route(rows, each) for each in facts]
    return views


def best_retriever(found: Pivot, strategy: str) -> str:
    """The retriever with the highest deciding metric for a strategy."""
    values = {
        retriever: metrics[DECIDING_METRIC]["value"]
        for (name, retriever), metrics in found.items()
        if name == strategy and DECIDING_METRIC in metrics
    }
    return max(sorted(values), key=lambda retriever: values[retriever])


def _best_of_each(found: Pivot, counts: str, advice: Recommendation | None) -> TableView:
    columns = (*RANKED, *BUDGETS, *CHARACTERS)
    served = [(name, best_retriever(found, name)) for name in sorted({name for name, _ in found})]
    served.sort(key=lambda key: -found[key][DECIDING_METRIC]["value"])
    rows = [
        (
            text_cell(key[0], _standing(key[0], advice)),
            text_cell(key[1]),
            *(_figure(found[key], name, interval=name in (DECIDING_METRIC, "hit@5")) for name in columns),
        )
        for key in served
    ]
    caption = (
        f"{counts} Each strategy under the retriever that serves it best. hit@Nt: among the first chunks "
        "that fit N tokens. Recall, precision, IoU: characters of the first five chunks. Bundle: characters "
        "of their lines that mention the target ÷ all of theirs."
    )
    headings = ("strategy", "with", *map(_heading, columns))
    return TableView("How well it is found", caption, headings, with_best(rows, range(2, len(headings))))


def _standing(strategy: str, advice: Recommendation | None) -> str:
    """A word on a strategy whatever it finds."""
    if advice is None:
        return ""
    if strategy == advice.strategy:
        return "recommended"
    return "out by how it cuts" if strategy in advice.out else ""


def _by_route(rows: Sequence[Row], facts: Sequence[RouteFacts]) -> TableView:
    """MRR at chunk level: a line a strategy, a column a route."""
    found = {
        each.route: _pivot(row for row in rows if row["route"] == each.route and _decides(row))
        for each in facts
    }
    strategies = sorted({name for pivot in found.values() for name, _ in pivot})
    cells = [
        (text_cell(name), *(_route_cell(found[each.route], name) for each in facts)) for name in strategies
    ]
    caption = f"{DECIDING_METRIC.upper()} at the level of chunks, under the best retriever for each."
    caption = " ".join((caption, *map(_facts, facts)))
    headings = ("strategy", *(each.route for each in facts))
    return TableView("By route", caption, headings, with_best(cells, range(1, len(headings))))


def _facts(facts: RouteFacts) -> str:
    kinds = {True: "the answer's words by construction", False: "other words", None: "a route no more"}
    kind = kinds[facts.lexical]
    return f"{facts.route}: {kind}, overlap {facts.overlap:.2f}, {facts.distinct} distinct queries."


def _route_cell(found: Pivot, strategy: str) -> Cell:
    if not any(name == strategy for name, _ in found):
        return Cell("")
    retriever = best_retriever(found, strategy)
    return Cell(f"{found[strategy, retriever][DECIDING_METRIC]['value']:.3f}", retriever)


def _every(title: str, found: Pivot, columns: Sequence[str]) -> TableView:
    rows = [
        (*map(text_cell, key), *(_figure(found[key], name, interval=True) for name in columns))
        for key in sorted(found)
    ]
    headings = ("strategy", "retriever", *map(_heading, columns))
    return TableView(title, "", headings, with_best(rows, range(2, len(headings))), folded=True)


def _route(rows: Sequence[Row], facts: RouteFacts) -> TableView:
    of_it = _pivot(row for row in rows if row["route"] == facts.route and row["level"] == DECIDING_LEVEL)
    return _every(f"Route {facts.route}, at the level of chunks", of_it, RANKED)


def _figure(metrics: Mapping[str, Row], name: str, *, interval: bool) -> Cell:
    if name not in metrics:
        return Cell("")
    return estimate_cell(metrics[name]) if interval else number_cell(metrics[name]["value"], ".3f")


def _pivot(rows: Iterable[Row]) -> Pivot:
    found: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        found[row["strategy"], row["retriever"]][row["metric"]] = row
    return found


def _decides(row: Row) -> bool:
    return bool(row["metric"] == DECIDING_METRIC and row["level"] == DECIDING_LEVEL)


def _heading(metric: str) -> str:
    return HEADINGS.get(metric, metric)


def _counts(rows: Sequence[Row]) -> str:
    n, n_distinct = rows[0]["n"], rows[0]["n_distinct"]
    return f"Means over {n} gold rows, with 95% intervals over {n_distinct} distinct queries."
