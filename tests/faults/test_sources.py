"""Rows 9, 10, 17, 21: files that vanish or grow between scan and read or lie about their age; few or none."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import (
    CHUNKS,
    CONTENTS,
    DENSE_INDEX,
    FILES,
    GOLD_QUERIES,
    QUARANTINE,
    RETRIEVAL_METRICS,
    VECTORS,
)
from tests.end_to_end.project import Project
from tests.faults.small_project import (
    FILES as AT_FIRST,
)
from tests.faults.small_project import (
    SOURCE,
    all_steps,
    copy_of,
    every_table_reads_back,
    from_scratch,
    run_all,
    small_project,
    workspace_of,
    write,
    write_sources,
)

pytestmark = pytest.mark.fault
ENGLISH = "src/i18n/en.json"
Edit = Callable[[Path], object]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = small_project(tmp_path_factory.mktemp("sources") / "project")
    run_all(project)
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    return copy_of(finished, tmp_path / "project")


def _grow(path: Path) -> None:
    with path.open("a") as file:
        file.write("\n\n")


def _become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


BETWEEN: dict[str, tuple[Edit, str]] = {
    "row09-deleted": (Path.unlink, "vanished"),
    "row09-folder-deleted": (lambda path: path.parent.rename(path.parents[1] / "elsewhere"), "vanished"),
    "row10-grown": (_grow, "changed"),
    "row10-rewritten": (lambda path: path.write_text('{"other": "text"}'), "changed"),
    "row10-emptied": (lambda path: path.write_text(""), "changed"),
    "row10-a-folder-now": (_become_a_folder, "unreadable"),
}


@pytest.mark.parametrize("name", BETWEEN)
def test_a_file_that_changes_between_scan_and_read_is_quarantined_and_read_by_the_next_run(
    project: Project, name: str, tmp_path: Path
) -> None:
    edit, reason = BETWEEN[name]
    write(project, "src/i18n/es.json", {"title": "Capitanía"})
    write(project, ENGLISH, {"title": "New and not yet read"})
    workspace = workspace_of(project)
    scan_source(workspace, SOURCE)
    edit(project.file(SOURCE, ENGLISH))
    filter_source(workspace, SOURCE)
    label_source(workspace, SOURCE)
    told = {row["path"]: row["error"] for row in project.read(QUARANTINE).to_pylist()}
    assert told[ENGLISH].startswith(reason)
    texts = project.read(CONTENTS)["text"].to_pylist()
    assert not any("not yet read" in text or "other" in text for text in texts)
    for step in list(all_steps().values())[3:]:
        step(workspace)
    every_table_reads_back(project)
    run_all(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


@pytest.mark.parametrize("when", [0, 1, -1], ids=["row17-1970", "row17-equal", "row17-2100"])
def test_a_change_is_noticed_whatever_the_clock_of_the_file_says(
    project: Project, when: int, tmp_path: Path
) -> None:
    path = project.file(SOURCE, ENGLISH)
    before = path.stat()
    text = path.read_text()
    path.write_text(text.replace("Harbour", "Airport"))
    assert path.stat().st_size == before.st_size
    moment = {0: 0, 1: before.st_mtime_ns, -1: 4_102_444_800_000_000_000}[when]
    os.utime(path, ns=(moment, moment))
    run_all(project)
    assert any("Airport" in text for text in project.read(CHUNKS)["text"].to_pylist())
    assert not any("Harbour office" in text for text in project.read(CHUNKS)["text"].to_pylist())
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


def test_row17_times_alone_are_no_change(project: Project) -> None:
    before = project.digests()
    for number, path in enumerate(sorted(project.file(SOURCE, "").rglob("*.json"))):
        os.utime(path, (number * 1_000_000_000, number * 1_000_000_000))
    assert all(outcome.up_to_date for outcome in run_all(project).values())
    assert project.digests() == before


def test_row17_a_clock_that_goes_back_changes_no_byte(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the clock is an hour before the last, and files of the store are from the future."""
    hours = iter(range(10**6))
    plain = time.time()
    monkeypatch.setattr(time, "time", lambda: plain - 3600 * next(hours))
    for path in (project.root / "warehouse").rglob("*"):
        if path.is_file():
            os.utime(path, (4_102_444_800, 4_102_444_800))
    for number in range(4):
        write(project, ENGLISH, {"title": f"Office {number}"})
        run_all(project)
    every_table_reads_back(project)
    assert (project.root / "warehouse" / "chunk_pipeline.duckdb").resolve().exists()
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


SIZES: dict[str, dict[str, object]] = {
    "row21-nothing": {},
    "row21-nothing-kept": {"README.md": "# Nothing to index"},
    "row21-no-chunk": {"src/i18n/en.json": "{}", "test/config/site.json": "[]"},
    "row21-one-chunk": {"test/config/site.json": {"port": 8080}},
    "row21-one-category": {"src/i18n/en.json": {"title": "Harbour office"}},
}


@pytest.mark.parametrize("name", SIZES)
def test_a_small_or_empty_source_goes_through_and_grows_and_shrinks(name: str, tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.file(SOURCE, "").mkdir(parents=True)
    write(project, "src/i18n/other.json", {"title": "Of another source"}, "other")
    write_sources(project)
    for path, value in SIZES[name].items():
        write(project, path, value)
    run_all(project)
    alone = project.digests()
    every_table_reads_back(project)
    assert all(outcome.up_to_date for outcome in run_all(project).values())
    files = project.read(FILES)
    assert set(files["path"].to_pylist()) == set(SIZES[name])
    chunks = project.read(CHUNKS).num_rows
    assert project.read(DENSE_INDEX).num_rows == chunks
    assert (chunks == 0) == (name in {"row21-nothing", "row21-nothing-kept", "row21-no-chunk"})
    for path, value in AT_FIRST.items():
        write(project, path, value)
    run_all(project)
    assert project.read(CHUNKS).num_rows > chunks
    for path in AT_FIRST:
        if path not in SIZES[name]:
            project.file(SOURCE, path).unlink()
    for path, value in SIZES[name].items():
        write(project, path, value)
    if SIZES[name]:
        run_all(project)
        assert project.digests() == alone


def test_row21_without_a_chunk_no_metric_is_made_up(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    write(project, "README.md", "# Nothing to index")
    write_sources(project)
    run_all(project)
    own = Partition(strategy="json_category", repository=SOURCE)
    assert project.warehouse.read(VECTORS, own).num_rows == 0
    assert project.read(GOLD_QUERIES).num_rows == 0
    assert not [row for row in project.read(RETRIEVAL_METRICS).to_pylist() if row["value"]]
