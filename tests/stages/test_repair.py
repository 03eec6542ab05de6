"""What is damaged is made again, as it was byte for byte, and nothing else is."""

from __future__ import annotations

import shutil
from itertools import cycle
from pathlib import Path

import pytest
from repairing import runner
from stages_project import cheap_encoder

from chunk_pipeline.stages.repair import Repair, repair
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.catalog import NAME
from chunk_pipeline.warehouse.owners import owners
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.releases import is_release_current, release_numbers, release_path
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, POSTINGS, RAW_FILES, SKIPS, TABLES, VECTORS, Table
from chunk_pipeline.warehouse.verification import verify
from tests.end_to_end.project import Project
from tests.warehouse.damage import WAYS, delete, flip, swap, truncate

pytestmark = pytest.mark.fault

OWN = Partition(strategy="json_category", repository="atlas-docs")
SOURCE = Partition(repository="atlas-docs")
REPORT = Path("reports/report.html")


def file_of(project: Project, table: Table, partition: Partition) -> Path:
    return Path(str(project.warehouse.files(table, partition)[0]))


def manifest_of(project: Project, table: Table, partition: Partition) -> Path:
    number = project.warehouse.number(table, partition)
    return Path(str(project.warehouse.folder(table, partition))) / "manifests" / f"{number:08}.json"


def mended(
    workspace: Workspace, project: Project, before: dict[str, str], *expected: Path
) -> tuple[Repair, set[str]]:
    """Repair, and hold that exactly the expected files were named and all is as it was."""
    root = project.root / "warehouse"
    ran: list[str] = []
    done = repair(workspace, runner(workspace, ran))
    assert sorted(root / each.path for each in done.before.damages) == sorted(expected)
    assert done.succeeded, done.after.damages
    assert project.digests() == before
    assert is_release_current(project.warehouse)
    return done, set(ran)


def test_a_whole_store_is_left_alone(workspace: Workspace, project: Project) -> None:
    before = project.digests()
    done, ran = mended(workspace, project, before)
    assert (done.results, ran) == ([], set())


def test_flipped_bits_of_tables_report_catalog_and_release_are_mended_at_once(
    workspace: Workspace, project: Project
) -> None:
    before, root = project.digests(), project.root / "warehouse"
    damaged = [
        file_of(project, CHUNKS, OWN),
        file_of(project, POSTINGS, OWN),
        root / REPORT,
        (root / NAME).resolve(),
        Path(str(release_path(project.warehouse, 1))),
    ]
    for path in damaged:
        flip(path)
    done, ran = mended(workspace, project, before, *damaged)
    assert ran == {"chunks", "postings", "retrieval_metrics"}
    assert done.lost == ()
    assert [each.name for each in done.results] == ["atlas-docs", "evaluate"]


def test_only_the_texts_of_a_lost_file_of_vectors_are_encoded_again(
    workspace: Workspace, project: Project
) -> None:
    partition = max(
        project.warehouse.partitions(VECTORS), key=lambda each: len(project.warehouse.files(VECTORS, each))
    )
    files = [Path(str(path)) for path in project.warehouse.files(VECTORS, partition)]
    assert len(files) > 1
    before = project.digests()
    manifest = project.warehouse.manifest(VECTORS, partition)
    assert manifest is not None
    flip(files[0])
    done, ran = mended(workspace, project, before, files[0])
    assert ran == {"vectors"}
    encoded = sum(each.counts["texts_encoded"] for each in done.results)
    assert 0 < encoded <= manifest.tables["vectors"].files[0].rows < manifest.tables["vectors"].rows


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_manifest_of_vectors_costs_no_encoding_at_all(
    workspace: Workspace, project: Project, way: str
) -> None:
    before, path = project.digests(), manifest_of(project, VECTORS, OWN)
    WAYS[way](path)
    done, ran = mended(workspace, project, before, path)
    assert ran == {"vectors"}
    assert sum(each.counts["texts_encoded"] for each in done.results) == 0
    # The older release names the number that was damaged, and reads again as it did.
    assert release_numbers(project.warehouse) == [1, 2]
    assert verify(project.warehouse).whole


def test_damaged_manifests_and_swapped_and_lost_files_are_mended(
    workspace: Workspace, project: Project
) -> None:
    before = project.digests()
    one, other = file_of(project, CHUNKS, OWN), file_of(project, SKIPS, OWN)
    swap(one, other)
    gone = file_of(project, RAW_FILES, SOURCE)
    delete(gone)
    manifest = manifest_of(project, FILES, SOURCE)
    truncate(manifest)
    stray = gone.with_name("stray.parquet")
    shutil.copy(one, stray)
    _, ran = mended(workspace, project, before, one, other, gone, manifest)
    assert ran == {"chunks", "raw_files", "files"}
    assert stray.exists()


def test_a_release_of_the_past_that_is_lost_is_told_and_deleted(
    workspace: Workspace, project: Project
) -> None:
    old = file_of(project, RAW_FILES, SOURCE)
    added = project.file("atlas-docs", "src/i18n/new_en.json")
    added.write_text('{"quarantine": {"berth": "apart"}}')
    runner(workspace, [])(["atlas-docs"])
    before = project.digests()
    assert file_of(project, RAW_FILES, SOURCE) != old
    flip(old)
    done, ran = mended(workspace, project, before, old)
    assert ran == set()
    assert release_numbers(project.warehouse) == [2]
    assert done.lost == (
        "release 1 is deleted: raw_files/repository=atlas-docs of it is lost, and nothing can make it again",
    )


def test_what_a_source_that_is_away_cannot_mend_is_told_and_mended_when_it_is_back(
    workspace: Workspace, project: Project
) -> None:
    project.file("harbour", "src/i18n/new_en.json").write_text('{"quarantine": {"berth": "apart"}}')
    runner(workspace, [])(["harbour"])
    before = project.digests()
    path = file_of(project, RAW_FILES, SOURCE)
    flip(path)
    repositories = project.root / "repositories"
    (repositories / "atlas-docs").rename(repositories / "away")
    done = repair(workspace, runner(workspace, []))
    assert not done.succeeded
    assert [each.path for each in done.after.damages] == [str(path.relative_to(project.root / "warehouse"))]
    assert "atlas-docs" in done.results[0].errors[0]
    (repositories / "away").rename(repositories / "atlas-docs")
    mended(workspace, project, before, path)
    # Nothing of the past was given up meanwhile: what both releases name is whole again in both.
    assert release_numbers(project.warehouse) == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("of", ["data", "manifest"])
def test_a_file_of_every_table_is_damaged_and_all_are_mended(heritage_project: Project, of: str) -> None:
    workspace = Workspace(heritage_project.settings, make_encoder=cheap_encoder)
    before = heritage_project.digests()
    damaged = _one_of_every_table(heritage_project) if of == "data" else _every_manifest(heritage_project)
    for path, way in zip(damaged, cycle(WAYS.values()), strict=False):
        way(path)
    done, _ = mended(workspace, heritage_project, before, *damaged)
    assert {each.kind for each in done.before.damages} == {of}
    if of == "data":
        assert {each.table for each in done.before.damages} == {each.name for each in TABLES}


def _one_of_every_table(project: Project) -> list[Path]:
    warehouse = project.warehouse
    return [file_of(project, table, warehouse.partitions(table)[0]) for table in TABLES]


def _every_manifest(project: Project) -> list[Path]:
    return [
        manifest_of(project, owner.table, owner.partition)
        for owner in owners(project.warehouse)
        if owner.table != VECTORS
    ]
