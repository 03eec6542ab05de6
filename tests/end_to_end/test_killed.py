"""A run killed at any commit leaves tables that the next run makes equal to those of an undisturbed run.

The kills are placed by what a run has done, not by the clock: the process ends itself, as a crash does, right
before or right after it gives a manifest its number. What ends at every other point is in tests/faults.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.tables import TABLES
from tests.end_to_end.project import Project, make_short_project
from tests.faults import crashing

POINTS = ("2:after", "4:before", "6:after", "4:before")
"""Commits of the run, counted from its start, at which one after the other ends: 2 + 3 + 6 + 3 of 18 stay."""


@pytest.mark.slow
@pytest.mark.fault
def test_killed_runs_converge_to_the_tables_of_an_undisturbed_run(tmp_path: Path) -> None:
    undisturbed = make_short_project(tmp_path / "undisturbed", "atlas-docs")
    undisturbed.run()
    killed = make_short_project(tmp_path / "killed", "atlas-docs")
    for point in POINTS:
        _run_and_die(killed, point)
        _every_table_reads_back(killed)
    killed.run()
    assert killed.digests() == undisturbed.digests()


def _run_and_die(project: Project, point: str) -> None:
    """Run the command line in a process that ends itself at a commit."""
    died = subprocess.run(
        [sys.executable, crashing.__file__, str(project.root / "warehouse"), point, "run"],
        cwd=project.root,
        env=project.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, f"{point}: {died.stdout}\n{died.stderr}"


def _every_table_reads_back(project: Project) -> None:
    for table in TABLES:
        assert project.read(table).schema.names == table.schema.names
