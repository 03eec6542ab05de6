"""The catalog holds what the tables hold, as a reader sees it, and what is stored is whole."""

import dagster as dg

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.tables import ui_table
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.catalog import NAME, CatalogError, verify_catalog
from chunk_pipeline.warehouse.verification import verify

ERROR, WARN = dg.AssetCheckSeverity.ERROR, dg.AssetCheckSeverity.WARN


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


@dg.asset_check(asset=keys.CATALOG)
def store_is_whole(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
    """Every manifest reads back and every file has its size; `chunk-pipeline verify` reads every byte."""
    found = verify(workspace.warehouse, deep=False)
    worst: list[dict[str, object]] = [
        {"what": each.kind, "of": each.place, "file": each.path, "says": each.says}
        for each in found.damages[:10]
    ]
    return dg.AssetCheckResult(
        passed=found.whole,
        # Damage that only an older release has harms no run, and nobody who reads what is new.
        severity=ERROR if any(each.counts for each in found.damages) else WARN,
        description=None if found.whole else "Run 'chunk-pipeline repair': it makes again what is damaged.",
        metadata={
            "damaged": len(found.damages),
            "manifests": found.manifests,
            "files": found.files,
            "bytes": found.size,
            "files_that_no_manifest_names": len(found.unnamed),
            **({"worst_rows": ui_table(worst)} if worst else {}),
        },
    )
