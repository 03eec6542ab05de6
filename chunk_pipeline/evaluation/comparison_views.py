"""What the report shows of the comparisons of one category: what decides, then how much is beyond noise.

Every pair of strategies under every retriever in every metric makes thousands of rows, most of which say that
nothing can be said. The table ``comparisons`` holds them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chunk_pipeline.evaluation.route_evidence import DECIDING_LEVEL, DECIDING_METRIC
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.significance import Verdict
from chunk_pipeline.evaluation.view import SHOWN_ROWS, Cell, TableView, left_off, number_cell, text_cell

Row = Mapping[str, Any]

HOW_TO_READ = (
    "The verdict is on the right side. Difference: right minus left, over distinct queries, with its 95% "
    "interval clustered by file. p: after Holm's correction. Detectable: the smallest difference that "
    "could have been beyond noise."
)
FIGURES = ("difference", "wins", "losses", "ties", "p", "detectable", "verdict")
DECIDING_WORDS = f"{DECIDING_METRIC.upper()} at the level of {DECIDING_LEVEL}s"
_OPPOSITE = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}


def comparison_views(rows: Sequence[Row], recommended: str, route: str) -> list[TableView]:
    """The views of a category.

    Args:
        rows: Its rows of ``comparisons``.
        recommended: The strategy that the others are held against; every pair is shown where it is empty.
        route: The route that decided, or ``all``.
    """
    if not rows:
        return []
    of_all = [row for row in rows if row["route"] == ALL]
    routes = (ALL,) if route in ("", ALL) else (route, ALL)
    views = [_strategies([row for row in rows if row["route"] == each], recommended, each) for each in routes]
    return [*views, _fusions(of_all), _beyond_noise(of_all)]


def _strategies(rows: Sequence[Row], recommended: str, route: str) -> TableView:
    """Strategies under one retriever; the recommended one always on the right."""
    pairs = [row for row in rows if _decides(row) and row["left_retriever"] == row["right_retriever"]]
    if recommended:
        pairs = [_turned(row, recommended) for row in pairs if recommended in _names(row)]
    which = "all questions" if route == ALL else f"questions of {route}"
    subject = f"{recommended} against the others" if recommended else "Every pair of strategies"
    keys = ("left_retriever", "left_strategy", "right_strategy")
    title = f"{subject}, {which}: {DECIDING_WORDS}"
    return _view(title, HOW_TO_READ, ("retriever", "left", "right"), keys, pairs)


def _fusions(rows: Sequence[Row]) -> TableView:
    pairs = [row for row in rows if _decides(row) and row["left_retriever"] != row["right_retriever"]]
    keys = ("left_strategy", "left_retriever", "right_retriever")
    title = f"Fusions against each of their legs: {DECIDING_WORDS}"
    return _view(title, HOW_TO_READ, ("strategy", "left", "right"), keys, pairs)


def _beyond_noise(rows: Sequence[Row]) -> TableView:
    """How often each pair of strategies is told apart, over metrics, levels and retrievers."""
    pairs = [row for row in rows if row["left_retriever"] == row["right_retriever"]]
    counted = Counter((*_names(row), row["verdict"]) for row in pairs)
    cells = [
        (
            *map(text_cell, names),
            *(number_cell(counted[*names, verdict], "d") for verdict in Verdict),
        )
        for names in sorted({_names(row) for row in pairs})
    ]
    beyond = sum(row["verdict"] != Verdict.NOT_DISTINGUISHABLE for row in rows)
    caption = (
        f"Of {len(rows):,} comparisons, {beyond:,} are beyond noise. Here for each pair, over all metrics, "
        "both levels and every retriever, how often right is better and worse than left; the table "
        f"comparisons of the catalog has every one. {left_off(len(cells), 'pairs')}"
    )
    headings = ("left", "right", *(str(verdict) for verdict in Verdict))
    title = "How often two strategies are told apart"
    return TableView(title, caption, headings, tuple(cells[:SHOWN_ROWS]), folded=True)


def _names(row: Row) -> tuple[str, str]:
    return row["left_strategy"], row["right_strategy"]


def _turned(row: Row, right: str) -> Row:
    """The same comparison with this strategy on the right side."""
    if row["right_strategy"] == right:
        return row
    return {
        **row,
        "left_strategy": row["right_strategy"],
        "right_strategy": right,
        "difference": -row["difference"],
        "low": -row["high"],
        "high": -row["low"],
        "wins": row["losses"],
        "losses": row["wins"],
        "verdict": _OPPOSITE.get(row["verdict"], row["verdict"]),
    }


def _decides(row: Row) -> bool:
    return bool(row["metric"] == DECIDING_METRIC and row["level"] == DECIDING_LEVEL)


def _view(
    title: str, caption: str, headings: tuple[str, ...], keys: tuple[str, ...], rows: Iterable[Row]
) -> TableView:
    """Rows by their keys, those beyond noise first."""
    ordered = sorted(rows, key=lambda row: [str(row[key]) for key in keys])
    ordered.sort(key=lambda row: row["verdict"] == Verdict.NOT_DISTINGUISHABLE)
    cells = tuple((*(text_cell(row[key]) for key in keys), *_figures(row)) for row in ordered[:SHOWN_ROWS])
    return TableView(title, caption, (*headings, *FIGURES), cells, folded=True)


def _figures(row: Row) -> tuple[Cell, ...]:
    # Minus nothing is nothing.
    low, high = row["low"] + 0.0, row["high"] + 0.0
    return (
        Cell(f"{row['difference'] + 0.0:+.3f}", f"{low:+.3f} to {high:+.3f}"),
        *(number_cell(row[name], "d") for name in ("wins", "losses", "ties")),
        number_cell(row["p_adjusted"], ".4f"),
        number_cell(row["minimum_detectable"], ".3f"),
        text_cell(row["verdict"]),
    )
