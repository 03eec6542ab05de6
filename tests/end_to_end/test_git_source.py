"""A git source through the stages: what a commit changes is what is read and cut."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.vanishing import HistoryRewrittenError
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.refresh import Outcome
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS, FILES
from tests.end_to_end.project import SAMPLE

NAME = "Harbour (web)"
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "repository"
    shutil.copytree(SAMPLE / "harbour", path)
    subprocess.run([*GIT, "init", "-q"], cwd=path, check=True)
    commit(path)
    return path


@pytest.fixture
def workspace(tmp_path: Path, repository: Path) -> Workspace:
    sources = tmp_path / "sources.yaml"
    sources.write_text(f"sources:\n  - {{name: {NAME}, kind: git, url: ./repository, profile: js_vue_rag}}\n")
    return Workspace(Settings(warehouse=str(tmp_path / "w"), sources=sources, cache=tmp_path / "cache"))


def commit(path: Path) -> str:
    subprocess.run([*GIT, "add", "-A"], cwd=path, check=True)
    subprocess.run([*GIT, "commit", "-q", "-m", "a change"], cwd=path, check=True)
    return subprocess.run(
        [*GIT, "rev-parse", "HEAD"], cwd=path, check=True, capture_output=True, text=True
    ).stdout.strip()


def ingest(workspace: Workspace) -> tuple[str, Outcome, Outcome]:
    """Snapshot, and what filtering and chunking did."""
    scanned = scan_source(workspace, NAME)
    filtered = filter_source(workspace, NAME)
    label_source(workspace, NAME)
    return scanned.snapshot, filtered, chunk_files(workspace, NAME, strategy("json_category"))


def test_a_commit_is_read_as_the_folder_would_be(workspace: Workspace) -> None:
    snapshot, _, chunked = ingest(workspace)
    assert len(snapshot) == 40
    assert chunked.counts["files_chunked"] > 5
    assert set(workspace.warehouse.read(FILES)["repository"].to_pylist()) == {NAME}
    assert workspace.warehouse.partitions(CHUNKS)[0].repository == partition_key(NAME)


def test_uncommitted_changes_are_not_read(workspace: Workspace, repository: Path) -> None:
    ingest(workspace)
    (repository / "src" / "i18n" / "app_en.json").write_text("{}")
    _, filtered, chunked = ingest(workspace)
    assert filtered.up_to_date
    assert chunked.up_to_date


def test_a_new_commit_costs_what_it_changed(workspace: Workspace, repository: Path) -> None:
    before, *_ = ingest(workspace)
    path = repository / "src" / "i18n" / "app_en.json"
    path.write_text(path.read_text().rstrip()[:-1].rstrip() + ', "new": "A new value"}')
    assert commit(repository) != before
    _, filtered, chunked = ingest(workspace)
    assert filtered.counts["files_read"] == 1
    assert chunked.counts["files_chunked"] == 1


def test_a_commit_outside_the_json_files_cuts_nothing(workspace: Workspace, repository: Path) -> None:
    ingest(workspace)
    (repository / "src" / "lib" / "dues.js").write_text("export const none = 1\n")
    commit(repository)
    _, filtered, chunked = ingest(workspace)
    assert filtered.counts["files_read"] == 1
    assert chunked.up_to_date


def test_a_force_push_that_is_accepted_leaves_nothing_behind(workspace: Workspace, repository: Path) -> None:
    ingest(workspace)
    before = workspace.warehouse.read(CHUNKS)
    subprocess.run([*GIT, "checkout", "-q", "--orphan", "other"], cwd=repository, check=True)
    subprocess.run([*GIT, "rm", "-q", "-r", "-f", "src/schemas"], cwd=repository, check=True)
    commit(repository)
    with pytest.raises(HistoryRewrittenError, match="run 'chunk-pipeline run --accept-empty"):
        ingest(workspace)
    assert workspace.warehouse.read(CHUNKS) == before
    ingest(replace(workspace, accept_empty=frozenset({NAME})))
    paths = set(workspace.warehouse.read(CHUNKS)["path"].to_pylist())
    assert paths
    assert not any(path.startswith("src/schemas") for path in paths)
