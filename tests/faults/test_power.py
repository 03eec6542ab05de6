"""Row 1, without power: what was not synced when a stage is cut off is gone, and still nothing is a mix."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.manifest import DamagedTableError
from tests.end_to_end.project import Project
from tests.faults.crashing import Call, Calls
from tests.faults.forking import in_child
from tests.faults.power import Power
from tests.faults.small_project import (
    all_steps,
    catalog_version,
    every_table_reads_back,
    manifests,
    workspace_of,
)
from tests.faults.states import Stage, linked_copy

pytestmark = [pytest.mark.fault, pytest.mark.slow]

EVERY_POINT = bool(os.environ.get("CHUNK_PIPELINE_SOAK"))
WAYS = [
    ("edit", "filter"),
    ("edit", "report"),
    ("first", "filter"),
    ("first", "catalog"),
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"row01-power-{way[0]}-{way[1]}")
def test_a_power_cut_leaves_the_old_state_or_the_new_and_the_next_run_converges(
    way: tuple[str, str],
    stages: dict[tuple[str, str], Stage],
    tmp_path: Path,
    tried: Callable[[str, int], None],
) -> None:
    stage = stages[way]
    points = stage.points() if EVERY_POINT else stage.telling_points()
    for call in points:
        project = linked_copy(stage.before, tmp_path / f"{call.number}-{call.moment}")
        _cut(project, stage.name, call, tmp_path / "aside")
        assert manifests(project) in (stage.old, stage.new), call
        every_table_reads_back(project)
        assert catalog_version(project) in stage.catalogs
        all_steps()[stage.name](workspace_of(project))
        assert project.digests() == stage.files, call
        shutil.rmtree(project.root)
        shutil.rmtree(tmp_path / "aside")
    tried("power cuts", len(points))


def _cut(project: Project, name: str, call: Call, aside: Path) -> None:
    def work() -> None:
        with Calls(project.root / "warehouse", Power(aside, call.number, call.moment)):
            all_steps()[name](workspace_of(project))

    assert in_child(work) == -signal.SIGKILL, (name, call)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"row01-power-{way[0]}-{way[1]}")
def test_what_a_stage_gave_back_is_there_after_a_power_cut(
    way: tuple[str, str], stages: dict[tuple[str, str], Stage], tmp_path: Path
) -> None:
    stage = stages[way]
    project = linked_copy(stage.before, tmp_path / "project")
    _cut(project, stage.name, stage.calls[-1], tmp_path / "aside")
    assert project.digests() == stage.files
    every_table_reads_back(project)


def test_row01_power_who_does_not_sync_data_is_caught(
    stages: dict[tuple[str, str], Stage], tmp_path: Path
) -> None:
    """The trial can fail: with only manifests synced, they name files that are not there."""
    stage = stages["edit", "filter"]
    project = linked_copy(stage.before, tmp_path / "project")

    def work() -> None:
        power = Power(tmp_path / "aside", stage.calls[-1].number, "after")

        def forgetful(call: Call) -> None:
            if call.kind != "fsync" or "manifests" in call.path:
                power(call)

        with Calls(project.root / "warehouse", forgetful):
            all_steps()["filter"](workspace_of(project))

    assert in_child(work) == -signal.SIGKILL
    with pytest.raises(DamagedTableError):
        every_table_reads_back(project)
