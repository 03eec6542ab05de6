"""A run killed at any moment leaves tables that the next run makes equal to those of an undisturbed run."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.end_to_end.project import Project, make_project

KILLS = 10


@pytest.mark.slow
def test_killed_runs_converge_to_the_tables_of_an_undisturbed_run(tmp_path: Path) -> None:
    undisturbed = make_project(tmp_path / "undisturbed", "atlas-docs")
    started = time.monotonic()
    undisturbed.cli("run")
    duration = time.monotonic() - started
    killed = make_project(tmp_path / "killed", "atlas-docs")
    moments = random.Random(20261130)
    kills = 0
    for _ in range(KILLS):
        kills += _run_and_kill(killed, moments.uniform(0.05, 1.0) * duration)
        _every_table_is_whole(killed)
    assert kills > 0  # how many are still going when the time has come is the machine's affair
    killed.cli("run")
    assert killed.digests() == undisturbed.digests()
    killed.cli("run")
    assert not list((killed.root / "warehouse").rglob(".writing-*"))


def _run_and_kill(project: Project, seconds: float) -> bool:
    """Start a run, kill it after so many seconds; returns whether it was still going."""
    process = project.popen("run")
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return process.returncode == -signal.SIGKILL


def _every_table_is_whole(project: Project) -> None:
    for path in sorted((project.root / "warehouse").rglob("part.parquet")):
        pq.ParquetFile(path).read()
