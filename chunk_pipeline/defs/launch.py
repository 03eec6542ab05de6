"""Headless runs: the same jobs as in the UI, in this process, recorded in the same instance.

A repository whose stages all have nothing to do is not run at all: a re-run costs what changed.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import dagster as dg
from filelock import FileLock

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.assembly import build_definitions
from chunk_pipeline.defs.interrupts import noticing_interrupts
from chunk_pipeline.defs.jobs import EVALUATE, INGEST
from chunk_pipeline.defs.partitions import REPOSITORY, bring_into_step
from chunk_pipeline.defs.reaping import PROCESS, reap_dead_runs, this_process
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.catalog import gone, prune
from chunk_pipeline.stages.current import is_rolled_up, is_up_to_date
from chunk_pipeline.stages.estimate import ROLL_UP
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.rates import note_rate
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.told import note_told
from chunk_pipeline.warehouse.turns import turn
from chunk_pipeline.warehouse.unreported import reporting, unreported

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
"""Run configuration: nothing on the terminal but what the command prints itself."""

INSTANCE = "telemetry:\n  enabled: false\nnux:\n  enabled: false\n"
"""Configuration that a new instance begins with; the project's own is dagster_home/dagster.yaml."""

COUNTED = ("files_chunked", "files_reused", "texts_encoded", "texts_reused", "chunks_indexed")


def open_instance(settings: Settings) -> dg.DagsterInstance:
    """The Dagster instance of the settings (``DAGSTER_HOME`` wins); its folder is made if it is not there."""
    home = settings.instance_folder
    home.mkdir(parents=True, exist_ok=True)
    configuration = home / "dagster.yaml"
    if not configuration.exists():
        configuration.write_text(INSTANCE)
    os.environ["DAGSTER_HOME"] = str(home)
    # Two processes that make the tables of a new SQLite instance at once break each other.
    with FileLock(home / ".starting.lock"):
        instance = dg.DagsterInstance.get()
        reap_dead_runs(instance)
        instance.get_dynamic_partitions(str(REPOSITORY.name))
    return instance


def run_sources(
    workspace: Workspace,
    instance: dg.DagsterInstance,
    names: Sequence[str],
    *,
    select: str | None = None,
    started: Callable[[str], None] = lambda name: None,
) -> list[JobResult]:
    """Ingest the named sources, one run each, then evaluate over all; up-to-date work is left out.

    Args:
        workspace: Settings, tables and the encoder, which all runs share.
        instance: Where runs are recorded.
        names: Sources to ingest.
        select: Dagster asset selection; with it nothing counts as up to date.
        started: Told each job's name before it runs, and if other runs must be waited for.
    """
    bring_into_step(instance, workspace.sources)
    if select is None and gone(workspace):
        with _turn(workspace, started, alone=True):
            prune(workspace)
    definitions = build_definitions(workspace)
    selection = _selected(definitions, select)
    results = []
    for name in names:
        started(name)
        told = _is_told(workspace, instance, partition_key(name))
        if select is None and told and is_up_to_date(replace(workspace, asking=True), name):
            results.append(JobResult(name, succeeded=True, up_to_date=True))
        else:
            key = partition_key(name)
            with _turn(workspace, started, alone=False), reporting(workspace.warehouse, key):
                results.append(_execute(definitions, instance, INGEST, name, selection, key))
    started(EVALUATE)
    results.append(evaluate_all(workspace, instance, definitions, selection, started))
    everything = select is None and set(names) >= {each.name for each in workspace.sources.sources}
    if everything and all(each.succeeded for each in results):
        note_told(workspace.settings.instance_folder, workspace.warehouse)
    return results


