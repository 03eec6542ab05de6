"""Rows 15, 16: damaged files, and a warehouse that is gone; never a wrong row.

A run on a damaged store either converges to what a build from scratch gives, or fails with a message that
names the file and says what to do. Reading never gives rows that were not written. That all damage is named
and only that is mended is tried in tests/warehouse/test_verification.py and tests/stages/test_repair.py.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.catalog import NAME as CATALOG
from chunk_pipeline.warehouse.manifest import DamagedTableError
from chunk_pipeline.warehouse.partitions import is_main
from chunk_pipeline.warehouse.tables import TABLES, Table
from tests.end_to_end.project import Project
from tests.faults.small_project import (
    copy_of,
    every_table_reads_back,
    from_scratch,
    manifests,
    run_all,
    small_project,
    write,
)
from tests.warehouse.damage import WAYS, Damaging

pytestmark = [pytest.mark.fault, pytest.mark.slow]
EVERY_WAY = bool(os.environ.get("CHUNK_PIPELINE_SOAK"))
EDITED = {"title": "After the damage", "berth": {"free": "A new text"}}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = small_project(tmp_path_factory.mktemp("damage") / "project")
    run_all(project)
    return project


@pytest.fixture(scope="module")
def afterwards(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """What is to come of an edit."""
    project = copy_of(finished, tmp_path_factory.mktemp("afterwards") / "project")
    write(project, "src/i18n/en.json", EDITED)
    return from_scratch(project, tmp_path_factory.mktemp("scratch") / "project")


def data_files(project: Project, table: Table) -> list[Path]:
    warehouse = project.warehouse
    found = (path for each in warehouse.partitions(table) for path in warehouse.files(table, each))
    return [Path(str(path)) for path in found]


def manifest_files(project: Project) -> Iterator[Path]:
    warehouse = project.warehouse
    for table in TABLES:
        if is_main(table):
            for partition in warehouse.partitions(table):
                number = warehouse.number(table, partition)
                folder = Path(str(warehouse.folder(table, partition)))
                yield folder / "manifests" / f"{number:08}.json"


def names_it(error: DamagedTableError | None, path: Path) -> bool:
    """Whether an error is about a file and says what to do."""
    return error is not None and path.name in str(error) and "chunk-pipeline repair" in str(error)


def error_of(work: Callable[[], object]) -> DamagedTableError | None:
    try:
        work()
    except DamagedTableError as error:
        return error
    return None


def ways_of(number: int) -> list[Damaging]:
    """How the file of that number is damaged: every way, or one after the other where time is short."""
    ways = list(WAYS.values())
    return ways if EVERY_WAY else [ways[number % len(ways)]]


def test_row15_a_damaged_data_file_gives_no_wrong_row_and_runs_converge_or_name_it(
    finished: Project, afterwards: Project, tmp_path: Path, tried: Callable[[str, int], None]
) -> None:
    files = [(table, path) for table in TABLES for path in data_files(finished, table)]
    through = [
        _damaged_data(finished, afterwards, tmp_path / "project", table, path, way)
        for number, (table, path) in enumerate(files)
        for way in ways_of(number)
    ]
    assert any(through)
    tried("damaged files", len(through))


def _damaged_data(
    finished: Project, afterwards: Project, root: Path, table: Table, path: Path, way: Damaging
) -> bool:
    """Damage a file, read, run; whether the run got through."""
    project = copy_of(finished, root)
    damaged = project.root / path.relative_to(finished.root)
    way(damaged)
    error = error_of(lambda: project.read(table))
    assert names_it(error, damaged) or project.read(table).equals(finished.read(table))
    write(project, "src/i18n/en.json", EDITED)
    error = error_of(lambda: run_all(project))
    assert error is None or names_it(error, damaged)
    if error is None:
        every_table_reads_back(project)
        assert project.digests() == afterwards.digests(), damaged
    shutil.rmtree(project.root)
    return error is None


def test_row15_a_damaged_manifest_gives_no_wrong_row_and_runs_converge(
    finished: Project, afterwards: Project, tmp_path: Path, tried: Callable[[str, int], None]
) -> None:
    number = 0
    for place, path in enumerate(manifest_files(finished)):
        for way in ways_of(place):
            project = copy_of(finished, tmp_path / "project")
            damaged = project.root / path.relative_to(finished.root)
            way(damaged)
            error = error_of(lambda: manifests(project))  # noqa: B023 - asked at once
            assert names_it(error, damaged) or not damaged.exists()
            write(project, "src/i18n/en.json", EDITED)
            run_all(project)
            assert project.digests() == afterwards.digests(), damaged
            shutil.rmtree(project.root)
            number += 1
    tried("damaged manifests", number)


@pytest.mark.parametrize("way", WAYS.values(), ids=[f"row15-catalog-{name}" for name in WAYS])
def test_a_damaged_catalog_is_built_again_by_the_next_run_that_changes_something(
    way: Damaging, finished: Project, afterwards: Project, tmp_path: Path
) -> None:
    project = copy_of(finished, tmp_path / "project")
    way((project.root / "warehouse" / CATALOG).resolve())
    write(project, "src/i18n/en.json", EDITED)
    run_all(project)
    assert project.digests() == afterwards.digests()
    every_table_reads_back(project)


def test_row16_a_warehouse_that_was_deleted_is_built_again(finished: Project, tmp_path: Path) -> None:
    project = copy_of(finished, tmp_path / "project")
    before = project.digests()
    shutil.rmtree(project.root / "warehouse")
    run_all(project)
    assert project.digests() == before


def test_row16_tables_that_were_deleted_are_built_again(
    finished: Project, tmp_path: Path, tried: Callable[[str, int], None]
) -> None:
    folders = sorted(each.name for each in (finished.root / "warehouse").iterdir() if each.is_dir())
    groups = len(folders) if EVERY_WAY else 6
    for first in range(groups):
        project = copy_of(finished, tmp_path / "project")
        for name in folders[first::groups]:
            shutil.rmtree(project.root / "warehouse" / name)
        run_all(project)
        assert project.digests() == finished.digests(), folders[first::groups]
        shutil.rmtree(project.root)
    tried("deleted folders", len(folders))
