"""What the report shows of how the strategies cut one category: one line a strategy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from chunk_pipeline.evaluation.view import Cell, TableView, number_cell, text_cell

COLUMNS = (
    "files", "files_uncut", "chunks", "mean", "median", "p95", "max", "over_limit", "oversized",
    "parse_integrity", "fallbacks", "broken", "cover", "leaf_coverage", "leaf_skipped", "duplication",
)  # fmt: skip
_SHARES = frozenset(
    {
        "over_limit",
        "oversized",
        "parse_integrity",
        "fallbacks",
        "broken",
        "cover",
        "leaf_coverage",
        "leaf_skipped",
    }
)
_CAPTION = (
    "Sizes in characters of a chunk's text, header included. Over limit: longer than the strategy's limit; "
    "oversized: than 1.5 times that. Fallbacks: chunks cut in another way for a reason that they name; "
    "broken: they neither parse nor name one. Cover: characters in a chunk or a listed skip. Duplication: "
    "bytes stored per byte of source."
)
_LEAVES = (
    " Leaf coverage: values of the source found in some chunk; leaf skipped: values in a listed skip instead."
)

Row = Mapping[str, Any]


def structure_view(rows: Sequence[Row]) -> TableView:
    """How the strategies cut a category, given its rows of ``structure_metrics``."""
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        found[row["strategy"]][row["metric"]] = row
    found = {name: metrics for name, metrics in found.items() if _cuts(metrics)}
    columns = [name for name in COLUMNS if any(_there(metrics, name) for metrics in found.values())]
    cells = tuple(
        (text_cell(name), *(_cell(found[name], column) for column in columns)) for name in sorted(found)
    )
    caption = _CAPTION + (_LEAVES if "leaf_coverage" in columns else "")
    headings = ("strategy", *(column.replace("_", " ") for column in columns))
    return TableView("How it is cut", caption, headings, cells)


def _cuts(metrics: Mapping[str, Row]) -> bool:
    """Whether a strategy has anything of the category: one that takes none of its files says nothing."""
    return any(metrics[name]["value"] for name in ("files", "files_uncut", "chunks") if name in metrics)


def _there(metrics: Mapping[str, Row], name: str) -> bool:
    return name in metrics and metrics[name]["value"] is not None


def _cell(metrics: Mapping[str, Row], name: str) -> Cell:
    if name not in metrics:
        return Cell("")
    if name in _SHARES:
        return number_cell(metrics[name]["value"], ".1%")
    return number_cell(metrics[name]["value"], ".2f" if name == "duplication" else ",.0f")
