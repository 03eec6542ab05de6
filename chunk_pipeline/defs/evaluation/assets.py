"""``gold_queries``, ``rankings_<strategy>`` and ``reports``, over the repositories all together."""

import time
from typing import Any

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy, strategies
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.metadata import materialized, png, table_metadata
from chunk_pipeline.evaluation.plots import hit_plot, size_plot
from chunk_pipeline.stages.catalog import prune
from chunk_pipeline.stages.evaluation import HTML_REPORT, MARKDOWN_REPORT, VERSION, mine_gold, rank, report
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import GOLD_QUERIES, RANKINGS, RETRIEVAL_METRICS, STRUCTURE_METRICS


@dg.asset(
    key=keys.GOLD_QUERIES,
    deps=[keys.LABELLED_FILES],
    group_name="evaluation",
    kinds={"python", "parquet"},
    owners=keys.OWNERS,
    code_version=str(VERSION),
    metadata=table_metadata(GOLD_QUERIES),
)
def gold_queries(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """Queries with the source spans that answer them, mined from the files by every route."""
    started = time.perf_counter()
    prune(workspace)
    return materialized(workspace, mine_gold(workspace), started)


def rankings_asset(strategy: Strategy) -> dg.AssetsDefinition:
    """The asset that ranks a strategy's chunks for the gold queries."""

    @dg.asset(
        key=keys.rankings(strategy.name),
        deps=[
            keys.GOLD_QUERIES,
            keys.QUERY_EMBEDDINGS,
            keys.dense_index(strategy.name),
            keys.bm25_index(strategy.name),
        ],
        group_name="evaluation",
        kinds={"numpy", "parquet"},
        owners=keys.OWNERS,
        tags={"strategy": strategy.name},
        description=f"The chunks of {strategy.name} that each retriever gives for each gold query.",
        code_version=str(VERSION),
        metadata=table_metadata(RANKINGS),
    )
    def rankings(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        return materialized(workspace, rank(workspace, strategy), started)

    return rankings


@dg.asset(
    key=keys.REPORTS,
    deps=[keys.GOLD_QUERIES, *(keys.rankings(strategy.name) for strategy in strategies())],
    group_name="evaluation",
    kinds={"matplotlib", "html"},
    owners=keys.OWNERS,
    code_version=str(VERSION),
    metadata=table_metadata(RETRIEVAL_METRICS),
)
def reports(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """Which strategy for which category, and how sure: tables, plots, a Markdown file and one HTML page."""
    started = time.perf_counter()
    outcome = report(workspace)
    warehouse = workspace.warehouse
    retrieval, structure = warehouse.read(RETRIEVAL_METRICS), warehouse.read(STRUCTURE_METRICS)
    markdown = (warehouse.root / MARKDOWN_REPORT).read_text(encoding="utf-8")
    shown = {
        "what to do": dg.MetadataValue.md(markdown.partition("\n## ")[2].partition("\n## ")[0]),
        "retrieval": png(hit_plot(retrieval), "hit@5 at chunk level"),
        "sizes": png(size_plot(structure), "sizes of chunks"),
        "page": dg.MetadataValue.url((warehouse.root / HTML_REPORT).absolute().as_uri()),
    }
    return materialized(workspace, outcome, started, more=shown)


def evaluation_assets() -> list[dg.AssetsDefinition]:
    """All assets of the group."""
    return [gold_queries, *(rankings_asset(strategy) for strategy in strategies()), reports]
