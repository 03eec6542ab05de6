from __future__ import annotations

import subprocess
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.execution.backfill import BulkActionStatus, PartitionBackfill

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.definitions import defs
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.rollups import INPUTS_UP_TO, newest_input
from chunk_pipeline.defs.sensors import ATTEMPTS, HEAD, rollup_sensor, sources_sensor
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.json").write_text("{}")
    write_sources(tmp_path, "one", "two")
    settings = Settings(
        warehouse=str(tmp_path / "w"), sources=tmp_path / "sources.yaml", cache=tmp_path / "c"
    )
    return Workspace(settings)


def write_sources(root: Path, *names: str) -> None:
    lines = [f"  - {{name: {name}, kind: folder, path: {name}}}" for name in names]
    (root / "sources.yaml").write_text("\n".join(["sources:", *lines]) + "\n")


def tick(
    instance: dg.DagsterInstance, workspace: Workspace, cursor: str | None = None
) -> dg.SensorResult | dg.SkipReason:
    context = dg.build_sensor_context(
        instance=instance, resources={"workspace": workspace}, cursor=cursor, definitions=defs
    )
    result = sources_sensor(context)
    assert isinstance(result, (dg.SensorResult, dg.SkipReason))
    return result


def ingested(instance: dg.DagsterInstance, name: str, head: str) -> None:
    event = dg.AssetMaterialization(
        keys.RAW_FILES, partition=partition_key(name), metadata={keys.SNAPSHOT: head}
    )
    instance.report_runless_asset_event(event)


def heads(result: dg.SensorResult | dg.SkipReason) -> dict[str, str]:
    assert isinstance(result, dg.SensorResult)
    return {str(each.partition_key): each.tags[HEAD] for each in result.run_requests or []}


def test_a_new_source_gets_a_partition_and_a_run(instance: dg.DagsterInstance, workspace: Workspace) -> None:
    result = tick(instance, workspace)
    assert isinstance(result, dg.SensorResult)
    (added,) = result.dynamic_partitions_requests or []
    assert sorted(added.partition_keys) == ["one", "two"]
    assert sorted(heads(result)) == ["one", "two"]


def test_only_a_source_whose_head_changed_gets_a_run(
    instance: dg.DagsterInstance, workspace: Workspace, tmp_path: Path
) -> None:
    instance.add_dynamic_partitions("repository", ["one", "two"])
    for name, head in heads(tick(instance, workspace)).items():
        ingested(instance, name, head)
    assert heads(tick(instance, workspace)) == {}
    (tmp_path / "two" / "a.json").write_text('{"changed": true}')
    assert list(heads(tick(instance, workspace))) == ["two"]


def test_going_back_to_an_old_head_is_a_change_too(
    instance: dg.DagsterInstance, workspace: Workspace, tmp_path: Path
) -> None:
    instance.add_dynamic_partitions("repository", ["one", "two"])
    first = heads(tick(instance, workspace))
    for name, head in first.items():
        ingested(instance, name, head)
    ingested(instance, "one", "another head")
    assert heads(tick(instance, workspace)) == {"one": first["one"]}


def test_a_removed_source_loses_its_partition_and_the_roll_ups_run(
    instance: dg.DagsterInstance, workspace: Workspace, tmp_path: Path
) -> None:
    instance.add_dynamic_partitions("repository", ["one", "two"])
    for name, head in heads(tick(instance, workspace)).items():
        ingested(instance, name, head)
    write_sources(tmp_path, "one")
    result = tick(instance, workspace)
    assert isinstance(result, dg.SensorResult)
    (deleted,) = result.dynamic_partitions_requests or []
    assert deleted.partition_keys == ["two"]
    assert [each.job_name for each in result.run_requests or []] == ["evaluate"]


def test_a_head_that_keeps_failing_is_tried_a_few_times_only(
    instance: dg.DagsterInstance, workspace: Workspace
) -> None:
    instance.add_dynamic_partitions("repository", ["one", "two"])
    head = heads(tick(instance, workspace))["one"]
    for _ in range(ATTEMPTS):
        assert "one" in heads(tick(instance, workspace))
        run_of(instance, "ingest", dg.DagsterRunStatus.FAILURE, {keys.PARTITION_TAG: "one", HEAD: head})
    assert list(heads(tick(instance, workspace))) == ["two"]


def test_a_source_that_is_being_ingested_is_left_alone(
    instance: dg.DagsterInstance, workspace: Workspace
) -> None:
    instance.add_dynamic_partitions("repository", ["one", "two"])
    run_of(instance, "ingest", dg.DagsterRunStatus.STARTED, {keys.PARTITION_TAG: "one"})
    assert list(heads(tick(instance, workspace))) == ["two"]


def test_an_unreachable_source_is_not_taken_as_empty(
    instance: dg.DagsterInstance, workspace: Workspace, tmp_path: Path
) -> None:
    instance.add_dynamic_partitions("repository", ["one", "two"])
    (tmp_path / "one").rename(tmp_path / "moved")
    result = tick(instance, workspace)
    assert list(heads(result)) == ["two"]
    assert isinstance(result, dg.SensorResult)
    assert not result.dynamic_partitions_requests


