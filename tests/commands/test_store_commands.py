"""``verify``, ``repair``, ``gc`` and ``diff`` over a project that was ingested and evaluated."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from command_line import Command

from chunk_pipeline.warehouse.catalog import NAME
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.releases import release_numbers, release_path
from chunk_pipeline.warehouse.tables import CHUNKS, RAW_FILES, VECTORS
from tests.end_to_end.project import Project
from tests.warehouse.damage import flip, truncate

pytestmark = pytest.mark.fault

OWN = Partition(strategy="json_category", repository="atlas-docs")
SOURCE = Partition(repository="atlas-docs")


def root_of(project: Project) -> Path:
    return project.root / "warehouse"


def test_a_whole_store_verifies_with_exit_code_0(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "verify")
    assert told.code == 0
    assert told.output.strip().endswith("1 releases: all is whole.")
    found = json.loads(run_in(built_project, "verify", "--json").output)
    assert found["whole"]
    assert found["damages"] == found["unnamed"] == []
    assert not found["behind"]


def test_damage_is_named_in_words_and_json_with_exit_code_1(run_in: Command, own_project: Project) -> None:
    [path] = own_project.warehouse.files(CHUNKS, OWN)
    flip(Path(str(path)))
    told = run_in(own_project, "verify")
    assert told.code == 1
    assert "its SHA-256 does not fit" in told.output
    assert "1 damaged: run 'chunk-pipeline repair'" in told.output
    shown = run_in(own_project, "verify", "--json")
    assert shown.code == 1
    [damage] = json.loads(shown.output)["damages"]
    assert (damage["kind"], damage["table"]) == ("data", "chunks")
    assert root_of(own_project) / damage["path"] == Path(str(path))
    assert run_in(own_project, "verify", "--repository", "atlas-docs").code == 1


def test_an_unknown_source_is_bad_usage(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "verify", "--repository", "harbour")
    assert told.code == 2
    assert "no source is named 'harbour'; there are: atlas-docs" in told.errors


def test_repair_has_nothing_to_do_where_all_is_whole(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "repair")
    assert told.code == 0
    assert "nothing to repair" in told.output


@pytest.mark.slow
def test_repair_makes_again_what_is_damaged_byte_for_byte(run_in: Command, own_project: Project) -> None:
    before = own_project.digests()
    [chunks], [vectors] = (own_project.warehouse.files(table, OWN)[:1] for table in (CHUNKS, VECTORS))
    catalog, release = (root_of(own_project) / NAME).resolve(), release_path(own_project.warehouse, 1)
    for path in (chunks, vectors, catalog, release):
        flip(Path(str(path)))
    search = ("search", "title of the page", "--retriever", "bm25", "--strategy", "json_category")
    told = run_in(own_project, "repair")
    assert told.code == 0, told.errors
    assert "4 repaired, all is whole." in told.output
    assert "Run again: atlas-docs, evaluate; 8 files chunked" in told.output
    for path in (chunks, vectors):
        assert path.name in told.output
    assert own_project.digests() == before
    assert run_in(own_project, "verify").code == 0
    assert run_in(own_project, *search).code == 0


def test_a_search_in_a_damaged_store_says_to_repair(run_in: Command, own_project: Project) -> None:
    [path] = own_project.warehouse.files(CHUNKS, OWN)
    flip(Path(str(path)))
    told = run_in(own_project, "search", "title", "--retriever", "bm25", "--strategy", "json_category")
    assert told.code == 1
    assert "run 'chunk-pipeline repair'" in told.errors


@pytest.mark.slow
def test_what_cannot_be_repaired_is_said_with_exit_code_1(run_in: Command, own_project: Project) -> None:
    [path] = own_project.warehouse.files(RAW_FILES, SOURCE)
    truncate(Path(str(path)))
    (own_project.root / "repositories").rename(own_project.root / "away")
    told = run_in(own_project, "repair")
    assert told.code == 1
    assert "could not be repaired: atlas-docs: raw_files" in told.errors
    assert "What is still damaged" in told.output
    # What was there is there still: nothing was taken as deleted, and a search answers as before.
    found = run_in(own_project, "search", "title", "--retriever", "bm25", "--strategy", "json_category")
    assert found.code == 0


@pytest.mark.slow
def test_diff_tells_what_the_last_run_changed_and_gc_collects_what_is_old(
    run_in: Command, own_project: Project
) -> None:
    same = run_in(own_project, "diff", "1", "current", "--exit-code")
    assert same.code == 0
    assert "hold the same" in same.output
    own_project.file("atlas-docs", "src/i18n/app_fr.json").write_text('{"page": {"title": "Titre"}}')
    own_project.file("atlas-docs", "test/config/site.json").unlink()
    assert run_in(own_project, "run").code == 0
    assert release_numbers(own_project.warehouse) == [1, 2]
    _diff_is_told(run_in, own_project)
    _old_is_collected(run_in, own_project)


def _diff_is_told(run_in: Command, project: Project) -> None:
    told = run_in(project, "diff")
    assert told.code == 0
    assert "added   atlas-docs/src/i18n/app_fr.json" in told.output
    assert "removed atlas-docs/test/config/site.json" in told.output
    assert run_in(project, "diff", "--exit-code").code == 1
    found = json.loads(run_in(project, "diff", "1", "2", "--json").output)
    assert [(each["path"], each["change"]) for each in found["files"]] == [
        ("src/i18n/app_fr.json", "added"),
        ("test/config/site.json", "removed"),
    ]
    assert {each["repository"] for each in found["chunks"]} == {"atlas-docs"}
    assert all(each["added"] and each["removed"] for each in found["chunks"])
    assert {each["table"] for each in found["figures"]} == {"retrieval_metrics", "structure_metrics"}
    unknown = run_in(project, "diff", "7")
    assert unknown.code == 2
    assert "there is no release 7; there are: 1, 2" in unknown.errors


def _old_is_collected(run_in: Command, project: Project) -> None:
    young = run_in(project, "gc")
    assert (young.code, young.output.strip()) == (0, "0 removed, 0 bytes.")
    for path in root_of(project).rglob("*"):
        os.utime(path, (time.time() - 48 * 3600,) * 2, follow_symlinks=False)
    # Of three releases that are kept there are two, so what they name stays whatever its age.
    assert json.loads(run_in(project, "gc", "--dry-run", "--json").output)["removed"] == []
    stray = root_of(project) / "chunks" / "strategy=json_category" / "repository=atlas-docs" / "left.parquet"
    stray.write_bytes(b"12345")
    asked = run_in(project, "gc", "--dry-run", "--older-than", "0")
    assert "1 data files would be removed, 5 bytes" in asked.output
    assert stray.exists()
    removed = json.loads(run_in(project, "gc", "--older-than", "0", "--json").output)["removed"]
    assert [(each["kind"], each["size"]) for each in removed] == [("data", 5)]
    assert run_in(project, "verify").code == 0


@pytest.mark.parametrize("command", ["verify", "repair", "gc", "diff"])
def test_help_documents_the_exit_codes(run_in: Command, built_project: Project, command: str) -> None:
    told = run_in(built_project, command, "--help")
    assert told.code == 0
    assert "Exit code 0" in told.output


def test_gc_waits_for_a_run_that_is_going_on(own_project: Project) -> None:
    from chunk_pipeline.warehouse.turns import turn

    with turn(own_project.warehouse, alone=False):
        waiting = own_project.popen("gc", "--older-than", "0")
        assert waiting.stderr is not None
        assert "waiting for other runs" in waiting.stderr.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=0.5)
    assert waiting.communicate(timeout=60)[0].strip() == "0 removed, 0 bytes."
