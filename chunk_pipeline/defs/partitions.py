"""The one partitions definition: a partition per source, its key the slug of the source's name.

Partitioned assets have no backfill policy on purpose. Without one, a backfill starts a run for each partition
and tags it so; with ``multi_run(1)`` the run is tagged with a range of one instead, and what its checks found
is recorded under no partition.
"""

from __future__ import annotations

import dagster as dg

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.sources import SourcesFile

REPOSITORY = dg.DynamicPartitionsDefinition(name="repository")


def out_of_step(instance: dg.DagsterInstance, sources: SourcesFile) -> tuple[list[str], list[str]]:
    """Partition keys to add and to delete so that the instance agrees with the sources file."""
    wanted = {partition_key(source.name) for source in sources.sources}
    present = set(instance.get_dynamic_partitions(str(REPOSITORY.name)))
    return sorted(wanted - present), sorted(present - wanted)


def bring_into_step(instance: dg.DagsterInstance, sources: SourcesFile) -> tuple[list[str], list[str]]:
    """Add and delete partitions so that the instance agrees with the sources file; returns what changed."""
    missing, surplus = out_of_step(instance, sources)
    if missing:
        instance.add_dynamic_partitions(str(REPOSITORY.name), missing)
    for key in surplus:
        instance.delete_dynamic_partition(str(REPOSITORY.name), key)
    return missing, surplus
