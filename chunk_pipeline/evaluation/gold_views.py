"""What the report shows of the gold: the routes, how much each favours words, and a sample of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_pipeline.evaluation.routes import RouteFacts, route_facts
from chunk_pipeline.evaluation.view import TableView, number_cell, text_cell

GOLD_SAMPLE = 8
"""Queries shown of each route."""

_OVERLAP = (
    "Overlap: mean share of a query's terms that are in its answer, from 0 to 1. Where the words are the "
    "answer's by construction, lexical retrieval is favoured: judge by the other routes."
)

Row = Mapping[str, Any]


def gold_views(gold: pa.Table) -> list[TableView]:
    """The views of a ``gold_queries`` table."""
    facts = tuple(
        (
            text_cell(each.category),
            text_cell(each.route),
            text_cell({True: "yes", False: "no", None: "–"}[each.lexical]),
            number_cell(each.overlap, ".2f"),
            *(number_cell(count, ",d") for count in (each.rows, each.distinct, each.files)),
            text_cell(each.asks),
        )
        for each in route_facts(gold)
    )
    headings = (
        "category",
        "route",
        "the answer's words",
        "overlap",
        "rows",
        "distinct",
        "files",
        "what is asked",
    )
    return [TableView("Routes", _OVERLAP, headings, facts), _sample(gold.to_pylist())]


def facts_by_category(gold: pa.Table) -> dict[str, list[RouteFacts]]:
    """The routes of each category, those in other words first."""
    found: dict[str, list[RouteFacts]] = defaultdict(list)
    for each in route_facts(gold):
        found[each.category].append(each)
    return dict(found)


def _sample(rows: Sequence[Row]) -> TableView:
    routes: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        routes[row["route"]].append(row)
    cells = tuple(
        (
            text_cell(row["query"]),
            text_cell(route),
            text_cell(f"{row['repository']}/{row['path']}"),
            text_cell(", ".join(_answer(span) for span in row["relevant"][:3])),
            number_cell(row["lexical_overlap"], ".2f"),
        )
        for route, of_it in sorted(routes.items())
        for row in _spread(of_it, GOLD_SAMPLE)
    )
    headings = ("query", "route", "mined from", "answered by", "overlap")
    return TableView("A sample of the queries", "", headings, cells, folded=True)


def _answer(span: Row) -> str:
    """Where an answer is: its unit where it has one, else its file and characters."""
    return span["unit"] or f"{span['repository']}/{span['path']} {span['start']}–{span['end']}"


def _spread(rows: Sequence[Row], n: int) -> Sequence[Row]:
    """At most ``n`` rows at even distances."""
    return rows if len(rows) <= n else [rows[place * len(rows) // n] for place in range(n)]
