"""Two sample repositories, and the heritage sample, brought through every stage once each."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from stages_project import cheap_encoder, ingest, roll_up

from chunk_pipeline.stages.workspace import Workspace
from tests.end_to_end.project import Project, make_heritage_project, make_project
from tests.faults.small_project import cheap_figures

SOURCES = ("atlas-docs", "harbour")


@pytest.fixture(scope="module", autouse=True)
def _cheap_figures() -> Iterator[None]:
    """What plots show and how narrow intervals are is tried in tests/evaluation, and only there."""
    with cheap_figures():
        yield


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("stages") / "project", *SOURCES)
    workspace = Workspace(project.settings, make_encoder=cheap_encoder)
    with cheap_figures():
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


@pytest.fixture(scope="session")
def connections() -> list[object]:
    """Where the heritage run tried to connect to; it may not connect to anything."""
    return []


@pytest.fixture(scope="session")
def whole_heritage(tmp_path_factory: pytest.TempPathFactory, connections: list[object]) -> Project:
    """The heritage sample under a strategy for each category, made without a network; to be read only."""

    def refuse(*arguments: object, **named: object) -> None:
        connections.append(arguments[1:] or arguments)
        raise OSError("there is no network here")

    project = make_heritage_project(tmp_path_factory.mktemp("whole_heritage") / "project")
    workspace = Workspace(project.settings, make_encoder=cheap_encoder)
    with cheap_figures(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        ingest(workspace, "heritage")
        roll_up(workspace)
    return project


@pytest.fixture
def heritage_project(whole_heritage: Project, tmp_path: Path) -> Project:
    """The finished heritage project to do anything with."""
    shutil.copytree(whole_heritage.root, tmp_path / "heritage", symlinks=True)
    return Project(tmp_path / "heritage")


@pytest.fixture
def heritage_workspace(heritage_project: Project) -> Workspace:
    return Workspace(heritage_project.settings, make_encoder=cheap_encoder)
