"""Jobs: a repository's whole chain in one run, the roll-ups over all of them, and housekeeping."""

from datetime import UTC, datetime, timedelta

import dagster as dg

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.catalog import prune
from chunk_pipeline.stages.workspace import Workspace

INGEST = "ingest"
EVALUATE = "evaluate"
HOUSEKEEPING = "housekeeping"

ROLLUPS = dg.AssetSelection.groups("indexes", "evaluation", "catalog") | dg.AssetSelection.assets(
    keys.QUERY_EMBEDDINGS
)
PER_REPOSITORY = dg.AssetSelection.groups("corpus", "chunks", "embeddings") - dg.AssetSelection.assets(
    keys.QUERY_EMBEDDINGS
)

ingest = dg.define_asset_job(
    INGEST,
    selection=PER_REPOSITORY,
    partitions_def=REPOSITORY,
    executor_def=dg.in_process_executor,
    description="A repository's whole chain: snapshot, filter, labels, chunks, vectors, postings.",
)

evaluate = dg.define_asset_job(
    EVALUATE,
    selection=ROLLUPS,
    executor_def=dg.in_process_executor,
    description="Indexes, gold queries, rankings, reports and the catalog, over all repositories.",
)


@dg.op
def delete_old_runs(context: dg.OpExecutionContext, workspace: dg.ResourceParam[Workspace]) -> None:
    """Delete finished runs older than the retention; run history is not covered by Dagster's own."""
    days = workspace.settings.run_retention_days
    before = datetime.now(UTC) - timedelta(days=days)
    finished = dg.RunsFilter(
        statuses=[dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED],
        created_before=before,
    )
    records = context.instance.get_run_records(finished)
    for record in records:
        context.instance.delete_run(record.dagster_run.run_id)
    context.log.info("deleted %d runs older than %d days", len(records), days)


@dg.op
def drop_what_is_gone(context: dg.OpExecutionContext, workspace: dg.ResourceParam[Workspace]) -> None:
    """Drop the tables of sources and strategies that no longer exist."""
    gone = prune(workspace)
    context.log.info("dropped %d partitions of sources or strategies that are gone", len(gone))


@dg.job(name=HOUSEKEEPING, executor_def=dg.in_process_executor)
def housekeeping() -> None:
    """Delete old runs, and the tables of what no longer exists."""
    delete_old_runs()
    drop_what_is_gone()
