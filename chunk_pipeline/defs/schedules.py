"""Schedules: re-ingestion every night, health and housekeeping every week."""

from collections.abc import Iterator

import dagster as dg

from chunk_pipeline.defs.jobs import housekeeping, ingest
from chunk_pipeline.defs.partitions import REPOSITORY


@dg.schedule(
    job=ingest,
    cron_schedule="0 3 * * *",
    description="Ingests every repository, each in a run of its own; those with nothing new do no work.",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def nightly_ingestion(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
    """Ingest every repository; those with nothing new do no work."""
    for key in sorted(context.instance.get_dynamic_partitions(str(REPOSITORY.name))):
        yield dg.RunRequest(partition_key=key)


weekly_housekeeping = dg.ScheduleDefinition(
    name="weekly_housekeeping",
    job=housekeeping,
    cron_schedule="0 5 * * 0",
    description="Deletes old runs, and the tables of sources and strategies that no longer exist.",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)


def schedules() -> list[dg.ScheduleDefinition]:
    """All schedules."""
    return [nightly_ingestion, weekly_housekeeping]
