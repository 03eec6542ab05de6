"""Fixtures for commands that are run in this process."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from command_line import Command, Told

from chunk_pipeline.cli import main
from tests.end_to_end.project import Project


@pytest.fixture
def run_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """``run_in(project, "search", …)`` is the command line, in this process."""

    def command(project: Project, *arguments: str) -> Told:
        for name in [each for each in os.environ if each.startswith("CHUNK_PIPELINE_")]:
            monkeypatch.delenv(name)
        for name, value in project.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(project.root)
        monkeypatch.setattr(sys, "argv", ["chunk-pipeline", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        output, errors = capsys.readouterr()
        assert "Traceback" not in errors
        return Told(int(ended.value.code or 0), output, errors)

    return command


@pytest.fixture
def own_project(built_project: Project, tmp_path: Path) -> Project:
    """A copy to change."""
    shutil.copytree(built_project.root, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")
