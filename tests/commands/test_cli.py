from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.project import Project, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project", "atlas-docs")


def refused(project: Project, *arguments: str, code: int = 2) -> str:
    """Run a command that must fail; returns what it said on standard error."""
    process = project.popen(*arguments)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    return errors


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("run", "--help"),
        ("evaluate", "--help"),
        ("search", "--help"),
        ("report", "--help"),
        ("export", "--help"),
        ("doctor", "--help"),
        ("sources", "--help"),
        ("sources", "add", "--help"),
    ],
    ids=" ".join,
)
def test_every_command_explains_itself(project: Project, arguments: tuple[str, ...]) -> None:
    assert "Usage:" in project.cli(*arguments)


def test_sources_are_listed_checked_and_added(project: Project) -> None:
    assert "atlas-docs" in project.cli("sources", "list")
    assert "1 sources, no error" in project.cli("sources", "check")
    project.cli("sources", "add", "mine", str(project.file("atlas-docs", "docs")), "--kind", "folder")
    assert "2 sources, no error" in project.cli("sources", "check")


def test_a_local_repository_is_added_from_where_the_person_is(project: Project) -> None:
    subprocess.run(["git", "init", "-q", "mine"], cwd=project.root, check=True)
    project.cli("sources", "add", "mine", "mine", "--depth", "1")
    written = project.sources.read_text()
    assert f"url: {project.root / 'mine'}" in written
    assert "depth: 1" in written


def test_credentials_in_a_url_are_not_listed(project: Project) -> None:
    project.cli("sources", "add", "private", "https://user:secret@example.org/x.git")
    listed = project.cli("sources", "list")
    assert "https://example.org/x.git" in listed
    assert "secret" not in listed


def test_a_wrong_sources_file_is_refused_with_its_line(project: Project) -> None:
    text = project.sources.read_text().replace("kind: folder", "kind: zip")
    project.sources.write_text(text)
    line = text.splitlines().index("    kind: zip") + 1
    assert f"sources.yaml:{line}" in refused(project, "run")


def test_a_missing_sources_file_is_refused(project: Project) -> None:
    assert "nowhere.yaml" in refused(project, "run", "--sources", "nowhere.yaml")


def test_an_unknown_repository_is_refused_with_those_there_are(project: Project) -> None:
    assert "atlas-docs" in refused(project, "run", "--repository", "other")


def test_a_wrong_selection_is_refused(project: Project) -> None:
    assert "--select" in refused(project, "run", "--select", "no_such_asset")


def test_a_report_that_is_not_there_says_what_to_run(project: Project) -> None:
    assert "chunk-pipeline run" in refused(project, "report")


def test_an_unreachable_source_fails_and_keeps_the_others(project: Project) -> None:
    project.cli("sources", "add", "gone", str(project.root / "nowhere"), "--kind", "folder")
    process = project.popen("run", "--select", "group:corpus")
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    assert "nowhere" in errors
    done = next(line for line in output.splitlines() if "atlas-docs" in line)
    assert "done" in done


def test_a_run_of_nothing_but_an_unreachable_source_says_so_and_ends(project: Project) -> None:
    project.cli("sources", "add", "gone", str(project.root / "nowhere"), "--kind", "folder")
    errors = refused(project, "run", "--repository", "gone", code=1)
    assert "nowhere" in errors


def test_the_ui_s_partitions_follow_the_sources_file(project: Project) -> None:
    assert "added partition atlas-docs" in project.cli("sources", "sync")
    assert "in step" in project.cli("sources", "sync")


def test_an_interrupted_run_says_so_and_the_next_one_goes_on(project: Project) -> None:
    process = project.popen("run", "--select", "group:corpus or group:chunks")
    assert process.stderr is not None
    # The name of the source is told when its run begins.
    assert "atlas-docs" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "interrupted" in errors
    assert "Traceback" not in errors
    project.cli("run", "--select", "group:corpus or group:chunks")
