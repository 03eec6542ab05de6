"""Two sample repositories brought through every stage once; each test has a copy of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from stages_project import cheap_encoder, ingest, roll_up

from chunk_pipeline.stages.workspace import Workspace
from tests.end_to_end.project import Project, make_project

SOURCES = ("atlas-docs", "harbour")


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("stages") / "project", *SOURCES)
    workspace = Workspace(project.settings, make_encoder=cheap_encoder)
    for name in SOURCES:
        ingest(workspace, name)
    roll_up(workspace)
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    """A finished project to do anything with."""
    shutil.copytree(finished.root, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture
def workspace(project: Project) -> Workspace:
    return Workspace(project.settings, make_encoder=cheap_encoder)


@pytest.fixture
def untouched(finished: Project) -> Workspace:
    """The finished project itself, to be read only."""
    return Workspace(finished.settings, make_encoder=cheap_encoder)
