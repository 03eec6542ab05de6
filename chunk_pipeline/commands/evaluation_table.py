"""The tables that a run ends with: what each strategy achieves, and where to read more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table

from chunk_pipeline.commands.console import output
from chunk_pipeline.evaluation.route_evidence import DECIDING_LEVEL, DECIDING_METRIC
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.stages.evaluation import HTML_REPORT
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.catalog import NAME
from chunk_pipeline.warehouse.tables import RETRIEVAL_METRICS, STRUCTURE_METRICS

RETRIEVAL = ("mrr", "hit@1", "hit@5", "hit@10", "ndcg@10")
STRUCTURE = (
    "chunks",
    "mean",
    "median",
    "p95",
    "max",
    "over_limit",
    "parse_integrity",
    "leaf_coverage",
    "cover",
)
SHARES = {"over_limit", "parse_integrity", "leaf_coverage", "cover"}

Row = Mapping[str, Any]


def print_evaluation(workspace: Workspace) -> None:
    """Print how every strategy cuts, what it finds in each category, and where to go on."""
    structure = workspace.warehouse.read(STRUCTURE_METRICS).to_pylist()
    retrieval = workspace.warehouse.read(RETRIEVAL_METRICS).to_pylist()
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
    table = Table("strategy", *STRUCTURE, title="Structure, all categories")
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
    table = Table("category", "strategy", "retriever", *RETRIEVAL, "n", title=title)
    above = ""
    for category, strategy, retriever in best.values():
        metrics = values[category, strategy, retriever]
        if above and category != above:
            table.add_section()
        shown = (_shown(name, metrics.get(name)) for name in RETRIEVAL)
        table.add_row(category if category != above else "", strategy, retriever, *shown, str(metrics["n"]))
        above = category
    return table


def _shown(name: str, value: object) -> str:
    if not isinstance(value, (int, float)):
        return ""
    if name in SHARES:
        return f"{value:.1%}"
    return f"{value:,.0f}" if name in STRUCTURE else f"{value:.3f}"
