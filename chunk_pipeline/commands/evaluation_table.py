"""The table that a run ends with: what each strategy achieves, and where to read more."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from chunk_pipeline.commands.console import output
from chunk_pipeline.stages.evaluation import HTML_REPORT
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.catalog import NAME
from chunk_pipeline.warehouse.tables import RETRIEVAL_METRICS, STRUCTURE_METRICS

RETRIEVAL = ("hit@5", "hit@10", "mrr", "ndcg@10")
STRUCTURE = (
    "chunks",
    "mean",
    "median",
    "p95",
    "max",
    "oversized",
    "parse_integrity",
    "leaf_coverage",
    "cover",
)
SHARES = {"oversized", "parse_integrity", "leaf_coverage", "cover"}


def print_evaluation(workspace: Workspace) -> None:
    """Print structure and retrieval of every strategy over all categories, and where to go on."""
    structure = workspace.warehouse.read(STRUCTURE_METRICS).to_pylist()
    retrieval = workspace.warehouse.read(RETRIEVAL_METRICS).to_pylist()
    if not structure and not retrieval:
        output.print(
            "No evaluation yet: nothing was ingested. Add a source: chunk-pipeline sources add --help"
        )
        return
    output.print(_structure_table(row for row in structure if row["category"] == "all"))
    output.print(_retrieval_table(row for row in retrieval if row["category"] == "all"))
    output.print(
        f"Report   {workspace.warehouse.root / HTML_REPORT}\n"
        f"Catalog  {workspace.warehouse.root / NAME}\n"
        "UI       make ui, then open http://localhost:3000",
        markup=False,
        highlight=False,
    )


def _structure_table(rows: Iterable[dict[str, object]]) -> Table:
    values: dict[str, dict[str, object]] = {}
    for row in rows:
        values.setdefault(str(row["strategy"]), {})[str(row["metric"])] = row["value"]
    table = Table("strategy", *STRUCTURE, title="Structure, all categories")
    for strategy, metrics in values.items():
        table.add_row(strategy, *(_shown(name, metrics.get(name)) for name in STRUCTURE))
    return table


def _retrieval_table(rows: Iterable[dict[str, object]]) -> Table:
    values: dict[tuple[str, str, str], dict[str, object]] = {}
    counts: dict[tuple[str, str, str], object] = {}
    for row in rows:
        key = (str(row["strategy"]), str(row["retriever"]), str(row["level"]))
        values.setdefault(key, {})[str(row["metric"])] = row["value"]
        counts[key] = row["n"]
    table = Table("strategy", "retriever", "level", *RETRIEVAL, "n", title="Retrieval, all gold queries")
    for key, metrics in values.items():
        table.add_row(*key, *(_shown(name, metrics.get(name)) for name in RETRIEVAL), str(counts[key]))
    return table


def _shown(name: str, value: object) -> str:
    if not isinstance(value, (int, float)):
        return ""
    if name in SHARES:
        return f"{value:.1%}"
    return f"{value:,.0f}" if name in STRUCTURE else f"{value:.3f}"
