"""The catalog holds what the tables hold, as a reader sees it."""

import dagster as dg

from chunk_pipeline.defs import keys
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.catalog import NAME, CatalogError, verify_catalog


@dg.asset_check(asset=keys.CATALOG)
def catalog_agrees_with_tables(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
    """Open the catalog read-only and compare each table's row count with the Parquet files."""
    path = workspace.warehouse.root / NAME
    if not is_local(path):
        return dg.AssetCheckResult(passed=path.exists(), metadata={"remote": True})
    try:
        rows = verify_catalog(local_path(path), workspace.warehouse)
    except CatalogError as error:
        return dg.AssetCheckResult(passed=False, metadata={"error": str(error)})
    return dg.AssetCheckResult(passed=True, metadata={"rows": sum(rows.values()), "tables": len(rows)})