def evaluate_all(
    workspace: Workspace,
    instance: dg.DagsterInstance,
    definitions: dg.Definitions | None = None,
    selection: frozenset[dg.AssetKey] | None = None,
    told: Callable[[str], None] = lambda text: None,
) -> JobResult:
    """Run the roll-ups over what is ingested, unless they have nothing to do."""
    with _turn(workspace, told, alone=True):
        told_all = _is_told(workspace, instance)
        if selection is None and told_all and is_rolled_up(replace(workspace, asking=True)):
            return JobResult(EVALUATE, succeeded=True, up_to_date=True)
        begun = time.perf_counter()
        with reporting(workspace.warehouse, EVALUATE):
            chosen = definitions or build_definitions(workspace)
            result = _execute(chosen, instance, EVALUATE, EVALUATE, selection)
        if selection is None and result.succeeded:
            note_rate(workspace.cache, ROLL_UP, 1, time.perf_counter() - begun)
        return result


def _is_told(workspace: Workspace, instance: dg.DagsterInstance, repository: str | None = None) -> bool:
    """Whether the instance knows what the job of a repository, or the roll-ups, left in the store.

    It does not where their process died before it could say so, or the instance is younger than the store.
    """
    if (repository or EVALUATE) in unreported(workspace.warehouse):
        return False
    if repository is None:
        return instance.get_latest_materialization_event(keys.CATALOG) is not None
    return repository in instance.get_materialized_partitions(keys.RAW_FILES)


def _turn(workspace: Workspace, told: Callable[[str], None], *, alone: bool) -> AbstractContextManager[None]:
    return turn(workspace.warehouse, alone=alone, waiting=lambda: told("waiting for other runs to end"))


def _selected(definitions: dg.Definitions, select: str | None) -> frozenset[dg.AssetKey] | None:
    """The keys that a selection string names.

    Raises:
        ValueError: It is not a selection, or selects nothing.
    """
    if select is None:
        return None
    try:
        graph = definitions.get_repository_def().asset_graph
        keys = dg.AssetSelection.from_string(select).resolve(graph)
    except Exception as error:
        raise ValueError(f"--select {select!r} is not an asset selection: {error}") from error
    if not keys:
        raise ValueError(f"--select {select!r} selects no asset")
    return frozenset(keys)


def _execute(
    definitions: dg.Definitions,
    instance: dg.DagsterInstance,
    job_name: str,
    name: str,
    selection: frozenset[dg.AssetKey] | None = None,
    partition: str | None = None,
) -> JobResult:
    job = definitions.resolve_job_def(job_name)
    chosen = None
    if selection is not None:
        chosen = sorted(selection.intersection(job.asset_layer.executable_asset_keys))
        if not chosen:
            return JobResult(name, succeeded=True, up_to_date=True)
    with noticing_interrupts() as interrupted:
        result = job.execute_in_process(
            instance=instance,
            partition_key=partition,
            asset_selection=chosen,
            run_config=QUIET,
            tags={PROCESS: this_process()},
            raise_on_error=False,
        )
        if interrupted():
            # Dagster makes it a failed step or loses it; whoever pressed the keys wants all of it to end.
            raise KeyboardInterrupt
    return JobResult(
        name,
        succeeded=result.success,
        counts=_counts(result),
        failed_checks=_failed_checks(result),
        errors=_errors(result),
    )


def _counts(result: dg.ExecuteInProcessResult) -> Counter[str]:
    counts: Counter[str] = Counter()
    for event in result.get_asset_materialization_events():
        metadata = event.materialization.metadata
        counts.update({key: int(str(metadata[key].value)) for key in COUNTED if key in metadata})
    return counts


def _failed_checks(result: dg.ExecuteInProcessResult) -> tuple[tuple[str, str, str], ...]:
    failed = [each for each in result.get_asset_check_evaluations() if not each.passed]
    return tuple((each.check_name, each.asset_key.to_user_string(), each.severity.value) for each in failed)


def _errors(result: dg.ExecuteInProcessResult) -> tuple[str, ...]:
    lines = []
    for event in result.all_events:
        if event.is_step_failure and (error := event.step_failure_data.error) is not None:
            while error.cause is not None:
                error = error.cause
            lines.append(f"{event.step_key}: {error.message.strip()}")
    return tuple(lines)
