"""What the report shows of each table: which rows, which columns, how a figure is written.

Markdown and the page show the same views. The tables themselves hold every row and every digit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.warehouse.markdown import plain_text

MAIN_METRICS = ("hit@5", "mrr")
"""What comparisons are shown for first; the rest is folded away."""

SHOWN_ROWS = 200
"""Longest list of files or stretches; the rest is counted."""

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


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as shown, and what it sorts by.

    Attributes:
        text: As shown.
        sort: A number or a text.
    """

    text: str
    sort: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as shown.

    Attributes:
        title: Its heading.
        caption: How to read it.
        columns: Headings.
        rows: Cells.
        folded: Whether it is detail that a reader opens, left out of Markdown.
    """

    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False


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
        "retrieval": _retrieval(retrieval.to_pylist()),
        "comparisons": _comparisons(comparisons.to_pylist()),
        "structure": [_structure(structure.to_pylist())],
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
                    title=f"{_scope(category)}, found at the level of {level}s",
                    caption=_counts(of_it),
                    columns=("strategy", "retriever", *columns),
                    rows=tuple(_pivot(of_it, ("strategy", "retriever"), columns, _estimate)),
                    folded=category != ALL,
                )
            )
    return views


def _comparisons(rows: Sequence[Row]) -> list[TableView]:
    caption = (
        "Difference: right minus left, over distinct queries, with its 95% interval clustered by file. p: "
        "after Holm's correction. Detectable: the smallest difference that could have been beyond noise."
    )
    columns = (
        "left", "right", "level", "metric", "difference", "wins", "losses", "ties", "p", "detectable",
        "verdict",
    )  # fmt: skip
    views = []
    for category in sorted({row["category"] for row in rows}, key=lambda name: (name != ALL, name)):
        for main in (True, False):
            of_it = [
                row for row in rows if row["category"] == category and (row["metric"] in MAIN_METRICS) == main
            ]
            title = f"{_scope(category)}, {' and '.join(MAIN_METRICS) if main else 'other metrics'}"
            folded = not main or category != ALL
            views.append(TableView(title, caption, columns, tuple(map(_comparison, of_it)), folded))
    return views


def _comparison(row: Row) -> tuple[Cell, ...]:
    sides = (f"{row[f'{side}_strategy']}, {row[f'{side}_retriever']}" for side in ("left", "right"))
    detectable = row["minimum_detectable"]
    return (
        *map(_text, sides),
        _text(row["level"]),
        _text(row["metric"]),
        Cell(f"{row['difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]", str(row["difference"])),
        *(_number(row[name], "d") for name in ("wins", "losses", "ties")),
        _number(row["p_adjusted"], ".4f"),
        _number(detectable if detectable == detectable else None, ".3f"),
        _text(row["verdict"]),
    )


def _structure(rows: Sequence[Row]) -> TableView:
    return TableView(
        title="How the strategies cut",
        caption=(
            "Sizes in characters of a chunk's text. Leaf coverage: values of the source found in some chunk; "
            "leaf skipped: values in a listed skip instead. Duplication: bytes stored per byte of source."
        ),
        columns=("category", "strategy", *STRUCTURE_COLUMNS),
        rows=tuple(_pivot(rows, ("category", "strategy"), STRUCTURE_COLUMNS, _structure_cell)),
    )


def _structure_cell(row: Row) -> Cell:
    value, metric = row["value"], row["metric"]
    if metric in _SHARES:
        return _number(value, ".1%")
    return _number(value, ".2f" if metric == "duplication" else ",.0f")


def _gold(rows: Sequence[Row]) -> list[TableView]:
    routes: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        routes[row["route"]].append(row)
    counts = tuple(
        (
            _text(route),
            _number(len(of_it), "d"),
            _number(len({row["query"] for row in of_it}), "d"),
            _number(len({(row["repository"], row["path"]) for row in of_it}), "d"),
        )
        for route, of_it in sorted(routes.items())
    )
    sample = tuple(
        (
            _text(row["query"]),
            _text(route),
            _text(f"{row['repository']}/{row['path']}"),
            _text(", ".join(span["unit"] for span in row["relevant"][:3])),
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
        (_text(f"{row['repository']}/{row['path']}"), _text(row["stage"]), _text(row["error"]))
        for row in rows[:SHOWN_ROWS]
    )
    return TableView("Files in quarantine", _left_off(len(rows), "files"), ("file", "stage", "error"), shown)


def _skips(skips: pa.Table) -> TableView:
    columns = (skips[name].to_pylist() for name in ("strategy", "category", "reason", "start", "end"))
    stretches: Counter[tuple[str, str, str]] = Counter()
    characters: Counter[tuple[str, str, str]] = Counter()
    for strategy, category, reason, start, end in zip(*columns, strict=True):
        stretches[strategy, category, reason] += 1
        characters[strategy, category, reason] += end - start
    rows = tuple(
        (*map(_text, key), _number(stretches[key], "d"), _number(characters[key], "d"))
        for key in sorted(stretches)[:SHOWN_ROWS]
    )
    return TableView(
        "Left out on purpose",
        _left_off(len(stretches), "reasons"),
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
            *map(_text, key),
            *(cell(metrics[name]) if name in metrics else Cell("", "") for name in columns),
        )


def _estimate(row: Row) -> Cell:
    return Cell(f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]", str(row["value"]))


def _text(value: object) -> Cell:
    text = plain_text(str(value))
    return Cell(text, text)


def _number(value: float | None, form: str) -> Cell:
    return Cell("–", "") if value is None else Cell(format(value, form), str(value))


def _scope(category: str) -> str:
    return "All categories" if category == ALL else category


def _counts(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    n, n_distinct = rows[0]["n"], rows[0]["n_distinct"]
    return f"Means over {n} gold rows, with 95% intervals over {n_distinct} distinct queries."


def _left_off(n: int, what: str) -> str:
    return f"{n} {what}." if n <= SHOWN_ROWS else f"{n} {what}, the first {SHOWN_ROWS} shown."


def _spread(rows: Sequence[Row], n: int) -> Sequence[Row]:
    """At most ``n`` rows at even distances."""
    return rows if len(rows) <= n else [rows[place * len(rows) // n] for place in range(n)]
