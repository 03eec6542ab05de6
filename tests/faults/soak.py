"""Row 19: edit after edit, each with a run that dies somewhere; then equality with a build from scratch.

The runs that die are not repeated: the next edit and the next run find whatever is left. Now and then a run
is let through, and its tables are compared, byte for byte, with those of a project built from nothing.

``python -m tests.faults.soak 200`` tries so many kills; a second number is the seed.
"""

from __future__ import annotations

import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.end_to_end.project import Project
from tests.faults.crashing import Calls, Moment, dying_from
from tests.faults.edits import random_edit
from tests.faults.forking import in_child
from tests.faults.small_project import (
    all_steps,
    cheap_figures,
    every_table_reads_back,
    from_scratch,
    run_all,
    small_project,
    workspace_of,
)

COMPARED_EVERY = 20
"""Kills between two comparisons with a build from scratch."""

FURTHEST = (60, 120, 220)
"""Up to which call a run may be told to die, one of these; runs that have less to do get through."""

MOMENTS: tuple[Moment, ...] = ("before", "within", "after")


@dataclass(frozen=True)
class Soaked:
    """What was tried.

    Attributes:
        kills: Runs that died.
        through: Runs that got through before the call at which they were to die.
        comparisons: Builds from scratch that were equal.
    """

    kills: int
    through: int
    comparisons: int


def soak(root: Path, kills: int, seed: int, told: Callable[[str], None] = lambda line: None) -> Soaked:
    """Edit and kill.

    Args:
        root: An empty folder.
        kills: Runs that must die.
        seed: Of everything that is drawn.
        told: Told what was done.

    Raises:
        AssertionError: What was left is neither whole nor becomes what a build from scratch gives.
    """
    chance = random.Random(seed)
    project = small_project(root / "project")
    run_all(project)
    died = through = comparisons = 0
    while died < kills:
        edit = random_edit(project, chance)
        number, moment = chance.randint(1, chance.choice(FURTHEST)), chance.choice(MOMENTS)
        status = in_child(partial(_run, project, number, moment))
        told(f"{died:4} {edit}; call {number} {moment}: {status}")
        assert status in (0, -signal.SIGKILL), f"seed {seed}: {edit}, call {number} {moment}"
        through += status == 0
        died += status != 0
        every_table_reads_back(project)
        if status and (died % COMPARED_EVERY == 0 or died == kills):
            _compare(project, root / "scratch")
            comparisons += 1
    return Soaked(died, through, comparisons)


def _run(project: Project, number: int, moment: Moment) -> None:
    with Calls(project.root / "warehouse", dying_from(number, moment)):
        for step in all_steps().values():
            step(workspace_of(project))


def _compare(project: Project, scratch: Path) -> None:
    """Let a run through; what it leaves must be what a build from scratch gives."""
    run_all(project)
    assert project.digests() == from_scratch(project, scratch).digests()
    shutil.rmtree(scratch)


def main() -> None:
    """Soak as long as the command line says."""
    kills, seed = (*map(int, sys.argv[1:]), *(200, 5)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder, cheap_figures():
        print(soak(Path(folder), kills, seed, print))


if __name__ == "__main__":
    main()
