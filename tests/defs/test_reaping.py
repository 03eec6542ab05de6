from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator

import dagster as dg
import pytest

from chunk_pipeline.definitions import defs
from chunk_pipeline.defs.reaping import PROCESS, reap_dead_runs, this_process

STARTED = dg.DagsterRunStatus.STARTED


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def started_run(instance: dg.DagsterInstance, process: str | None) -> str:
    tags = {} if process is None else {PROCESS: process}
    run = instance.create_run_for_job(defs.resolve_job_def("evaluate"), tags=tags, status=STARTED)
    return run.run_id


def process_of_another() -> str:
    """The identity that a process gives itself, once it has ended."""
    code = "from chunk_pipeline.defs.reaping import this_process; print(this_process())"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_run_whose_process_is_gone_fails(instance: dg.DagsterInstance) -> None:
    run = started_run(instance, process_of_another())
    assert reap_dead_runs(instance) == [run]
    record = instance.get_run_by_id(run)
    assert record is not None
    assert record.status == dg.DagsterRunStatus.FAILURE
    assert reap_dead_runs(instance) == []


def test_a_process_that_got_the_id_of_a_dead_one_is_not_taken_for_it(instance: dg.DagsterInstance) -> None:
    host, pid, _ = this_process().rsplit(":", 2)
    run = started_run(instance, f"{host}:{pid}:1")
    assert reap_dead_runs(instance) == [run]


@pytest.mark.parametrize(
    "process",
    [None, "", "nonsense", f"{socket.gethostname()}:not-a-pid:1", "another-host:1:1", "a:b"],
)
def test_runs_of_unknown_processes_and_other_hosts_are_left_alone(
    instance: dg.DagsterInstance, process: str | None
) -> None:
    started_run(instance, process)
    assert reap_dead_runs(instance) == []


def test_a_run_of_a_living_process_is_left_alone(instance: dg.DagsterInstance) -> None:
    started_run(instance, this_process())
    assert reap_dead_runs(instance) == []
