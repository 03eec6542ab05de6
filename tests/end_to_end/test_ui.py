"""The web page as a newcomer meets it: it loads, runs start by themselves and by hand, checks have spoken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.defs.assembly import build_definitions
from chunk_pipeline.stages.workspace import Workspace
from tests.end_to_end.project import Project, make_short_project
from tests.end_to_end.web_ui import WebUi, processes_of, web_ui

LOCATION = {"repositoryLocationName": "chunk_pipeline", "repositoryName": "__repository__"}

LOADED = """{ workspaceOrError { ... on Workspace { locationEntries {
  name loadStatus locationOrLoadError { __typename
    ... on PythonError { message }
    ... on RepositoryLocation { repositories { name assetNodes { id } sensors { name } } } } } } } }"""

STOP_SENSOR = """mutation ($id: String!) { stopSensor(id: $id) { __typename
  ... on StopSensorMutationResult { instigationState { status } } } }"""

SENSOR = """query ($selector: SensorSelector!) { sensorOrError(sensorSelector: $selector) {
  ... on Sensor { sensorState { id ticks(limit: 1) { id } } } } }"""

LAUNCH = """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) { __typename
  ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""

RUNS = """{ runsOrError { ... on Runs { results {
  runId jobName status tags { key value } } } } }"""

CHECKS = """query ($key: AssetKeyInput!) { assetNodeOrError(assetKey: $key) { ... on AssetNode {
  assetChecksOrError { ... on AssetChecks { checks { name executionForLatestMaterialization {
    status evaluation { success description metadataEntries { label } } } } } } } } }"""


def runs(ui: WebUi) -> list[dict[str, Any]]:
    return list(ui.ask(RUNS)["runsOrError"]["results"])


def finished(ui: WebUi, run_id: str) -> str | None:
    """How a run ended, or ``None`` while it goes on."""
    (status,) = (run["status"] for run in runs(ui) if run["runId"] == run_id)
    return str(status) if status in ("SUCCESS", "FAILURE", "CANCELED") else None


def switch_off(ui: WebUi, sensor: str) -> None:
    """Turn its switch once it has ticked: before, the daemon and the page both write its first state."""

    def ticked() -> dict[str, Any] | None:
        found = ui.ask(SENSOR, selector={**LOCATION, "sensorName": sensor})["sensorOrError"]["sensorState"]
        return dict(found) if found["ticks"] else None

    state = ui.wait(ticked, seconds=60)
    stopped = ui.ask(STOP_SENSOR, id=state["id"])["stopSensor"]
    assert stopped["instigationState"]["status"] == "STOPPED"


def launch(ui: WebUi, partition: str) -> str:
    params = {
        "selector": {**LOCATION, "pipelineName": "ingest"},
        "executionMetadata": {"tags": [{"key": "dagster/partition", "value": partition}]},
        "mode": "default",
        "runConfigData": "{}",
    }
    launched = ui.ask(LAUNCH, params=params)["launchRun"]
    assert launched["__typename"] == "LaunchRunSuccess", launched
    return str(launched["run"]["runId"])


def check_evaluations(ui: WebUi, asset: str) -> dict[str, dict[str, Any]]:
    node = ui.ask(CHECKS, key={"path": [asset]})["assetNodeOrError"]
    return {
        check["name"]: check["executionForLatestMaterialization"]["evaluation"]
        for check in node["assetChecksOrError"]["checks"]
    }


def assert_loaded(ui: WebUi, project: Project) -> None:
    (entry,) = ui.ask(LOADED)["workspaceOrError"]["locationEntries"]
    assert (entry["name"], entry["loadStatus"]) == ("chunk_pipeline", "LOADED")
    assert entry["locationOrLoadError"]["__typename"] == "RepositoryLocation", entry
    (repository,) = entry["locationOrLoadError"]["repositories"]
    definitions = build_definitions(Workspace(project.settings))
    declared = definitions.get_repository_def().asset_graph.get_all_asset_keys()
    assert len(repository["assetNodes"]) == len(declared)
    assert {each["name"] for each in repository["sensors"]} == {"rollup_sensor", "sources_sensor"}


@pytest.mark.slow
def test_a_source_is_ingested_by_itself_and_again_by_hand(tmp_path: Path) -> None:
    project = make_short_project(tmp_path, "atlas-docs")
    project.cli("sources", "sync")
    with web_ui(project) as ui:
        ui.wait(lambda: ui.get("/server_info"), seconds=60)
        assert_loaded(ui, project)
        (first,) = ui.wait(lambda: runs(ui) or None, seconds=60)
        switch_off(ui, "rollup_sensor")
        assert ui.wait(lambda: finished(ui, first["runId"]), seconds=90) == "SUCCESS"
        assert {"key": "dagster/sensor_name", "value": "sources_sensor"} in first["tags"]
        assert [run["runId"] for run in runs(ui)] == [first["runId"]], "it was started once"
        run = launch(ui, "atlas-docs")
        assert ui.wait(lambda: finished(ui, run), seconds=60) == "SUCCESS"
        evaluations = check_evaluations(ui, "chunks_json_category")
        assert set(evaluations) >= {"cover_complete", "spans_exact", "parse_integrity", "no_chunk_oversized"}
        # The strategy promises no limit, so of that the check only warns.
        failed = [name for name, each in evaluations.items() if not each["success"]]
        assert failed == ["within_limit"]
        assert evaluations["cover_complete"]["description"].startswith("Holds (share covered: 1")
        labels = {entry["label"] for entry in evaluations["no_chunk_oversized"]["metadataEntries"]}
        assert labels == {"share_oversized", "chunks"}
    assert processes_of(project) == {}
    assert "Traceback" not in ui.log.read_text()
