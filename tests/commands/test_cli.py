"""Commands before anything is ingested: sources, refusals, sources that are away, an interrupt."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Command

from tests.end_to_end.project import TWO_STRATEGIES, Project, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project", "atlas-docs", strategies=TWO_STRATEGIES)


@pytest.fixture
def done(run_in: Command, project: Project) -> Callable[..., str]:
    """``done("sources", "list")`` is what a command prints that must succeed."""

    def command(*arguments: str) -> str:
        told = run_in(project, *arguments)
        assert told.code == 0, told.errors
        return told.output

    return command


@pytest.fixture
def refused(run_in: Command, project: Project) -> Callable[..., str]:
    """The same of a command that must fail: what it says on standard error."""

    def command(*arguments: str, code: int = 2) -> str:
        told = run_in(project, *arguments)
        assert told.code == code, told.errors
        return told.errors

    return command


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
def test_every_command_explains_itself(done: Callable[..., str], arguments: tuple[str, ...]) -> None:
    assert "Usage:" in done(*arguments)


def test_sources_are_listed_checked_and_added(project: Project, done: Callable[..., str]) -> None:
    assert "atlas-docs" in done("sources", "list")
    assert "1 sources, no error" in done("sources", "check")
    done("sources", "add", "mine", str(project.file("atlas-docs", "docs")), "--kind", "folder")
    assert "2 sources, no error" in done("sources", "check")


def test_a_local_repository_is_added_from_where_the_person_is(
    project: Project, done: Callable[..., str]
) -> None:
    subprocess.run(["git", "init", "-q", "mine"], cwd=project.root, check=True)
    done("sources", "add", "mine", "mine", "--depth", "1")
    written = project.sources.read_text()
    assert f"url: {project.root / 'mine'}" in written
    assert "depth: 1" in written


def test_credentials_in_a_url_are_not_listed(done: Callable[..., str]) -> None:
    done("sources", "add", "private", "https://user:secret@example.org/x.git")
    listed = done("sources", "list")
    assert "https://example.org/x.git" in listed
    assert "secret" not in listed


def test_a_wrong_sources_file_is_refused_with_its_line(project: Project, refused: Callable[..., str]) -> None:
    text = project.sources.read_text().replace("kind: folder", "kind: zip")
    project.sources.write_text(text)
    line = text.splitlines().index("    kind: zip") + 1
    assert f"sources.yaml:{line}" in refused("run")


def test_a_missing_sources_file_is_refused(refused: Callable[..., str]) -> None:
    assert "nowhere.yaml" in refused("run", "--sources", "nowhere.yaml")


def test_an_unknown_repository_is_refused_with_those_there_are(refused: Callable[..., str]) -> None:
    assert "atlas-docs" in refused("run", "--repository", "other")


def test_a_wrong_selection_is_refused(refused: Callable[..., str]) -> None:
    assert "--select" in refused("run", "--select", "no_such_asset")


def test_a_report_that_is_not_there_says_what_to_run(refused: Callable[..., str]) -> None:
    assert "chunk-pipeline run" in refused("report")


def test_an_unreachable_source_fails_and_keeps_the_others(
    run_in: Command, project: Project, done: Callable[..., str]
) -> None:
    done("sources", "add", "gone", str(project.root / "nowhere"), "--kind", "folder")
    told = run_in(project, "run", "--select", "group:corpus")
    assert told.code == 1, told.errors
    assert "nowhere" in told.errors
    line = next(line for line in told.output.splitlines() if "atlas-docs" in line)
    assert "done" in line


def test_a_run_of_nothing_but_an_unreachable_source_says_so_and_ends(
    project: Project, done: Callable[..., str], refused: Callable[..., str]
) -> None:
    done("sources", "add", "gone", str(project.root / "nowhere"), "--kind", "folder")
    errors = refused("run", "--repository", "gone", code=1)
    assert "nowhere" in errors


def test_the_ui_s_partitions_follow_the_sources_file(done: Callable[..., str]) -> None:
    assert "added partition atlas-docs" in done("sources", "sync")
    assert "in step" in done("sources", "sync")


def test_an_interrupted_run_says_so_and_the_next_one_goes_on(
    project: Project, done: Callable[..., str]
) -> None:
    process = project.popen("run", "--select", "group:corpus or group:chunks")
    assert process.stderr is not None
    # The name of the source is told when its run begins.
    assert "atlas-docs" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "interrupted" in errors
    assert "Traceback" not in errors
    done("run", "--select", "group:corpus or group:chunks")
