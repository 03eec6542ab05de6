"""A stage works only when its inputs changed, says so when only asked, and writes its main table last."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from stages_project import ingest, rewrite, roll_up

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.stages import indexes
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.current import is_rolled_up, is_up_to_date
from chunk_pipeline.stages.evaluation import HTML_REPORT, report
from chunk_pipeline.stages.refresh import StaleError
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition
from chunk_pipeline.warehouse.tables import (
    CHUNK_METADATA_TABLE,
    CHUNKS,
    DENSE_INDEX,
    DUPLICATES,
    GAZETTEER,
    MENTIONS,
    NEAR_DUPLICATES,
    QUARANTINE,
    RETRIEVAL_METRICS,
    SKIPS,
    TABLES,
    VECTORS,
    Table,
)
from tests.end_to_end.project import Project

NAME = "json_category"
OWN = Partition(strategy=NAME, repository="harbour")
HERITAGE = (CHUNK_METADATA_TABLE, DUPLICATES, GAZETTEER, MENTIONS, NEAR_DUPLICATES)
"""Tables that only heritage sources have: ``test_heritage_refresh`` does the same to them."""
EVERY_TABLE = pytest.mark.parametrize(
    "table", [each for each in TABLES if each not in HERITAGE], ids=lambda table: table.name
)
TRANSLATIONS = "src/i18n/app_en.json"


def change_one_value(project: Project) -> None:
    path = project.file("harbour", TRANSLATIONS)
    text = path.read_text(encoding="utf-8")
    changed = text.replace('": "', '": "Today: ', 1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def relabel(workspace: Workspace) -> None:
    scan_source(workspace, "harbour")
    filter_source(workspace, "harbour")
    label_source(workspace, "harbour")


def test_a_second_pass_does_nothing_and_changes_nothing(workspace: Workspace, project: Project) -> None:
    before = project.digests()
    outcomes = [*ingest(workspace, "harbour"), *roll_up(workspace)]
    assert all(outcome.up_to_date and not outcome.counts for outcome in outcomes)
    assert project.digests() == before


def test_asking_finds_everything_up_to_date_and_then_what_changed(
    workspace: Workspace, project: Project
) -> None:
    asking = replace(workspace, asking=True)
    assert is_up_to_date(asking, "harbour")
    assert is_up_to_date(asking, "atlas-docs")
    assert is_rolled_up(asking)
    change_one_value(project)
    before = project.digests()
    assert not is_up_to_date(asking, "harbour")
    assert is_up_to_date(asking, "atlas-docs")
    assert project.digests() == before
    ingest(workspace, "harbour")
    assert is_up_to_date(asking, "harbour")
    assert not is_rolled_up(asking)


def test_asking_a_stage_with_work_names_its_table_and_partition(
    workspace: Workspace, project: Project
) -> None:
    change_one_value(project)
    relabel(workspace)
    before = project.digests()
    with pytest.raises(StaleError, match=f"chunks .*{NAME}.*harbour"):
        chunk_files(replace(workspace, asking=True), "harbour", strategy(NAME))
    assert project.digests() == before


@pytest.mark.parametrize("table", [QUARANTINE, CHUNKS], ids=lambda table: table.name)
def test_a_table_that_is_gone_is_made_again(workspace: Workspace, project: Project, table: Table) -> None:
    before = project.digests()
    partition = replace(OWN, strategy=None, stage=f"chunks_{NAME}") if table is QUARANTINE else OWN
    workspace.warehouse.drop(table, partition)
    outcome = chunk_files(workspace, "harbour", strategy(NAME))
    assert not outcome.up_to_date
    assert project.digests() == before


def test_a_damaged_table_does_not_count_as_made(workspace: Workspace, project: Project) -> None:
    path = workspace.warehouse.files(CHUNKS, OWN)[0]
    path.write_bytes(path.read_bytes()[:-100])
    assert workspace.warehouse.stored(CHUNKS, OWN) is None
    with pytest.raises(StaleError):
        chunk_files(replace(workspace, asking=True), "harbour", strategy(NAME))


def test_when_the_commit_cannot_be_written_everything_stays_and_the_stage_is_repeated(
    workspace: Workspace, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_one_value(project)
    relabel(workspace)
    before = project.digests()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(commits, "publish", full)
        with pytest.raises(OSError, match="No space left"):
            chunk_files(workspace, "harbour", strategy(NAME))
    assert project.digests() == before
    again = chunk_files(workspace, "harbour", strategy(NAME))
    assert again.counts["files_chunked"] == 1
    assert again.changed == ("files",)
    repeated = [workspace.warehouse.stored(table, OWN) for table in (SKIPS, CHUNKS)]
    workspace.warehouse.drop(CHUNKS, OWN)
    chunk_files(workspace, "harbour", strategy(NAME))
    assert repeated == [workspace.warehouse.stored(table, OWN) for table in (SKIPS, CHUNKS)]


def test_a_report_whose_page_is_gone_is_made_again(workspace: Workspace, project: Project) -> None:
    before = project.digests()
    (project.root / "warehouse" / HTML_REPORT).unlink()
    with pytest.raises(StaleError, match="retrieval_metrics"):
        report(replace(workspace, asking=True))
    assert workspace.warehouse.stored(RETRIEVAL_METRICS) is not None
    assert not report(workspace).up_to_date
    assert project.digests() == before


def test_every_strategy_reuses_the_files_that_did_not_change(workspace: Workspace, project: Project) -> None:
    change_one_value(project)
    relabel(workspace)
    for each in workspace.strategies:
        counts = chunk_files(workspace, "harbour", each).counts
        assert counts["files_chunked"] == 1
        assert counts["files_reused"] > 5


@EVERY_TABLE
def test_a_partition_that_is_deleted_is_made_again_byte_for_byte(
    workspace: Workspace, project: Project, table: Table
) -> None:
    before = project.digests()
    partition = workspace.warehouse.partitions(table)[0]
    workspace.warehouse.drop(table, partition)
    for name in ("atlas-docs", "harbour"):
        ingest(workspace, name)
    roll_up(workspace)
    assert project.digests() == before


@EVERY_TABLE
def test_a_partition_that_is_damaged_is_made_again_byte_for_byte(
    workspace: Workspace, project: Project, table: Table
) -> None:
    before = project.digests()
    path = workspace.warehouse.files(table, workspace.warehouse.partitions(table)[0])[0]
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DamagedTableError, match=f"{path.name} is damaged"):
        workspace.warehouse.read(table)
    for name in ("atlas-docs", "harbour"):
        ingest(workspace, name)
    roll_up(workspace)
    assert project.digests() == before


def test_vectors_that_are_made_in_another_way_reach_the_dense_index_under_the_same_chunks(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = workspace.warehouse.read(DENSE_INDEX, Partition(strategy=NAME))
    for partition in workspace.warehouse.partitions(VECTORS, strategy=NAME):
        rewrite(workspace.warehouse, VECTORS, _negate, partition)
    monkeypatch.setattr(indexes, "VECTORS_VERSION", indexes.VECTORS_VERSION + 1)
    assert not indexes.build_dense_index(workspace, strategy(NAME)).up_to_date
    after = workspace.warehouse.read(DENSE_INDEX, Partition(strategy=NAME))
    assert after["chunk_id"].equals(before["chunk_id"])
    assert after["vector"].to_pylist() == [
        [-number for number in row] for row in before["vector"].to_pylist()
    ]


def _negate(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        row["vector"] = [-number for number in row["vector"]]
