"""What the report shows of questions in one language and answers in another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from chunk_pipeline.evaluation.view import Cell, Section, TableView, estimate_cell, number_cell, text_cell

_RETRIEVERS = ("bm25", "dense", "rrf")
_CAPTION = (
    "Share of the questions whose answer is among the first five chunks, with its 95% interval. Languages "
    "are those of the question and of its answers: nl-en asks in Dutch what English text answers. The pairs "
    "are small samples: read them as a warning, not as a ranking of strategies."
)

Row = Mapping[str, Any]


def language_sections(languages: pa.Table) -> list[Section]:
    """The section of a ``language_metrics`` table; none where nothing is asked across languages."""
    found: dict[tuple[str, str, str], dict[str, dict[str, Row]]] = defaultdict(lambda: defaultdict(dict))
    for row in languages.to_pylist():
        if row["level"] == "chunk" and row["metric"] == "hit@5":
            asked = row["category"], row["route"], row["languages"]
            found[asked][row["strategy"]][row["retriever"]] = row
    by_category: dict[str, list[tuple[Cell, ...]]] = defaultdict(list)
    for (category, route, pair), strategies in sorted(found.items()):
        for strategy, by_retriever in sorted(strategies.items()):
            by_category[category].append(_cells(route, pair, strategy, by_retriever))
    if not by_category:
        return []
    columns = ("languages", "route", "strategy", *_RETRIEVERS, "questions")
    views = [TableView(name, "", columns, tuple(rows)) for name, rows in by_category.items()]
    return [Section("across-languages", "Across languages", (_CAPTION,), tuple(views))]


def _cells(route: str, pair: str, strategy: str, by_retriever: Mapping[str, Row]) -> tuple[Cell, ...]:
    some = next(iter(by_retriever.values()))
    figures = (
        estimate_cell(by_retriever[each]) if each in by_retriever else number_cell(None, "")
        for each in _RETRIEVERS
    )
    return (*map(text_cell, (pair, route, strategy)), *figures, number_cell(some["n"], ",d"))
