"""A source that vanished, in Dagster: its run fails, others go on, no sensor loops, a check shows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.assembly import build_definitions
from chunk_pipeline.defs.health.checks import repository_is_current
from chunk_pipeline.defs.launch import run_sources
from chunk_pipeline.defs.sensors import ATTEMPTS, sources_sensor
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, FILES
from tests.defs.two_folders import two_folders

pytestmark = pytest.mark.fault


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two folder sources, ``one`` and ``two``."""
    return two_folders(tmp_path)


def _paths(workspace: Workspace, name: str) -> list[str]:
    rows = workspace.warehouse.read(FILES, Partition(repository=name))
    return [str(path) for path in rows["path"].to_pylist()]


@pytest.mark.slow
def test_a_run_goes_on_with_the_other_sources_and_follows_what_is_accepted(
    workspace: Workspace, instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    assert all(each.succeeded for each in run_sources(workspace, instance, ["one", "two"]))
    (tmp_path / "one" / "a.schema.json").unlink()
    (tmp_path / "two" / "b.schema.json").write_text('{"title": "more", "type": "object"}')
    one, two, evaluated = run_sources(workspace, instance, ["one", "two"])
    assert (one.succeeded, two.succeeded, evaluated.succeeded) == (False, True, True)
    (error,) = [line for line in one.errors if "raw_files" in line]
    assert "it held 1 file ('a.schema.json')" in error
    assert "--accept-empty one" in error
    assert _paths(workspace, "one") == ["a.schema.json"]
    assert _paths(workspace, "two") == ["a.schema.json", "b.schema.json"]
    assert workspace.warehouse.read(CHUNKS, repository="one").num_rows
    accepting = replace(workspace, accept_empty=frozenset({"one"}))
    assert all(each.succeeded for each in run_sources(accepting, instance, ["one", "two"]))
    assert _paths(workspace, "one") == []
    assert not workspace.warehouse.read(CHUNKS, repository="one").num_rows
    assert all(each.up_to_date for each in run_sources(workspace, instance, ["one", "two"]))


def test_a_sensor_tries_an_emptied_source_a_few_times_and_a_check_shows_it(
    workspace: Workspace, instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    definitions = build_definitions(workspace)
    job = definitions.resolve_job_def("ingest")
    instance.add_dynamic_partitions("repository", ["one", "two"])

    def tick() -> list[dg.RunRequest]:
        context = dg.build_sensor_context(
            instance=instance, resources={"workspace": workspace}, definitions=definitions
        )
        result = sources_sensor(context)
        assert isinstance(result, dg.SensorResult)
        return [each for each in result.run_requests or [] if each.partition_key == "one"]

    def run(request: dg.RunRequest) -> bool:
        done = job.execute_in_process(
            instance=instance,
            partition_key="one",
            asset_selection=[keys.RAW_FILES],
            tags=dict(request.tags),
            raise_on_error=False,
        )
        return done.success

    assert [run(each) for each in tick()] == [True]
    assert tick() == []
    (tmp_path / "one" / "a.schema.json").unlink()
    assert [run(each) for _ in range(ATTEMPTS) for each in tick()] == [False] * ATTEMPTS
    assert tick() == [], "a head that keeps failing is not tried for ever"
    checked = repository_is_current(dg.build_asset_check_context(instance=instance), workspace)
    assert isinstance(checked, dg.AssetCheckResult)
    assert not checked.passed
    assert "one" in str(checked.metadata["worst_rows"])
    (tmp_path / "one" / "a.schema.json").write_text('{"title": "one", "type": "object"}')
    assert tick() == [], "back as it was, it is the state that was ingested"
