"""Rows 1, 2, 16, 20 with Dagster: what it was told equals what is on disk, however a run ended.

The tables do not depend on Dagster; what may be lost is the event of a commit, which the next run notices.
"""

from __future__ import annotations

import shutil
import signal
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.defs.launch import open_instance, run_sources
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.partitions import is_main
from chunk_pipeline.warehouse.tables import TABLES
from tests.defs.test_sensors import heads, tick
from tests.end_to_end.project import Project
from tests.faults.crashing import COMMIT, Calls, Moment, dying_at
from tests.faults.forking import FAILED, Child, in_child
from tests.faults.small_project import (
    SOURCE,
    copy_of,
    every_table_reads_back,
    from_scratch,
    small_project,
    workspace_of,
    write,
)
from tests.faults.test_together import Gate, waiting_workspace

pytestmark = [pytest.mark.fault, pytest.mark.slow]
CHANGED = {"title": "Changed title", "berth": {"free": "Changed text"}}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = small_project(tmp_path_factory.mktemp("orchestrator") / "project")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", str(project.root / "dagster_home"))
        run(project)
    return project


@pytest.fixture(scope="module")
def edited(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of a build from scratch after the edit that the tests make."""
    copy = copy_of(finished, tmp_path_factory.mktemp("edited") / "project")
    write(copy, "src/i18n/en.json", CHANGED)
    return from_scratch(copy, tmp_path_factory.mktemp("scratch") / "project").digests()


@pytest.fixture
def project(finished: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    copy = copy_of(finished, tmp_path / "project")
    monkeypatch.setenv("DAGSTER_HOME", str(copy.root / "dagster_home"))
    return copy


def run(project: Project, workspace: Workspace | None = None) -> list[JobResult]:
    """What ``chunk-pipeline run`` does, in this process."""
    with open_instance(project.settings) as instance:
        results = run_sources(workspace or workspace_of(project), instance, [SOURCE])
    assert all(result.succeeded for result in results), results
    return results


def told(project: Project) -> set[str]:
    """The data versions that Dagster was last told, of every asset and partition."""
    found = set()
    with open_instance(project.settings) as instance:
        for key in instance.all_asset_keys():
            for partition in (None, *instance.get_materialized_partitions(key)):
                record = instance.get_latest_data_version_record(key, partition_key=partition)
                if record is not None and record.asset_materialization is not None:
                    found.add((record.asset_materialization.tags or {}).get("dagster/data_version", ""))
    return found


def on_disk(project: Project) -> dict[str, str]:
    """The digests of the manifests that count."""
    warehouse = project.warehouse
    found = {}
    for table in TABLES:
        for partition in warehouse.partitions(table) if is_main(table) else ():
            manifest = warehouse.manifest(table, partition)
            assert manifest is not None
            found[f"{table.name} {partition.order}"] = manifest.digest
    return found


def untold(project: Project) -> set[str]:
    """The partitions whose present state Dagster was not told."""
    known = told(project)
    return {place for place, digest in on_disk(project).items() if digest not in known}


def test_what_dagster_was_told_is_what_is_on_disk(project: Project) -> None:
    assert len(on_disk(project)) > 10
    assert untold(project) == set()


@pytest.mark.parametrize(
    ("number", "moment"),
    [(1, "after"), (4, "after"), (12, "after"), (13, "before")],
    ids=["row01-scan", "row01-chunks", "row01-report", "row01-before-release"],
)
def test_a_run_killed_between_a_commit_and_its_event_is_noticed_and_mended(
    project: Project, number: int, moment: Moment, edited: dict[str, str]
) -> None:
    write(project, "src/i18n/en.json", CHANGED)

    def work() -> None:
        with Calls(project.root / "warehouse", dying_at(number, moment), frozenset({COMMIT})):
            run(project)

    assert in_child(work) == -signal.SIGKILL
    every_table_reads_back(project)
    if moment == "after":
        assert untold(project), "the commit was made and its event was not"
    run(project)
    assert untold(project) == set()
    assert project.digests() == edited


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["row02-sigint", "row02-sigterm"])
def test_a_run_that_is_ended_while_it_encodes_ends_and_the_next_one_converges(
    project: Project, number: signal.Signals, edited: dict[str, str]
) -> None:
    write(project, "src/i18n/en.json", CHANGED)
    asked, go_on = Gate(), Gate()
    child = Child(lambda: run(project, waiting_workspace(project, asked, go_on)))
    asked.wait()
    child.send(number)
    assert child.wait() in {FAILED, -number}
    every_table_reads_back(project)
    run(project)
    assert untold(project) == set()
    assert project.digests() == edited


def test_row16_tables_that_are_gone_are_built_again_though_dagster_knows_them(project: Project) -> None:
    before = project.digests()
    shutil.rmtree(project.root / "warehouse")
    run(project)
    assert project.digests() == before
    assert untold(project) == set()


def test_row16_an_instance_that_is_gone_costs_no_work(project: Project) -> None:
    before = project.digests()
    shutil.rmtree(project.root / "dagster_home")
    results = run(project)
    assert sum(result.counts["files_chunked"] + result.counts["texts_encoded"] for result in results) == 0
    assert project.digests() == before
    with open_instance(project.settings) as instance:
        assert instance.get_dynamic_partitions("repository") == [partition_key(SOURCE)]


def test_row20_a_tick_during_a_run_starts_no_second_and_after_its_death_it_does(project: Project) -> None:
    write(project, "src/i18n/en.json", CHANGED)
    asked, go_on = Gate(), Gate()
    child = Child(lambda: run(project, waiting_workspace(project, asked, go_on)))
    asked.wait()
    workspace = replace(workspace_of(project), asking=False)
    with open_instance(project.settings) as instance:
        assert _wanted(instance, workspace) == []
    with open_instance(project.settings) as restarted:
        assert _wanted(restarted, workspace) == []
    child.send(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    with open_instance(project.settings) as instance:
        # Its last scan was told, so it is not the source's head that asks for a run but what was not done.
        statuses = {each.status for each in instance.get_runs()}
        assert dg.DagsterRunStatus.STARTED not in statuses
    write(project, "src/i18n/en.json", {"title": "Changed again"})
    with open_instance(project.settings) as instance:
        assert _wanted(instance, workspace) == [partition_key(SOURCE)]


def _wanted(instance: dg.DagsterInstance, workspace: Workspace) -> list[str]:
    result = tick(instance, workspace)
    return [] if isinstance(result, dg.SkipReason) else list(heads(result))
