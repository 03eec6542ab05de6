"""Bad and odd HTML, XML and Markdown through the pipeline: rows 44 to 52 of the table of bad inputs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import chunk_pipeline
from tests.bad_inputs.case import Case, parameters
from tests.bad_inputs.markup_cases import HIDDEN, MARKUP_CASES, UNSEEN
from tests.bad_inputs.outcomes import check
from tests.bad_inputs.pathological import PATTERNS
from tests.bad_inputs.pipeline import Put, put_cases

PAGES = ("recursive", "website")
MARKDOWN = (
    "markdown_header",
    "markdown_recursive",
    "markdown_structure_breadcrumb",
    "markdown_syntax",
    "recursive",
    "sentence",
)
GOOD = {
    "good/page.html": b"<html><body><h1>Salt</h1><p>A pan.</p></body></html>",
    "good/page.md": b"# Salt\n\nA pan.\n",
}
SIZE = 50_000
"""Characters of a pathological text: its square is minutes of any parser."""

PATHOLOGICAL = tuple(
    Case(
        f"row 50 {what}",
        f"row50/{what.replace(' ', '-')}.md",
        make(SIZE).encode(),
        "accepted",
        profile="code",
    )
    for place, (what, make) in enumerate(PATTERNS.items())
)
OF_PAGES = tuple(case for case in MARKUP_CASES if case.profile in ("archive", "dropping"))
OF_TEXT = tuple(case for case in MARKUP_CASES if case not in OF_PAGES)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("pages"), OF_PAGES, GOOD, strategies=PAGES)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("texts"), OF_TEXT, GOOD, strategies=MARKDOWN)


@pytest.fixture(scope="module")
def pathological(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("pathological"), PATHOLOGICAL, GOOD, strategies=MARKDOWN)


@pytest.mark.parametrize("case", parameters(OF_PAGES))
def test_a_bad_or_odd_page_has_its_right_end(pages: Put, case: Case) -> None:
    check(pages, case, PAGES, knowing=("website",))


@pytest.mark.parametrize("case", parameters(OF_TEXT))
def test_a_bad_or_odd_text_has_its_right_end(texts: Put, case: Case) -> None:
    if case.path.endswith(".md"):
        check(texts, case, MARKDOWN)
    else:
        check(texts, case, ("recursive",), knowing=("recursive",))


@pytest.mark.slow
@pytest.mark.parametrize("case", parameters(PATHOLOGICAL))
def test_a_pathological_text_is_cut_whole_within_the_limit(pathological: Put, case: Case) -> None:
    check(pathological, case, MARKDOWN)
    assert pathological.reasons == {}
    proof = pathological.proofs[case.profile, case.path]["markdown_syntax"]
    assert proof.sizes.over_limit == 0


@pytest.mark.parametrize("what", [pytest.param(what, id=f"row 52 {what}") for what in HIDDEN])
@pytest.mark.bad_input
def test_what_nobody_sees_is_left_out_with_a_reason(pages: Put, what: str) -> None:
    key = ("archive", f"row52/{what.replace(' ', '-')}.html")
    assert UNSEEN not in "\n".join(row["text"] for row in pages.chunks[key]["website"])
    text = pages.text(*key)
    rows = pages.skips[key].get("website", [])
    skipped = {row["reason"] for row in rows if UNSEEN in text[row["start"] : row["end"]]}
    # Comments and attributes are markup: a reader of the source sees no text there that could be skipped.
    assert bool(skipped) == (what not in ("a comment", "a data address", "a handler")), skipped


def test_no_entity_is_expanded_and_nothing_is_fetched(pages: Put, texts: Put) -> None:
    for put, cases in ((pages, OF_PAGES), (texts, OF_TEXT)):
        for case in cases:
            if case.row == 49 and case.right == "accepted":
                for rows in put.chunks[case.profile, case.path].values():
                    text = "\n".join(row["body"] for row in rows)
                    assert "root:" not in text
                    assert len(text) <= 2 * len(case.data)


def test_every_row_has_a_case() -> None:
    assert {case.row for case in (*MARKUP_CASES, *PATHOLOGICAL)} == set(range(44, 53))


def test_no_module_parses_input_with_the_xml_of_the_standard_library() -> None:
    root = Path(chunk_pipeline.__file__).parent
    found = [
        (path.name, name)
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imported(node)
        if name.split(".")[0] == "xml"
    ]
    assert found == []


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


@pytest.mark.parametrize("path", GOOD)
def test_the_good_files_beside_them_are_cut(pages: Put, texts: Put, path: str) -> None:
    assert pages.chunks["archive", "good/page.html"].keys() == set(PAGES)
    assert texts.chunks["code", path].keys() >= {"recursive"}
