"""What the report shows of the comparisons: what decides, then what is beyond noise; never every row.

Every pair of strategies under every retriever in every metric makes thousands of rows, most of which say that
nothing can be said. The table ``comparisons`` holds them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chunk_pipeline.evaluation.route_evidence import DECIDING_LEVEL, DECIDING_METRIC
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.significance import Verdict
from chunk_pipeline.evaluation.view import (
    SHOWN_ROWS,
    Cell,
    TableView,
    left_off,
    number_cell,
    scope,
    text_cell,
)

Row = Mapping[str, Any]

HOW_TO_READ = (
    "The verdict is on the right side. Difference: right minus left, over distinct queries, with its 95% "
    "interval clustered by file. p: after Holm's correction. Detectable: the smallest difference that "
    "could have been beyond noise."
)
FIGURES = ("difference", "wins", "losses", "ties", "p", "detectable", "verdict")
DECIDING = f"{DECIDING_METRIC.upper()} at the level of {DECIDING_LEVEL}s"


def comparison_views(rows: Sequence[Row]) -> list[TableView]:
    """The views of a ``comparisons`` table's rows, those over all categories first."""
    views = []
    for category in sorted({row["category"] for row in rows}, key=lambda name: (name != ALL, name)):
        of_it = [row for row in rows if row["category"] == category]
        views += [_strategies(category, of_it), _fusions(category, of_it), _beyond_noise(category, of_it)]
    return views


def _strategies(category: str, rows: Sequence[Row]) -> TableView:
    pairs = [row for row in rows if _decides(row) and row["left_retriever"] == row["right_retriever"]]
    keys = ("left_retriever", "left_strategy", "right_strategy")
    return _view(
        f"{scope(category)}: strategies under one retriever, {DECIDING}",
        HOW_TO_READ,
        ("retriever", "left", "right"),
        keys,
        pairs,
        folded=category != ALL,
    )


def _fusions(category: str, rows: Sequence[Row]) -> TableView:
    pairs = [row for row in rows if _decides(row) and row["left_retriever"] != row["right_retriever"]]
    keys = ("left_strategy", "left_retriever", "right_retriever")
    return _view(
        f"{scope(category)}: fusions against each of their legs, {DECIDING}",
        HOW_TO_READ,
        ("strategy", "left", "right"),
        keys,
        pairs,
        folded=category != ALL,
    )


def _beyond_noise(category: str, rows: Sequence[Row]) -> TableView:
    beyond = [row for row in rows if row["verdict"] != Verdict.NOT_DISTINGUISHABLE]
    caption = (
        f"Of {len(rows):,} comparisons, {left_off(len(beyond), 'are beyond noise')} "
        "The table comparisons of the catalog has every one."
    )
    keys = ("left_strategy", "left_retriever", "right_strategy", "right_retriever", "level", "metric")
    headings = ("left", "retriever", "right", "retriever", "level", "metric")
    title = f"{scope(category)}: every difference beyond noise, any metric"
    return _view(title, caption, headings, keys, beyond, folded=True)


def _decides(row: Row) -> bool:
    return bool(row["metric"] == DECIDING_METRIC and row["level"] == DECIDING_LEVEL)


def _view(
    title: str,
    caption: str,
    headings: tuple[str, ...],
    keys: tuple[str, ...],
    rows: Iterable[Row],
    *,
    folded: bool,
) -> TableView:
    """Rows by their keys, those beyond noise first."""
    ordered = sorted(rows, key=lambda row: [str(row[key]) for key in keys])
    shown = sorted(ordered, key=lambda row: row["verdict"] == Verdict.NOT_DISTINGUISHABLE)[:SHOWN_ROWS]
    cells = tuple((*(text_cell(row[key]) for key in keys), *_figures(row)) for row in shown)
    return TableView(title, caption, (*headings, *FIGURES), cells, folded)


def _figures(row: Row) -> tuple[Cell, ...]:
    detectable = row["minimum_detectable"]
    return (
        Cell(f"{row['difference']:+.3f}", str(row["difference"]), f"{row['low']:+.3f} to {row['high']:+.3f}"),
        *(number_cell(row[name], "d") for name in ("wins", "losses", "ties")),
        number_cell(row["p_adjusted"], ".4f"),
        number_cell(detectable if detectable == detectable else None, ".3f"),
        text_cell(row["verdict"]),
    )