def test_a_broken_sources_file_changes_nothing(
    instance: dg.DagsterInstance, workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "sources.yaml").write_text("sources: [{name: one}]\n")
    result = tick(instance, workspace)
    assert isinstance(result, dg.SkipReason)
    assert "sources.yaml:1" in str(result.skip_message)


def test_a_new_commit_of_a_git_source_is_ingested(
    instance: dg.DagsterInstance, workspace: Workspace, tmp_path: Path
) -> None:
    repository = tmp_path / "git"
    commit(repository, "{}")
    (tmp_path / "sources.yaml").write_text("sources:\n  - {name: git, kind: git, url: ./git}\n")
    instance.add_dynamic_partitions("repository", ["git"])
    first = heads(tick(instance, workspace))["git"]
    ingested(instance, "git", first)
    assert heads(tick(instance, workspace)) == {}
    commit(repository, "[]")
    assert heads(tick(instance, workspace))["git"] != first


def commit(repository: Path, text: str) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    if not repository.exists():
        repository.mkdir()
        subprocess.run([*git, "init", "-q"], cwd=repository, check=True)
    (repository / "a.json").write_text(text)
    subprocess.run([*git, "add", "."], cwd=repository, check=True)
    subprocess.run([*git, "commit", "-q", "-m", text], cwd=repository, check=True)


def run_of(instance: dg.DagsterInstance, job: str, status: dg.DagsterRunStatus, tags: dict[str, str]) -> None:
    instance.create_run_for_job(defs.resolve_job_def(job), tags=tags, status=status)


def rollup(instance: dg.DagsterInstance) -> dg.RunRequest | dg.SkipReason:
    result = rollup_sensor(dg.build_sensor_context(instance=instance, definitions=defs))
    assert isinstance(result, (dg.RunRequest, dg.SkipReason))
    return result


def labelled(instance: dg.DagsterInstance) -> None:
    instance.report_runless_asset_event(dg.AssetMaterialization(keys.LABELLED_FILES, partition="one"))


def rolled_up(instance: dg.DagsterInstance, up_to: int) -> None:
    event = dg.AssetMaterialization(keys.CATALOG, metadata={INPUTS_UP_TO: up_to})
    instance.report_runless_asset_event(event)


def test_roll_ups_run_once_for_new_inputs(instance: dg.DagsterInstance) -> None:
    assert isinstance(rollup(instance), dg.SkipReason)
    labelled(instance)
    assert isinstance(rollup(instance), dg.RunRequest)
    rolled_up(instance, newest_input(instance))
    assert isinstance(rollup(instance), dg.SkipReason)


def test_an_input_that_arrived_during_a_roll_up_is_not_lost(instance: dg.DagsterInstance) -> None:
    labelled(instance)
    seen = newest_input(instance)
    labelled(instance)
    rolled_up(instance, seen)
    assert isinstance(rollup(instance), dg.RunRequest)


def test_roll_ups_wait_for_runs_that_are_going_on(instance: dg.DagsterInstance) -> None:
    labelled(instance)
    run_of(instance, "ingest", dg.DagsterRunStatus.STARTED, {keys.PARTITION_TAG: "one"})
    assert isinstance(rollup(instance), dg.SkipReason)


def test_roll_ups_that_keep_failing_stop(instance: dg.DagsterInstance) -> None:
    labelled(instance)
    for _ in range(ATTEMPTS):
        request = rollup(instance)
        assert isinstance(request, dg.RunRequest)
        run_of(instance, "evaluate", dg.DagsterRunStatus.FAILURE, dict(request.tags))
    assert isinstance(rollup(instance), dg.SkipReason)


def test_roll_ups_wait_for_assets_that_a_person_chose(instance: dg.DagsterInstance) -> None:
    labelled(instance)
    chosen = defs.resolve_implicit_global_asset_job_def()
    run = instance.create_run_for_job(
        chosen, tags={keys.PARTITION_TAG: "one"}, status=dg.DagsterRunStatus.STARTED
    )
    assert isinstance(rollup(instance), dg.SkipReason)
    instance.report_run_failed(run)
    assert isinstance(rollup(instance), dg.RunRequest)


def test_roll_ups_wait_for_a_backfill_which_may_run_them_itself(instance: dg.DagsterInstance) -> None:
    labelled(instance)
    backfill = PartitionBackfill(
        "all", BulkActionStatus.REQUESTED, from_failure=False, tags={}, backfill_timestamp=0.0
    )
    instance.add_backfill(backfill)
    assert isinstance(rollup(instance), dg.SkipReason)
    instance.update_backfill(backfill.with_status(BulkActionStatus.COMPLETED_SUCCESS))
    assert isinstance(rollup(instance), dg.RunRequest)


def test_a_source_that_a_person_is_materialising_gets_no_second_run(
    instance: dg.DagsterInstance, workspace: Workspace
) -> None:
    chosen = defs.resolve_implicit_global_asset_job_def()
    instance.create_run_for_job(chosen, tags={keys.PARTITION_TAG: "one"}, status=dg.DagsterRunStatus.STARTED)
    assert list(heads(tick(instance, workspace))) == ["two"]
