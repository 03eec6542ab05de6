"""``catalog``: every table in one DuckDB file for people and their SQL."""

import time
from typing import Any

import dagster as dg

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import over_all
from chunk_pipeline.defs.metadata import uri
from chunk_pipeline.defs.rollups import INPUTS_UP_TO, inputs_at_start_of
from chunk_pipeline.defs.tables import ui_table
from chunk_pipeline.stages.catalog import prune, publish_catalog
from chunk_pipeline.stages.housekeeping import collect_garbage
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.releases import newest_release


@dg.asset(
    key=keys.CATALOG,
    description=over_all(
        "All tables as `chunk_pipeline.duckdb`: open it read-only with any DuckDB. It is replaced in one "
        "step, so readers never block a run, and a run never breaks what they have open."
    ),
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
    """Bring the catalog into step with the tables, record them as a release, collect what nobody needs."""
    started = time.perf_counter()
    prune(workspace)
    built = publish_catalog(workspace)
    release = newest_release(workspace.warehouse)
    # The last step of a run, and the one after which the newest release needs nothing that is older.
    collected = collect_garbage(workspace, time.time())
    tables: list[dict[str, object]] = [{"table": name, "rows": rows} for name, rows in built.rows.items()]
    return dg.MaterializeResult(
        data_version=dg.DataVersion(built.version),
        metadata={
            "file": dg.MetadataValue.path(str(built.path.absolute())),
            **({"tables": ui_table(tables)} if tables else {}),
            "up_to_date": not built.built,
            "release": release.number if release else 0,
            "collected": len(collected),
            "collected_bytes": sum(each.size for each in collected),
            "duration_seconds": round(time.perf_counter() - started, 3),
            "dagster/uri": uri(built.path),
            INPUTS_UP_TO: inputs_at_start_of(context.instance, context.run_id),
        },
    )
