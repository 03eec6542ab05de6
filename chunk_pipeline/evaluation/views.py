"""What the report shows of each table: which rows, which columns, how a figure is written.

Markdown and the page show the same views. The tables themselves hold every row and every digit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_pipeline.evaluation.comparison_views import comparison_views
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.view import (
    SHOWN_ROWS,
    Cell,
    TableView,
    left_off,
    number_cell,
    scope,
    text_cell,
)

GOLD_SAMPLE = 10
"""Queries shown of each route."""

RETRIEVAL_COLUMNS = ("hit@1", "hit@3", "hit@5", "hit@10", "mrr", "ndcg@10", "hit@1000tokens")
SPAN_COLUMNS = ("span_recall@5", "span_precision@5", "span_iou@5")
STRUCTURE_COLUMNS = (
    "files", "files_uncut", "chunks", "mean", "median", "p95", "max", "oversized", "parse_integrity", 
    "leaf_coverage", "leaf_skipped", "cover", "duplication",
)  # fmt: skip
_SHARES = frozenset({"oversized", "parse_integrity", "leaf_coverage", "leaf_skipped", "cover"})

Row = Mapping[str, Any]


def sections(
    gold: pa.Table,
    retrieval: pa.Table,
    comparisons: pa.Table,
    structure: pa.Table,
    quarantine: pa.Table,
    skips: pa.Table,
) -> dict[str, list[TableView]]:
    """Views by section, in the order of reading; arguments are the tables of those names."""
    return {
        "retrieval": _retrieval([row for row in retrieval.to_pylist() if row["route"] == ALL]),
        "comparisons": comparison_views([row for row in comparisons.to_pylist() if row["route"] == ALL]),
        "structure": _structure(structure.to_pylist()),
        "gold": _gold(gold.to_pylist()),
        "left_out": [_quarantine(quarantine.to_pylist()), _skips(skips)],
    }


def _retrieval(rows: Sequence[Row]) -> list[TableView]:
    views = []
    for category in sorted({row["category"] for row in rows}, key=lambda name: (name != ALL, name)):
        for level in ("chunk", "file"):
            columns = RETRIEVAL_COLUMNS + (SPAN_COLUMNS if level == "chunk" else ())
            of_it = [row for row in rows if row["category"] == category and row["level"] == level]
            views.append(
                TableView(
                    title=f"{scope(category)}, found at the level of {level}s",
                    caption=_counts(of_it),
                    columns=("strategy", "retriever", *columns),
                    rows=tuple(_pivot(of_it, ("strategy", "retriever"), columns, _estimate)),
                    folded=category != ALL,
                )
            )
    return views


def _structure(rows: Sequence[Row]) -> list[TableView]:
    caption = (
        "Sizes in characters of a chunk's text. Leaf coverage: values of the source found in some chunk; "
        "leaf skipped: values in a listed skip instead. Duplication: bytes stored per byte of source."
    )
    of_all = [row for row in rows if row["category"] == ALL]
    each = [row for row in rows if row["category"] != ALL]
    return [
        TableView(
            "How the strategies cut",
            caption,
            ("strategy", *STRUCTURE_COLUMNS),
            tuple(_pivot(of_all, ("strategy",), STRUCTURE_COLUMNS, _structure_cell)),
        ),
        TableView(
            "How they cut each category",
            caption,
            ("category", "strategy", *STRUCTURE_COLUMNS),
            tuple(_pivot(each, ("category", "strategy"), STRUCTURE_COLUMNS, _structure_cell)),
            folded=True,
        ),
    ]


def _structure_cell(row: Row) -> Cell:
    value, metric = row["value"], row["metric"]
    if metric in _SHARES:
        return number_cell(value, ".1%")
    return number_cell(value, ".2f" if metric == "duplication" else ",.0f")


def _gold(rows: Sequence[Row]) -> list[TableView]:
    routes: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        routes[row["route"]].append(row)
    counts = tuple(
        (
            text_cell(route),
            number_cell(len(of_it), "d"),
            number_cell(len({row["query"] for row in of_it}), "d"),
            number_cell(len({(row["repository"], row["path"]) for row in of_it}), "d"),
        )
        for route, of_it in sorted(routes.items())
    )
    sample = tuple(
        (
            text_cell(row["query"]),
            text_cell(route),
            text_cell(f"{row['repository']}/{row['path']}"),
            text_cell(", ".join(span["unit"] for span in row["relevant"][:3])),
        )
        for route, of_it in sorted(routes.items())
        for row in _spread(of_it, GOLD_SAMPLE)
    )
    return [
        TableView("Gold queries", "", ("route", "rows", "distinct queries", "files mined"), counts),
        TableView("A sample of them", "", ("query", "route", "mined from", "answered by"), sample),
    ]


def _quarantine(rows: Sequence[Row]) -> TableView:
    shown = tuple(
        (text_cell(f"{row['repository']}/{row['path']}"), text_cell(row["stage"]), text_cell(row["error"]))
        for row in rows[:SHOWN_ROWS]
    )
    return TableView("Files in quarantine", left_off(len(rows), "files"), ("file", "stage", "error"), shown)


def _skips(skips: pa.Table) -> TableView:
    columns = (skips[name].to_pylist() for name in ("strategy", "category", "reason", "start", "end"))
    stretches: Counter[tuple[str, str, str]] = Counter()
    characters: Counter[tuple[str, str, str]] = Counter()
    for strategy, category, reason, start, end in zip(*columns, strict=True):
        stretches[strategy, category, reason] += 1
        characters[strategy, category, reason] += end - start
    rows = tuple(
        (*map(text_cell, key), number_cell(stretches[key], "d"), number_cell(characters[key], "d"))
        for key in sorted(stretches)[:SHOWN_ROWS]
    )
    return TableView(
        "Left out on purpose",
        left_off(len(stretches), "reasons"),
        ("strategy", "category", "reason", "stretches", "characters"),
        rows,
    )


def _pivot(
    rows: Iterable[Row], keys: Sequence[str], columns: Sequence[str], cell: Any
) -> Iterable[tuple[Cell, ...]]:
    """One row a key, one column a metric; a metric that is not there is empty."""
    found: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        found[tuple(row[key] for key in keys)][row["metric"]] = row
    for key in sorted(found):
        metrics = found[key]
        yield (
            *map(text_cell, key),
            *(cell(metrics[name]) if name in metrics else Cell("", "") for name in columns),
        )


def _estimate(row: Row) -> Cell:
    return Cell(f"{row['value']:.3f}", str(row["value"]), f"{row['low']:.3f} to {row['high']:.3f}")


def _counts(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    n, n_distinct = rows[0]["n"], rows[0]["n_distinct"]
    return f"Means over {n} gold rows, with 95% intervals over {n_distinct} distinct queries."


def _spread(rows: Sequence[Row], n: int) -> Sequence[Row]:
    """At most ``n`` rows at even distances."""
    return rows if len(rows) <= n else [rows[place * len(rows) // n] for place in range(n)]
