"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.end_to_end.project import Project, make_project

pytest_plugins = ["tests.trials"]


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder that holds ``corpora/`` and ``fixtures/``; tests on real inputs are skipped without it."""
    folder = os.environ.get("CHUNK_PIPELINE_CORPORA")
    if not folder:
        pytest.skip("set CHUNK_PIPELINE_CORPORA to the folder with the real corpora to run this")
    return Path(folder).resolve()


@pytest.fixture(scope="session")
def built_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One sample repository, ingested and evaluated with the real model. Read only: copy it to change it."""
    project = make_project(tmp_path_factory.mktemp("built") / "project", "atlas-docs")
    project.run()
    return project
