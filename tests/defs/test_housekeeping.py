"""The housekeeping job collects, and a check of the catalog asset says whether the store is whole."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import dagster as dg
import pytest

from chunk_pipeline.defs.catalog.checks import store_is_whole
from chunk_pipeline.defs.jobs import housekeeping
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.housekeeping import collect_garbage
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.tables import CHUNKS, RAW_FILES
from tests.warehouse.damage import truncate
from tests.warehouse.whole_store import commit, files_of, make_store, publish

HOURS_AGO = 48


def age(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (time.time() - HOURS_AGO * 3600,) * 2, follow_symlinks=False)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A whole store of one source, ``one``, and one strategy that the sources file does not know."""
    make_store(tmp_path / "warehouse")
    sources = tmp_path / "sources.yaml"
    sources.write_text("sources:\n  - {name: one, kind: folder, path: one, profile: js_vue_rag}\n")
    settings = Settings(
        warehouse=str(tmp_path / "warehouse"), sources=sources, cache=tmp_path / "cache", catalog_versions=1
    )
    return Workspace(settings)


def test_housekeeping_drops_what_is_gone_and_collects_it_when_it_is_old(workspace: Workspace) -> None:
    root = Path(workspace.settings.warehouse)
    with dg.DagsterInstance.ephemeral() as instance:
        assert housekeeping.execute_in_process(instance=instance, resources={"workspace": workspace}).success
        # Strategy "s" is of no sources file: it was dropped, and its files are still young.
        assert workspace.warehouse.partitions(CHUNKS) == []
        assert list(root.glob("chunks/*/*/*.parquet"))
        publish(workspace.warehouse)
        age(*root.rglob("*"))
        assert housekeeping.execute_in_process(instance=instance, resources={"workspace": workspace}).success
    assert not list(root.glob("chunks/**/*"))
    assert workspace.warehouse.read(RAW_FILES).num_rows == 1


def test_mirrors_of_git_sources_that_are_gone_are_collected_when_they_are_old(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.settings.sources.write_text(
        "sources:\n"
        "  - {name: kept, kind: git, url: 'https://example.org/kept.git', profile: js_vue_rag}\n"
        "  - {name: was-git, kind: folder, path: one, profile: js_vue_rag}\n"
    )
    cache = tmp_path / "cache"
    for name in ("kept", "gone", "was-git", "young"):
        subprocess.run(["git", "init", "-q", "--bare", str(cache / f"{name}.git")], check=True)
    (cache / "rates.json").write_text("{}")
    age(*cache.rglob("*"))
    (cache / "young.git" / "HEAD").touch()
    asked = collect_garbage(workspace, time.time(), dry_run=True)
    mirrors = [Path(str(each.path)).name for each in asked if each.kind == "mirror"]
    assert mirrors == ["gone.git", "was-git.git"]
    assert (cache / "gone.git").is_dir()
    removed = [each for each in collect_garbage(workspace, time.time()) if each.kind == "mirror"]
    assert all(each.size > 0 for each in removed)
    assert sorted(path.name for path in cache.iterdir()) == ["kept.git", "rates.json", "young.git"]


def checked(workspace: Workspace) -> dg.AssetCheckResult:
    result = store_is_whole(workspace)
    assert isinstance(result, dg.AssetCheckResult)
    return result


def test_the_check_passes_while_all_is_whole_and_is_an_error_where_what_counts_is_damaged(
    workspace: Workspace,
) -> None:
    warehouse = Warehouse(workspace.settings.warehouse)
    assert checked(workspace).passed
    [path] = files_of(warehouse, CHUNKS)
    truncate(path)
    result = checked(workspace)
    assert not result.passed
    assert result.severity == dg.AssetCheckSeverity.ERROR
    assert result.metadata["damaged"].value == 1
    commit(warehouse, CHUNKS, "another")
    publish(warehouse)
    result = checked(workspace)
    assert not result.passed
    assert result.severity == dg.AssetCheckSeverity.WARN  # only the older release has it
