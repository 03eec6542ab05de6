"""Bad and odd JSON through the pipeline: rows 1 to 22 of the table of bad inputs."""

from __future__ import annotations

import json

import pytest

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.stages.json_names import prove_json_names
from tests.bad_inputs.case import Case, parameters
from tests.bad_inputs.json_cases import JSON_CASES
from tests.bad_inputs.outcomes import check, check_good_file
from tests.bad_inputs.pipeline import Put, put_cases

STRATEGIES = (
    "json_category",
    "json_category_breadcrumb",
    "json_recursive_text",
    "json_recursive_tree",
    "json_syntax",
)
GOOD = {
    "good/a.json": json.dumps({"salt": {"kettle": ["iron", 1]}}).encode(),
    "zz-good/i18n/app_en.json": b'{"TITLE": "Salt museum"}',
}


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("json"), JSON_CASES, GOOD, strategies=STRATEGIES)


@pytest.mark.parametrize("case", parameters(JSON_CASES))
def test_a_bad_or_odd_json_file_has_its_right_end(put: Put, case: Case) -> None:
    check(put, case, STRATEGIES)


def test_every_row_has_a_case() -> None:
    assert {case.row for case in JSON_CASES} == set(range(1, 23))


@pytest.mark.parametrize("path", GOOD)
@pytest.mark.parametrize("source", ["wide", "narrow"])
def test_the_good_files_beside_them_are_cut(put: Put, path: str, source: str) -> None:
    check_good_file(put, path, source, STRATEGIES)


def test_no_reason_is_an_error_that_nobody_foresaw(put: Put) -> None:
    for path, reasons in put.reasons.items():
        for reason in reasons.values():
            assert reason.startswith(("not JSON (RFC 8259): line", "undecodable: ")), (path, reason)


def test_only_the_files_that_must_be_are_quarantined(put: Put) -> None:
    wrong = {(case.profile, case.path) for case in JSON_CASES if case.right == "quarantined"}
    assert set(put.reasons) == wrong


def test_a_name_that_stands_twice_is_counted_and_shown(put: Put) -> None:
    finding = prove_json_names(put.workspace, "wide")
    assert (finding.passed, finding.figure) == (False, 3)
    assert sorted((row["unit"], row["name"], row["line"]) for row in finding.worst) == [
        ("/a", "a", 1),
        ("/x/0/k", "k", 1),
        ("/x/0/k", "k", 1),
    ]
    assert prove_json_names(put.workspace, "narrow").passed


def test_a_text_behind_a_mark_counts_from_its_first_character(put: Put) -> None:
    for case in JSON_CASES:
        if case.row in (9, 10) and case.right == "accepted":
            text = put.text("wide", case.path)
            assert text == '{"salt": "zoutkeet é 😀"}'
            (row,) = put.chunks["wide", case.path]["json_syntax"]
            assert row["spans"] == [{"start": 0, "end": len(text)}]


def test_a_pointer_leads_to_its_member_and_a_header_is_one_line(put: Put) -> None:
    for case in JSON_CASES:
        if case.row != 17:
            continue
        name = next(iter(json.loads(case.data)))
        (row,) = put.chunks["wide", case.path]["json_category_breadcrumb"]
        assert row["unit"] == "/" + name.replace("~", "~0").replace("/", "~1")
        assert len(row["header"].splitlines()) == 1
        assert row["text"] == f"{row['header']}\n{row['body']}"
        assert json.loads(row["body"]) == {name: {"salt": "pan"}}


def test_a_huge_value_is_whole_and_flagged(put: Put) -> None:
    case = next(case for case in JSON_CASES if case.row == 18 and case.right == "accepted")
    for name in ("json_category", "json_syntax"):
        (row,) = put.chunks[case.profile, case.path][name]
        assert row["oversized"]
        assert json.loads(row["opening"] + row["body"] + row["closing"]) == json.loads(case.data)
    assert row["metadata"]["indivisible"]


def test_a_baseline_that_falls_back_says_so(put: Put) -> None:
    for case in JSON_CASES:
        if case.right == "quarantined" and put.files[case.profile, case.path]["fate"] == "kept":
            rows = put.chunks[case.profile, case.path]["json_recursive_tree"]
            assert all("JSON" in row["metadata"]["fallback"] for row in rows)


def test_strategies_that_know_json_are_those_that_promise_it() -> None:
    assert [name for name in STRATEGIES if strategy(name).promises_integrity] == [
        "json_category",
        "json_category_breadcrumb",
        "json_syntax",
    ]
