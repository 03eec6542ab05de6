"""Sensors: the partitions follow the sources file, runs follow new commits, roll-ups follow runs.

All are declared running: they matter. The sources sensor never passes a ``run_key`` (it would skip a commit
that failed once, and a revert for ever); it counts attempts per repository and head instead.
"""

import time
from collections.abc import Iterator

import dagster as dg
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.snapshot import SourceUnreachableError, head_of
from chunk_pipeline.corpus.sources import Source, SourcesError, SourcesFile
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.jobs import EVALUATE, INGEST, evaluate, ingest
from chunk_pipeline.defs.partitions import REPOSITORY, out_of_step
from chunk_pipeline.defs.reaping import reap_dead_runs
from chunk_pipeline.defs.rollups import INPUTS_UP_TO, last_rolled_up, newest_input
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.plain_text import plain_lines, plain_text

HEAD = "chunk_pipeline/head"
ATTEMPTS = 3

ASSET_JOB = "__ASSET_JOB"
"""What Dagster calls a run of assets that were chosen in the UI."""

SECONDS_A_TICK = 40.0
"""A tick is given 60 seconds; the rest is left to Dagster."""

UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


@dg.sensor(
    jobs=[ingest, evaluate],
    minimum_interval_seconds=60,
    description=(
        "Keeps the partitions in step with the sources file, and starts ingest for each source whose "
        f"head is not the one ingested; at most {ATTEMPTS} times for one head."
    ),
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def sources_sensor(
    context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
) -> dg.SensorResult | dg.SkipReason:
    """Keep the partitions in step with the sources file and ingest the sources whose head changed."""
    reap_dead_runs(context.instance)
    try:
        sources = workspace.sources
    except SourcesError as error:
        return dg.SkipReason(f"the sources file does not load: {plain_lines(str(error))}")
    missing, surplus = out_of_step(context.instance, sources)
    changes: list[dg.AddDynamicPartitionsRequest | dg.DeleteDynamicPartitionsRequest] = []
    if missing:
        changes.append(REPOSITORY.build_add_request(missing))
    if surplus:
        changes.append(REPOSITORY.build_delete_request(surplus))
    requests, cursor = _changed_sources(context, workspace, sources)
    if surplus:
        requests.append(dg.RunRequest(job_name=EVALUATE, tags={"chunk_pipeline/removed": ",".join(surplus)}))
    return dg.SensorResult(run_requests=requests, dynamic_partitions_requests=changes, cursor=cursor)


def _changed_sources(
    context: dg.SensorEvaluationContext, workspace: Workspace, sources: SourcesFile
) -> tuple[list[dg.RunRequest], str]:
    """Run requests for sources whose head is not the one ingested, and the source to begin with next time."""
    deadline = time.monotonic() + SECONDS_A_TICK
    requests: list[dg.RunRequest] = []
    for source in _rotated(sources, context.cursor):
        if time.monotonic() > deadline:
            return requests, source.name
        try:
            head = head_of(source, sources.profile(source.profile), workspace.cache)
        except SourceUnreachableError as error:
            context.log.warning("%s: %s", plain_text(source.name), plain_text(str(error)))
            continue
        if (request := _request(context.instance, source, head)) is not None:
            requests.append(request)
    return requests, ""


def _rotated(sources: SourcesFile, first: str | None) -> Iterator[Source]:
    names = [source.name for source in sources.sources]
    start = names.index(first) if first in names else 0
    yield from (*sources.sources[start:], *sources.sources[:start])


def _request(instance: dg.DagsterInstance, source: Source, head: str) -> dg.RunRequest | None:
    key = partition_key(source.name)
    if ingested_head(instance, key) == head:
        return None
    tags = {keys.PARTITION_TAG: key}
    if instance.get_runs_count(dg.RunsFilter(tags=tags, statuses=UNFINISHED)):
        return None
    if instance.get_runs_count(dg.RunsFilter(job_name=INGEST, tags={**tags, HEAD: head})) >= ATTEMPTS:
        return None
    return dg.RunRequest(job_name=INGEST, partition_key=key, tags={HEAD: head})


def ingested_head(instance: dg.DagsterInstance, key: str) -> str | None:
    """The snapshot that a repository's ``raw_files`` was last made from."""
    records = instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=keys.RAW_FILES, asset_partitions=[key]), limit=1
    ).records
    if not records or records[0].asset_materialization is None:
        return None
    value = records[0].asset_materialization.metadata.get(keys.SNAPSHOT)
    return str(value.value) if value is not None else None


@dg.sensor(
    job=evaluate,
    minimum_interval_seconds=30,
    description=(
        "Starts evaluate when an input of the roll-ups is newer than what the last one saw and no "
        f"ingestion is under way; at most {ATTEMPTS} times for the same inputs."
    ),
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def rollup_sensor(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Start the roll-ups when an input is newer than what the last one saw and nothing is being ingested."""
    instance = context.instance
    newest = newest_input(instance)
    if newest <= last_rolled_up(instance):
        return dg.SkipReason("the roll-ups have seen the newest inputs")
    for job in (INGEST, EVALUATE, ASSET_JOB):
        if instance.get_runs_count(dg.RunsFilter(job_name=job, statuses=UNFINISHED)):
            return dg.SkipReason(f"waiting for runs of {job} to end")
    # A backfill of everything runs the roll-ups itself, after its last repository.
    if instance.get_backfills_count(BulkActionsFilter(statuses=[BulkActionStatus.REQUESTED])):
        return dg.SkipReason("waiting for a backfill to end")
    tags = {INPUTS_UP_TO: str(newest)}
    if instance.get_runs_count(dg.RunsFilter(job_name=EVALUATE, tags=tags)) >= ATTEMPTS:
        return dg.SkipReason(f"{ATTEMPTS} roll-ups of these inputs failed; mend the cause and run {EVALUATE}")
    return dg.RunRequest(tags=tags)


def sensors() -> list[dg.SensorDefinition]:
    """All sensors."""
    return [sources_sensor, rollup_sensor]
