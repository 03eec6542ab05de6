"""``catalog``: every table in one DuckDB file for people and their SQL."""

import time
from typing import Any

import dagster as dg

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.rollups import INPUTS_UP_TO, inputs_at_start_of
from chunk_pipeline.stages.catalog import prune, publish_catalog
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.markdown import markdown_table


@dg.asset(
    key=keys.CATALOG,
    deps=[keys.REPORTS],
    group_name="catalog",
    kinds={"duckdb"},
    owners=keys.OWNERS,
    pool=keys.CATALOG_POOL,
    code_version="1",
)
def catalog(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """All tables as ``chunk_pipeline.duckdb``: open it with any DuckDB; readers never block a run."""
    started = time.perf_counter()
    prune(workspace)
    built = publish_catalog(workspace)
    tables = [{"table": name, "rows": count} for name, count in built.rows.items()]
    return dg.MaterializeResult(
        data_version=dg.DataVersion(built.version),
        metadata={
            "tables": dg.MetadataValue.md(markdown_table(tables)),
            "dagster/uri": built.path.absolute().as_uri(),
            "built": built.built,
            "seconds": round(time.perf_counter() - started, 3),
            INPUTS_UP_TO: inputs_at_start_of(context.instance, context.run_id),
        },
    )
