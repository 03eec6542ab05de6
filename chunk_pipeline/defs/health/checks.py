"""Checks on the pipeline itself: is what we hold current, and did a partition quietly stay failed?

Quiet is the dangerous state: a failed partition leaves its old rows in every roll-up, and nothing downstream
turns red. These checks sit on assets of the roll-up, so each evaluation says so.
"""

import dagster as dg

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.snapshot import SourceUnreachableError, head_of
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.health.commit_points import untold
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.defs.rollups import input_keys
from chunk_pipeline.defs.sensors import ingested_head
from chunk_pipeline.defs.tables import ui_table
from chunk_pipeline.stages.workspace import Workspace

WARN = dg.AssetCheckSeverity.WARN


def _worst(rows: list[dict[str, str]]) -> dict[str, dg.TableMetadataValue]:
    return {"worst_rows": ui_table(rows[:10])} if rows else {}


@dg.asset_check(asset=keys.CATALOG)
def repository_is_current(
    context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.AssetCheckResult:
    """Every source's head is the snapshot that was ingested; freshness policies know no partitions."""
    sources = workspace.sources
    stale = []
    for source in sources.sources:
        ingested = ingested_head(context.instance, partition_key(source.name))
        try:
            head = head_of(source, sources.profile(source.profile), workspace.cache)
        except SourceUnreachableError as error:
            head = f"unreachable: {error}"
        if head != ingested:
            stale.append({"source": source.name, "ingested": ingested or "never", "head": head})
    return dg.AssetCheckResult(
        passed=not stale,
        severity=WARN,
        metadata={"stale_sources": len(stale), "sources": len(sources.sources), **_worst(stale)},
    )


@dg.asset_check(asset=keys.CATALOG)
def materializations_match_disk(
    context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.AssetCheckResult:
    """The data version of each latest materialisation is the digest of the manifest that is on the disk.

    It is not where a process died between the commit and the event, or where tables were changed or brought
    back by other means. Materialising again mends it at no cost.
    """
    different = [
        {"asset": each.asset.to_user_string(), "repository": each.repository or ""}
        for each in untold(workspace, context.instance)
        if each.asset != keys.CATALOG
    ]
    return dg.AssetCheckResult(
        passed=not different,
        severity=WARN,
        metadata={"materializations_that_differ": len(different), **_worst(different)},
    )


@dg.asset_check(asset=keys.CATALOG)
def no_partitions_left_failed(
    context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.AssetCheckResult:
    """No repository's latest attempt at an input of the roll-ups failed."""
    names = sorted(context.instance.get_dynamic_partitions(str(REPOSITORY.name)))
    failed = [
        {"asset": key.to_user_string(), "repository": name}
        for key in [keys.RAW_FILES, keys.FILTERED_FILES, *input_keys(workspace.strategies)]
        for name, status in (context.instance.get_status_by_partition(key, names, REPOSITORY) or {}).items()
        if status is not None and status.name == "FAILED"
    ]
    return dg.AssetCheckResult(
        passed=not failed,
        severity=WARN,
        metadata={"failed_partitions": len(failed), "repositories": len(names), **_worst(failed)},
    )
