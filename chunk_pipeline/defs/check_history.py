"""How each check ended when it last ran, partition by partition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import dagster as dg
from dagster._core.event_api import PartitionKeyFilter

from chunk_pipeline.defs.partitions import REPOSITORY


@dataclass(frozen=True, slots=True, order=True)
class FailedCheck:
    """A check that did not pass when it last ran.

    Attributes:
        asset: Asset that it is on.
        check: Its name.
        partition: Repository (partition key), if the check is partitioned.
        severity: ERROR or WARN.
    """

    asset: str
    check: str
    partition: str | None
    severity: str


def last_failed_checks(instance: dg.DagsterInstance, definitions: dg.Definitions) -> list[FailedCheck]:
    """The checks whose last evaluation did not pass, sorted."""
    graph = definitions.get_repository_def().asset_graph
    by_partition: dict[bool, list[dg.AssetCheckKey]] = {True: [], False: []}
    for key in sorted(graph.asset_check_keys):
        by_partition[graph.get(key).partitions_def is not None].append(key)
    partitions = sorted(instance.get_dynamic_partitions(str(REPOSITORY.name)))
    failed = list(_failed(instance, by_partition[False], None))
    for partition in partitions:
        failed += _failed(instance, by_partition[True], partition)
    return sorted(failed, key=lambda each: (each.asset, each.check, each.partition or ""))


def _failed(
    instance: dg.DagsterInstance, keys: list[dg.AssetCheckKey], partition: str | None
) -> Iterator[FailedCheck]:
    chosen = PartitionKeyFilter(key=partition) if partition is not None else None
    # The public API has no read of check history; this is what the UI's own resolvers call.
    records = instance.event_log_storage.get_latest_asset_check_execution_by_key(keys, chosen)
    for key, record in records.items():
        evaluation = record.evaluation
        if evaluation is not None and not evaluation.passed:
            name = key.asset_key.to_user_string()
            yield FailedCheck(name, key.name, partition, evaluation.severity.value)
