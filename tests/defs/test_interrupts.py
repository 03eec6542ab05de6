"""An interrupt ends the whole run, whenever in a job it comes; a source that may answer is asked again."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.assembly import build_definitions
from chunk_pipeline.defs.corpus import assets
from chunk_pipeline.defs.interrupts import noticing_interrupts
from chunk_pipeline.defs.jobs import INGEST
from chunk_pipeline.defs.launch import run_sources
from chunk_pipeline.defs.partitions import bring_into_step
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import FILES, RAW_FILES
from tests.defs.two_folders import two_folders

pytestmark = pytest.mark.fault

NO_SERVER = "https://127.0.0.1:1/app.git"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two folders; ``away``, a folder that is not there; ``app``, a repository whose server is not there."""
    away = "- {name: away, kind: folder, path: away}"
    return two_folders(tmp_path, away, f"- {{name: app, kind: git, url: '{NO_SERVER}'}}")


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_noticed_whatever_its_handler_does(number: signal.Signals) -> None:
    handler = signal.signal(number, lambda *_: None)
    try:
        with noticing_interrupts() as interrupted:
            os.kill(os.getpid(), number)
            assert interrupted()
    finally:
        signal.signal(number, handler)


def test_without_one_nothing_is_noticed_and_nothing_is_left_behind() -> None:
    handler = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with noticing_interrupts() as interrupted:
            os.kill(os.getpid(), signal.SIGUSR1)
            assert not interrupted()
    finally:
        signal.signal(signal.SIGUSR1, handler)
    assert signal.set_wakeup_fd(-1) == -1


def test_a_thread_that_gets_no_signals_may_ask_as_well() -> None:
    answers = []

    def ask() -> None:
        with noticing_interrupts() as interrupted:
            answers.append(interrupted())

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert answers == [False]


@pytest.mark.parametrize(
    "moment",
    [
        dg.DagsterEventType.RUN_START,
        dg.DagsterEventType.STEP_START,
        dg.DagsterEventType.ASSET_MATERIALIZATION,
        dg.DagsterEventType.STEP_SUCCESS,
        dg.DagsterEventType.RUN_SUCCESS,
    ],
    ids=lambda moment: moment.value,
)
def test_an_interrupt_at_any_moment_of_a_job_ends_the_run(
    moment: dg.DagsterEventType,
    workspace: Workspace,
    instance: dg.DagsterInstance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Most of these moments lie between steps, where Dagster holds the signal back."""
    seen: Counter[dg.DagsterEventType] = Counter()
    handle = instance.handle_new_event

    def handled(entry: dg.EventLogEntry, **options: Any) -> None:
        handle(entry, **options)
        if entry.dagster_event is not None:
            kind = entry.dagster_event.event_type
            seen[kind] += 1
            if kind == moment and seen[kind] == 1:
                interrupt()

    monkeypatch.setattr(instance, "handle_new_event", handled)
    with pytest.raises(KeyboardInterrupt):
        run_sources(workspace, instance, ["one", "two"], select="group:corpus")
    assert seen[dg.DagsterEventType.RUN_START] == 1, "the second source was not begun"
    if moment is not dg.DagsterEventType.RUN_SUCCESS:
        assert seen[dg.DagsterEventType.STEP_SUCCESS] <= 1, "no step was begun after the interrupt"
    monkeypatch.undo()
    results = run_sources(workspace, instance, ["one", "two"], select="group:corpus")
    assert all(each.succeeded for each in results)
    assert set(workspace.warehouse.read(FILES)["repository"].to_pylist()) == {"one", "two"}


def test_an_interrupted_scan_is_not_tried_again(
    workspace: Workspace, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def interrupted_scan(workspace: Workspace, name: str) -> None:
        asked.append(name)
        interrupt()

    monkeypatch.setattr(assets, "scan_source", interrupted_scan)
    with pytest.raises(KeyboardInterrupt):
        run_sources(workspace, instance, ["one", "two"], select="group:corpus")
    assert asked == ["one"]
    assert workspace.warehouse.partitions(RAW_FILES) == []


def ingest(workspace: Workspace, instance: dg.DagsterInstance, name: str) -> dg.ExecuteInProcessResult:
    bring_into_step(instance, workspace.sources)
    job = build_definitions(workspace).resolve_job_def(INGEST)
    return job.execute_in_process(
        instance=instance, partition_key=name, asset_selection=[keys.RAW_FILES], raise_on_error=False
    )


def test_a_folder_that_is_away_fails_at_once(workspace: Workspace, instance: dg.DagsterInstance) -> None:
    result = ingest(workspace, instance, "away")
    assert not result.success
    assert not any(event.is_step_up_for_retry for event in result.all_events)


def test_a_server_that_does_not_answer_is_asked_again_after_longer_and_longer_waits(
    workspace: Workspace, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = assets.FIRST_WAIT / 1024
    monkeypatch.setattr(assets, "FIRST_WAIT", first)
    result = ingest(workspace, instance, "app")
    assert not result.success
    waits = [
        event.step_retry_data.seconds_to_wait for event in result.all_events if event.is_step_up_for_retry
    ]
    assert waits == [first, 2 * first, 4 * first]
