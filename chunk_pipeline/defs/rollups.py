"""When the roll-ups (indexes to catalog) are due: level-triggered, so that no update is ever lost.

Edge-triggered automation over all partitions loses an update that arrives while the roll-up runs (dagster
issues 24650 and 33586). Instead, each roll-up records the newest storage id of its inputs when it *started*;
whoever finds a newer input starts another.
"""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy, strategies
from chunk_pipeline.defs import keys

INPUTS_UP_TO = "chunk_pipeline/inputs_up_to_event"
"""Metadata of the catalog, and tag of the runs that the sensor starts: newest storage id that they saw."""


def input_keys(chosen: Sequence[Strategy] | None = None) -> list[dg.AssetKey]:
    """The partitioned assets that roll-ups read, of these strategies or of all that there are."""
    names = [strategy.name for strategy in (strategies() if chosen is None else chosen)]
    each = [make(name) for name in names for make in (keys.embeddings, keys.postings)]
    return [keys.LABELLED_FILES, *each]


def newest_input(instance: dg.DagsterInstance, before: float | None = None) -> int:
    """The newest storage id among the inputs' materialisations (before a time); 0 if there is none."""
    newest = 0
    for key in input_keys():
        records = instance.fetch_materializations(
            dg.AssetRecordsFilter(asset_key=key, before_timestamp=before), limit=1
        ).records
        newest = max([newest, *(record.storage_id for record in records)])
    return newest


def inputs_at_start_of(instance: dg.DagsterInstance, run_id: str) -> int:
    """The newest input that a run can have seen from its beginning."""
    record = instance.get_run_record_by_id(run_id)
    return newest_input(instance, record.start_time if record else None)


def last_rolled_up(instance: dg.DagsterInstance) -> int:
    """The newest input that the last finished roll-up saw; 0 if there was none."""
    event = instance.get_latest_materialization_event(keys.CATALOG)
    if event is None or event.asset_materialization is None:
        return 0
    value = event.asset_materialization.metadata.get(INPUTS_UP_TO)
    return int(str(value.value)) if value is not None else 0
