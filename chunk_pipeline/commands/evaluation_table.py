"""The tables that a run ends with: what each strategy achieves, and where to read more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from chunk_pipeline.chunking.registry import strategies
from chunk_pipeline.commands.console import output
from chunk_pipeline.evaluation.route_evidence import DECIDING_LEVEL, DECIDING_METRIC
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.stages.evaluation import HTML_REPORT
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.catalog import NAME
from chunk_pipeline.warehouse.plain_text import plain_text
from chunk_pipeline.warehouse.tables import RETRIEVAL_METRICS, STRUCTURE_METRICS

RETRIEVAL = ("mrr", "hit@1", "hit@5", "hit@10")
STRUCTURE = ("chunks", "mean", "max", "over_limit", "parse_integrity", "cover")
"""Few enough for a terminal of 80 columns; the report and the catalog have the others."""
SHARES = {"over_limit", "parse_integrity", "cover"}
HEADINGS = {"over_limit": "over limit", "parse_integrity": "parses"}

Row = Mapping[str, Any]


def print_evaluation(workspace: Workspace) -> None:
    """Print how every strategy cuts, what it finds in each category, and where to go on.

    The figures are those of the last run that was whole: they are of one state.
    """
    tables = workspace.as_released().warehouse
    structure = tables.read(STRUCTURE_METRICS).to_pylist()
    retrieval = tables.read(RETRIEVAL_METRICS).to_pylist()
    if not structure and not retrieval:
        output.print(
            "No evaluation yet: nothing was ingested. Add a source: chunk-pipeline sources add --help"
        )
        return
    output.print(_structure_table(row for row in structure if row["category"] == ALL))
    output.print(_retrieval_table(retrieval))
    output.print(
        f"Report   {workspace.warehouse.root / HTML_REPORT}\n"
        f"Catalog  {workspace.warehouse.root / NAME}\n"
        "UI       make ui, then open http://localhost:3000",
        markup=False,
        highlight=False,
    )


def _structure_table(rows: Iterable[Row]) -> Table:
    values: dict[str, dict[str, object]] = {}
    for row in rows:
        values.setdefault(row["strategy"], {})[row["metric"]] = row["value"]
    table = _table("Structure, all categories", STRUCTURE)
    for strategy, metrics in values.items():
        if metrics.get("chunks"):
            table.add_row(strategy, *(_shown(name, metrics.get(name)) for name in STRUCTURE))
    return table


def _retrieval_table(rows: Iterable[Row]) -> Table:
    """One line a category and strategy, the best first, under the retriever that serves it best."""
    values: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows:
        if row["category"] != ALL and row["route"] == ALL and row["level"] == DECIDING_LEVEL:
            key = (row["category"], row["strategy"], row["retriever"])
            values.setdefault(key, {"n": row["n"]})[row["metric"]] = row["value"]
    best: dict[tuple[str, str], tuple[str, str, str]] = {}
    for key in sorted(values, key=lambda key: (key[0], -values[key][DECIDING_METRIC], key)):
        best.setdefault(key[:2], key)
    title = "Retrieval at chunk level, each strategy under its best retriever"
    table = _table(title, ("with", *RETRIEVAL, "n"))
    above = ""
    for category, strategy, retriever in best.values():
        metrics = values[category, strategy, retriever]
        if category != above:
            table.add_row(Text(plain_text(category), style="bold"))
        shown = (_shown(name, metrics.get(name)) for name in RETRIEVAL)
        table.add_row(f"  {strategy}", retriever, *shown, str(metrics["n"]))
        above = category
    return table


def _table(title: str, names: Sequence[str]) -> Table:
    """An empty table whose first column is never cut short; the words of a heading may stand in two lines."""
    table = Table(title=title, box=box.SIMPLE_HEAD, collapse_padding=True, title_justify="left")
    table.add_column("strategy", no_wrap=True, min_width=max(len(each.name) for each in strategies()) + 2)
    for name in names:
        table.add_column(HEADINGS.get(name, name), justify="left" if name == "with" else "right")
    return table


def _shown(name: str, value: object) -> str:
    if not isinstance(value, (int, float)):
        return ""
    if name in SHARES:
        return f"{value:.1%}"
    return f"{value:,.0f}" if name in STRUCTURE else f"{value:.3f}"
