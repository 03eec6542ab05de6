"""What is known of the routes that mined the gold: whether they favour words, and by how much they do.

A question made of the answer's own words is found by any retriever that compares words, so it says little
about how people who use other words are served. What a route mines belongs in ``gold``.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.gold.mining import ROUTES

_LEXICAL = {route.name: route.lexical for route in ROUTES}
_ASKS = {route.name: route.asks for route in ROUTES}


@dataclass(frozen=True, slots=True)
class RouteFacts:
    """A route's gold of one category.

    Attributes:
        route: Its name.
        category: Category of the files that answer.
        asks: What is asked, in one sentence; empty for a route that is no more.
        lexical: Whether its queries are words of the answer by construction; not known of such a route.
        overlap: Mean share of a query's terms that are in its answer.
        rows: Gold rows.
        distinct: Distinct queries.
        files: Files that it was mined from.
    """

    route: str
    category: str
    asks: str
    lexical: bool | None
    overlap: float
    rows: int
    distinct: int
    files: int


def is_lexical(route: str) -> bool | None:
    """Whether a route's queries are words of the answer by construction; ``None`` where it is not known."""
    return _LEXICAL.get(route)


def route_facts(gold: pa.Table) -> tuple[RouteFacts, ...]:
    """The routes of a ``gold_queries`` table by category, those in other words than the answer's first."""
    file = pc.binary_join_element_wise(gold["repository"], gold["path"], "/")
    counted = (
        gold.select(["category", "route", "query", "lexical_overlap"])
        .append_column("file", file)
        .group_by(["category", "route"])
        .aggregate(
            [
                ("lexical_overlap", "mean"),
                ("query", "count"),
                ("query", "count_distinct"),
                ("file", "count_distinct"),
            ]
        )
    )
    facts = [
        RouteFacts(
            route=row["route"],
            category=row["category"],
            asks=_ASKS.get(row["route"], ""),
            lexical=is_lexical(row["route"]),
            overlap=row["lexical_overlap_mean"],
            rows=row["query_count"],
            distinct=row["query_count_distinct"],
            files=row["file_count_distinct"],
        )
        for row in counted.to_pylist()
    ]
    return tuple(sorted(facts, key=lambda each: (each.category, each.lexical is not False, each.route)))
