"""Commands over a project that is ingested and evaluated: what they print, and their exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import dagster as dg
import pytest
from command_line import Command

from chunk_pipeline.warehouse.tables import CHUNKS, RETRIEVAL_METRICS
from tests.end_to_end.project import Project

PLACE = {"repository", "path", "unit", "start_line", "end_line"}
KNOWN = {"country_code", "custodian_type", "data_tier", "language"}
RESULT = {"chunk_id", "strategy", "rank", "score", "text", *PLACE, *KNOWN}
QUERY = "title of the page"


def test_json_is_one_object_with_whole_chunks(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "search", QUERY, "--retriever", "bm25", "-k", "4", "--json")
    assert told.code == 0
    answer = json.loads(told.output)
    assert answer["query"] == QUERY
    assert [each["rank"] for each in answer["results"]] == [1, 2, 3, 4]
    assert all(set(each) == RESULT for each in answer["results"])
    scores = [each["score"] for each in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    texts = {row["chunk_id"]: row["text"] for row in built_project.read(CHUNKS).to_pylist()}
    assert all(texts[each["chunk_id"]] == each["text"] for each in answer["results"])


def test_the_lines_of_a_result_are_those_of_the_file(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "search", QUERY, "--strategy", "json_recursive_text", "-k", "1", "--json")
    (found,) = json.loads(told.output)["results"]
    lines = built_project.file(found["repository"], found["path"]).read_text(encoding="utf-8").splitlines()
    there = lines[found["start_line"] - 1 : found["end_line"]]
    assert [line.strip() for line in found["text"].splitlines() if line.strip()][1:-1] == [
        line.strip() for line in there if line.strip()
    ][1:-1]


def test_a_person_is_shown_file_lines_unit_and_score(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "search", QUERY, "--retriever", "bm25", "-k", "2")
    assert told.code == 0
    for heading in ("file", "lines", "unit", "score", "text"):
        assert heading in told.output
    assert "atlas-docs/src/" in told.output


def test_only_the_given_repository_is_searched(run_in: Command, built_project: Project) -> None:
    arguments = ("search", QUERY, "--retriever", "bm25", "--json", "--repository")
    found = json.loads(run_in(built_project, *arguments, "atlas-docs").output)["results"]
    assert {each["repository"] for each in found} == {"atlas-docs"}
    refused = run_in(built_project, *arguments, "harbour")
    assert refused.code == 2
    assert "no source is named 'harbour'; there are: atlas-docs" in refused.errors


def test_only_chunks_in_the_given_language_are_found_and_it_is_shown(
    run_in: Command, built_project: Project
) -> None:
    arguments = ("search", QUERY, "--retriever", "bm25", "--language", "de")
    found = json.loads(run_in(built_project, *arguments, "--json").output)["results"]
    assert {each["language"] for each in found} == {"de"}
    shown = run_in(built_project, *arguments).output
    assert "about" in shown
    none = run_in(built_project, *arguments, "--country", "Nederland")
    assert (none.code, none.output.strip()) == (0, "nothing found")


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--strategy", "json_other", "there are: conversation, csv_registry"),
        ("--retriever", "sparse", "there are: bm25, convex, dense, rrf"),
        ("--country", "Utopia", "no country 'Utopia'; give an ISO 3166-1 code such as NL"),
        ("--type", "Z", "no type 'Z'; there are: G (Gallery), L (Library)"),
        ("--tier", "5", "no tier '5'; there are: 1 (TIER_1_AUTHORITATIVE)"),
        ("--language", "xx", "no language 'xx'; give an ISO 639 code such as nl"),
    ],
)
def test_what_is_unknown_is_refused_with_what_there_is(
    run_in: Command, built_project: Project, option: str, value: str, told: str
) -> None:
    refused = run_in(built_project, "search", QUERY, option, value)
    assert refused.code == 2
    assert told in refused.errors
    assert refused.output == ""


@pytest.mark.parametrize("query", ["xyzzy", "…", ""])
def test_nothing_found_is_no_failure(run_in: Command, built_project: Project, query: str) -> None:
    told = run_in(built_project, "search", query, "--retriever", "bm25")
    assert told.code == 0
    assert "nothing found" in told.output
    told = run_in(built_project, "search", query, "--retriever", "bm25", "--json")
    assert json.loads(told.output) == {"query": query, "results": []}


def test_searching_before_anything_is_ingested_says_what_to_run(
    run_in: Command, own_project: Project
) -> None:
    shutil.rmtree(own_project.root / "warehouse")
    told = run_in(own_project, "search", QUERY)
    assert told.code == 1
    assert "run 'chunk-pipeline run' first" in told.errors


def test_evaluating_what_is_evaluated_does_nothing(run_in: Command, built_project: Project) -> None:
    before = built_project.digests()
    told = run_in(built_project, "evaluate")
    assert told.code == 0
    assert "up to date" in told.output
    assert "0 files chunked, 0 texts encoded." in told.output
    assert built_project.digests() == before


def test_evaluating_makes_again_what_is_gone(run_in: Command, own_project: Project) -> None:
    before = own_project.digests()
    Path(str(own_project.warehouse.files(RETRIEVAL_METRICS)[0])).unlink()
    told = run_in(own_project, "evaluate")
    assert told.code == 0
    assert "0 texts encoded" in told.output
    for wanted in ("json_category_breadcrumb", "parses", "mrr", "report.html", ".duckdb"):
        assert wanted in told.output
    assert own_project.digests() == before


def test_the_doctor_finds_a_healthy_project_in_order(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "doctor")
    assert told.code == 0, told
    assert "everything is in order" in told.output
    for wanted in ("torch", "all-MiniLM-L6-v2", "ready", "1 sources", str(built_project.root / "warehouse")):
        assert wanted in told.output
    # The text baseline does not promise that its chunks parse: a warning, shown and no failure.
    (line,) = [each for each in told.output.splitlines() if "parse_integrity" in each]
    assert all(each in line for each in ("chunks_json_recursive_text", "atlas-docs", "WARN"))


def test_the_doctor_fails_while_a_blocking_check_does(
    run_in: Command, own_project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluation = dg.AssetCheckEvaluation(
        asset_key=dg.AssetKey("gold_queries"),
        check_name="gold_resolves",
        passed=False,
        metadata={},
        severity=dg.AssetCheckSeverity.ERROR,
    )
    monkeypatch.setenv("DAGSTER_HOME", str(own_project.root / "dagster_home"))
    with dg.DagsterInstance.get() as instance:
        instance.report_runless_asset_event(evaluation)
    told = run_in(own_project, "doctor")
    assert told.code == 1
    (line,) = [each for each in told.output.splitlines() if "gold_resolves" in each]
    assert "ERROR" in line
    assert "everything is in order" not in told.output


def test_the_doctor_names_what_is_wrong_with_the_sources_file(run_in: Command, own_project: Project) -> None:
    own_project.sources.write_text("sources: nothing\n", encoding="utf-8")
    told = run_in(own_project, "doctor")
    assert told.code == 1
    assert "sources.yaml:1" in told.output


def test_the_report_is_told_where_it_is_or_printed(run_in: Command, built_project: Project) -> None:
    told = run_in(built_project, "report")
    assert told.code == 0
    paths = [Path(line.split(maxsplit=1)[1]) for line in told.output.splitlines()]
    assert [path.suffix for path in paths] == [".html", ".md"]
    assert all(path.is_file() for path in paths)
    printed = run_in(built_project, "report", "--markdown")
    assert printed.code == 0
    assert printed.output.strip() == paths[1].read_text(encoding="utf-8").strip()
    assert "## What to do" in printed.output
