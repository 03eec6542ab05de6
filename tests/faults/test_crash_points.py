"""Rows 1 and 22: a stage that dies at any of its system calls leaves the old state or the new one.

Each stage's calls are counted first; then the stage is begun from the same state again and again, and its
process ends itself (SIGKILL) before each call, in the middle of each write, and after the last call. What is
left must be the old manifests or the new ones, read back, and become the undisturbed result byte for byte
when the stage is run again. The stages after it depend on nothing else, so with that all of it converges.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.tables import TABLES
from tests.end_to_end.project import Project
from tests.faults.crashing import Call, Calls, dying_at
from tests.faults.forking import in_child
from tests.faults.small_project import all_steps, catalog_version, manifests, workspace_of
from tests.faults.states import Stage, linked_copy

pytestmark = pytest.mark.fault

EVERY_POINT = bool(os.environ.get("CHUNK_PIPELINE_SOAK"))
"""Whether every point is tried, or of points alike one."""

OTHER_WAYS = frozenset({"filter", "chunks json_category", "bm25 json_category", "report", "catalog"})
"""Stages with several tables, with pages, and the catalog; the others write one table and its manifest."""

STAGES = [name for name in all_steps() if name != "prune"]
WAYS = [("edit", name) for name in STAGES] + [
    ("first", name) for name in STAGES if EVERY_POINT or name in {"filter", "catalog"}
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"row01-{way[0]}-{way[1].split()[0]}")
def test_a_stage_that_dies_leaves_the_old_state_or_the_new_and_the_next_run_converges(
    way: tuple[str, str],
    stages: dict[tuple[str, str], Stage],
    tmp_path: Path,
    tried: Callable[[str, int], None],
) -> None:
    stage = stages[way]
    ends = stage.before.digests()
    points = _points(stage)
    for call in points:
        project = linked_copy(stage.before, tmp_path / f"{call.number}-{call.moment}")
        _die(project, stage.name, call)
        _is_old_or_new(project, stage)
        all_steps()[stage.name](workspace_of(project))
        assert project.digests() == stage.files, call
        assert catalog_version(project) in stage.catalogs
        shutil.rmtree(project.root)
    assert stage.before.digests() == ends, "a file that others read was written in place"
    tried("crash points", len(points))


def _points(stage: Stage) -> list[Call]:
    if EVERY_POINT:
        return stage.points()
    points = stage.telling_points()
    if stage.name in OTHER_WAYS:
        return points
    # The manifest half written, not yet named, and named: the rest is like that of any table.
    commit = next(call.number for call in stage.calls if call.kind == "link")
    return [call for call in points if commit - 2 <= call.number <= commit + 1]


def _die(project: Project, name: str, call: Call) -> None:
    def work() -> None:
        with Calls(project.root / "warehouse", dying_at(call.number, call.moment)):
            all_steps()[name](workspace_of(project))

    assert in_child(work) == -signal.SIGKILL, (name, call)


def _is_old_or_new(project: Project, stage: Stage) -> None:
    """One state or the other, over all tables of the stage together, and readable."""
    assert manifests(project) in (stage.old, stage.new)
    changed = {
        key.split()[0] for key in {**stage.old, **stage.new} if stage.old.get(key) != stage.new.get(key)
    }
    for table in TABLES:
        if table.name in changed:
            assert project.read(table).schema.names == table.schema.names
    assert catalog_version(project) in stage.catalogs
    ends = (stage.before.digests(), stage.files)
    for place, digest in project.digests().items():
        if place.endswith((".html", ".md")):
            assert digest in [end.get(place) for end in ends], place
