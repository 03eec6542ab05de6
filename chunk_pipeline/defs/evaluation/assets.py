"""``gold_queries`` with their vectors, ``rankings_<strategy>`` and ``reports``, over all repositories."""

import time
from collections.abc import Sequence
from typing import Any

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import over_all
from chunk_pipeline.defs.metadata import materialized, png, table_metadata
from chunk_pipeline.defs.tables import ui_table
from chunk_pipeline.evaluation.plots import hit_plot, size_plot
from chunk_pipeline.evaluation.recommendation import recommend
from chunk_pipeline.evaluation.report import advice_rows
from chunk_pipeline.stages.catalog import prune
from chunk_pipeline.stages.embeddings import VERSION as QUERIES_VERSION
from chunk_pipeline.stages.embeddings import embed_queries
from chunk_pipeline.stages.evaluation import (
    HTML_REPORT,
    MARKDOWN_REPORT,
    PAGES,
    VERSION,
    mine_gold,
    rank,
    report,
)
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import (
    COMPARISONS,
    GOLD_QUERIES,
    RANKINGS,
    RETRIEVAL_METRICS,
    STRUCTURE_METRICS,
    VECTORS,
)


def gold_queries_asset(strategies: Sequence[Strategy]) -> dg.AssetsDefinition:
    """The asset that mines the gold."""
    left_out = [keys.DUPLICATES] if any(each.gives_facts for each in strategies) else []

    @dg.asset(
        key=keys.GOLD_QUERIES,
        description=over_all(
            "Queries with the source spans that answer them, mined from the files by every route."
        ),
        deps=[keys.LABELLED_FILES, *left_out],
        group_name="evaluation",
        kinds={"python", "parquet"},
        owners=keys.OWNERS,
        code_version=str(VERSION),
        metadata=table_metadata(GOLD_QUERIES),
    )
    def gold_queries(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        prune(workspace)
        return materialized(workspace, mine_gold(workspace), started)

    return gold_queries


@dg.asset(
    key=keys.QUERY_EMBEDDINGS,
    description=over_all("One vector for each distinct gold query."),
    deps=[keys.GOLD_QUERIES],
    group_name="evaluation",
    kinds={"pytorch", "parquet"},
    owners=keys.OWNERS,
    pool=keys.ENCODER_POOL,
    code_version=str(QUERIES_VERSION),
    metadata=table_metadata(VECTORS),
)
def query_embeddings(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """Encode the gold queries."""
    started = time.perf_counter()
    return materialized(workspace, embed_queries(workspace), started, more={"model": workspace.model_keys})


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
        description=over_all(
            f"The chunks of `{strategy.name}` that each retriever gives for each gold query, best first."
        ),
        code_version=str(VERSION),
        metadata=table_metadata(RANKINGS),
    )
    def rankings(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        return materialized(workspace, rank(workspace, strategy), started)

    return rankings


def reports_asset(strategies: Sequence[Strategy]) -> dg.AssetsDefinition:
    """The asset that measures and compares the strategies."""

    @dg.asset(
        key=keys.REPORTS,
        description=over_all(
            "Which strategy for which category, and how sure: metrics, comparisons, plots, a Markdown file "
            "and one HTML page. The table below is `retrieval_metrics`; `structure_metrics` and "
            "`comparisons` are made with it. Open the page in a browser by its path: web pages may not link "
            "to files."
        ),
        deps=[keys.GOLD_QUERIES, *(keys.rankings(strategy.name) for strategy in strategies)],
        group_name="evaluation",
        kinds={"matplotlib", "html"},
        owners=keys.OWNERS,
        code_version=f"{VERSION}.{PAGES}",
        metadata=table_metadata(RETRIEVAL_METRICS),
    )
    def reports(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        started = time.perf_counter()
        outcome = report(workspace)
        return materialized(workspace, outcome, started, more=_shown(workspace))

    return reports


def _shown(workspace: Workspace) -> dict[str, Any]:
    """What the report says, for people who look at the asset: the advice first."""
    warehouse = workspace.warehouse
    retrieval, structure = warehouse.read(RETRIEVAL_METRICS), warehouse.read(STRUCTURE_METRICS)
    advice = recommend(structure, retrieval, warehouse.read(COMPARISONS))
    page, markdown = warehouse.root / HTML_REPORT, warehouse.root / MARKDOWN_REPORT
    reasons = markdown.read_text(encoding="utf-8").partition("\n## ")[2].partition("\n## ")[0]
    return {
        **({"what_to_use": ui_table(advice_rows(advice))} if advice else {}),
        "why": dg.MetadataValue.md(reasons),
        "hits_plot": png(hit_plot(retrieval), "hit@5 at chunk level"),
        "sizes_plot": png(size_plot(structure), "sizes of chunks"),
        "page": dg.MetadataValue.path(str(page.absolute())),
        "markdown": dg.MetadataValue.path(str(markdown.absolute())),
    }


def evaluation_assets(strategies: Sequence[Strategy]) -> list[dg.AssetsDefinition]:
    """All assets of the group."""
    rankings = [rankings_asset(strategy) for strategy in strategies]
    return [gold_queries_asset(strategies), query_embeddings, *rankings, reports_asset(strategies)]
