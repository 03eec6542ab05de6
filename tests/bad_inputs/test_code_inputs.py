"""Bad and odd code through the pipeline: rows 53 and 54 of the table of bad inputs."""

from __future__ import annotations

import pytest

from chunk_pipeline.chunking.syntax import parses
from tests.bad_inputs.case import Case, parameters
from tests.bad_inputs.code_cases import CODE_CASES, WHOLE
from tests.bad_inputs.outcomes import check
from tests.bad_inputs.pipeline import Put, put_cases

SCRIPTS = ("js_language", "js_language_breadcrumb", "js_recursive", "js_syntax")
COMPONENTS = ("vue_blocks", "vue_component_breadcrumb", "vue_language", "vue_syntax")
GOOD = {"good/a.js": b"export const salt = 1\n", "good/a.vue": b"<template><p>salt</p></template>\n"}


DEEP = tuple(case for case in CODE_CASES if case.row == 53)
ODD = tuple(case for case in CODE_CASES if case.row == 54)


def names_for(case: Case) -> tuple[str, ...]:
    return COMPONENTS if case.path.endswith(".vue") else SCRIPTS


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("code"), ODD, GOOD, strategies=SCRIPTS + COMPONENTS)


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("deep"), DEEP, GOOD, strategies=SCRIPTS + COMPONENTS)


@pytest.mark.parametrize("case", parameters(ODD))
def test_odd_code_is_cut_and_nothing_of_it_is_lost(put: Put, case: Case) -> None:
    loses_nothing(put, case)


@pytest.mark.slow
@pytest.mark.parametrize("case", parameters(DEEP))
def test_deep_code_is_cut_and_nothing_of_it_is_lost(deep: Put, case: Case) -> None:
    loses_nothing(deep, case)
    assert deep.reasons == {}


def loses_nothing(put: Put, case: Case) -> None:
    for name in names_for(case):
        key = (case.profile, case.path)
        assert put.files[key]["fate"] == "kept"
        assert put.reason(*key, name) == ""
        assert put.proofs[key][name].holds, name
        for held in case.holds:
            assert held in put.spans(*key, name), name


@pytest.mark.parametrize("case", parameters(ODD))
def test_integrity_is_relative_to_the_sources_own_validity(put: Put, case: Case) -> None:
    name = "vue_syntax" if case.path.endswith(".vue") else "js_syntax"
    key = (case.profile, case.path)
    proof = put.proofs[key][name]
    source_parses = parses("vue" if name == "vue_syntax" else "javascript", put.text(*key))
    assert source_parses == (case.id.removeprefix("row 54 ") in WHOLE)
    if source_parses:
        assert proof.parsing == proof.chunks
    else:
        # What does not parse says why: the check that blocks tells a fault of ours from one of theirs.
        for row in put.chunks[key][name]:
            assert row["parses"] or row["metadata"]["fallback"], row["body"]


def test_every_row_has_a_case() -> None:
    assert {case.row for case in CODE_CASES} == {53, 54}


@pytest.mark.parametrize("path", GOOD)
def test_the_good_files_beside_them_are_cut(put: Put, path: str) -> None:
    assert put.chunks["code", path]


def test_nothing_is_quarantined(put: Put) -> None:
    assert put.reasons == {}


def test_what_parses_is_cut_into_what_parses(put: Put) -> None:
    for case in ODD:
        if case.id.removeprefix("row 54 ") in WHOLE:
            check(put, case, names_for(case)[-1:])
