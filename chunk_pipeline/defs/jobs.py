"""Jobs: a repository's whole chain in one run, the roll-ups over all of them, and housekeeping."""

import time
from datetime import UTC, datetime, timedelta

import dagster as dg

from chunk_pipeline.defs.logs import TO_PLAIN_CONSOLE
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.catalog import prune
from chunk_pipeline.stages.housekeeping import collect_garbage
from chunk_pipeline.stages.workspace import Workspace

INGEST = "ingest"
EVALUATE = "evaluate"
HOUSEKEEPING = "housekeeping"

PER_REPOSITORY = dg.AssetSelection.groups("corpus", "chunks", "embeddings")
ROLLUPS = dg.AssetSelection.groups("heritage", "indexes", "evaluation", "catalog")

ingest = dg.define_asset_job(
    INGEST,
    selection=PER_REPOSITORY,
    partitions_def=REPOSITORY,
    executor_def=dg.in_process_executor,
    config=TO_PLAIN_CONSOLE,
    description=(
        "A repository's whole chain in one run: snapshot, filter, labels, chunks, vectors, postings.\n\n"
        "To start it: press *Materialize all*, choose one partition or *All*, launch. `sources_sensor` "
        "starts it by itself for new and changed sources, `nightly_ingestion` for all of them. What is up "
        "to date costs nothing. Is there no partition? `chunk-pipeline sources sync` makes them from the "
        "sources file."
    ),
)

evaluate = dg.define_asset_job(
    EVALUATE,
    selection=ROLLUPS,
    executor_def=dg.in_process_executor,
    config=TO_PLAIN_CONSOLE,
    description=(
        "Entities, duplicates, indexes, gold queries, rankings, reports and the catalog, over all "
        "repositories that were ingested.\n\n `rollup_sensor` starts it when an ingestion has ended; "
        "*Materialize all* starts it by hand."
    ),
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


@dg.op(out=dg.Out(dg.Nothing))
def drop_what_is_gone(context: dg.OpExecutionContext, workspace: dg.ResourceParam[Workspace]) -> None:
    """Drop the tables of sources and strategies that no longer exist."""
    gone = prune(workspace)
    context.log.info("dropped %d partitions of sources or strategies that are gone", len(gone))


@dg.op(ins={"after": dg.In(dg.Nothing)})
def collect_what_nobody_needs(context: dg.OpExecutionContext, workspace: dg.ResourceParam[Workspace]) -> None:
    """Remove manifests, files, releases and mirrors that count no more and are older than the retention."""
    removed = collect_garbage(workspace, time.time())
    context.log.info("removed %d files, %d bytes", len(removed), sum(each.size for each in removed))


@dg.job(name=HOUSEKEEPING, executor_def=dg.in_process_executor, config=TO_PLAIN_CONSOLE)
def housekeeping() -> None:
    """Delete old runs and the tables of what no longer exists; collect what nobody needs."""
    delete_old_runs()
    collect_what_nobody_needs(after=drop_what_is_gone())
