"""Bad and odd queries, counts and filters, in the library and on the command line: rows 66 and 67."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from chunk_pipeline import cli
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.retrieval.filters import Filters
from chunk_pipeline.retrieval.rankings import RETRIEVERS
from chunk_pipeline.retrieval.search import MAX_QUERY, Result, clean
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.embeddings import embed, embed_queries, post
from chunk_pipeline.stages.evaluation import mine_gold
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.search import find
from chunk_pipeline.stages.workspace import Workspace
from tests.bad_inputs.query_cases import ARGUMENTS, NOTHING, WORDS
from tests.end_to_end.project import Project, make_project
from tests.stages.stages_project import cheap_encoder

STRATEGY = strategy("json_category")
NAME = "harbour"
WORD = "harbour"

BY_RETRIEVER = pytest.mark.parametrize(
    "retriever",
    [pytest.param(each, marks=() if each in ("bm25", "rrf") else pytest.mark.slow) for each in RETRIEVERS],
)

pytestmark = pytest.mark.bad_input


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = make_project(tmp_path_factory.mktemp("queries") / "project", NAME, strategies=[STRATEGY.name])
    workspace = Workspace(made.settings, make_encoder=cheap_encoder)
    for stage in (scan_source, filter_source, label_source):
        stage(workspace, NAME)
    for cut in (chunk_files, embed, post):
        cut(workspace, NAME, STRATEGY)
    mine_gold(workspace)
    embed_queries(workspace)
    build_bm25_index(workspace, STRATEGY)
    build_dense_index(workspace, STRATEGY)
    return made


@pytest.fixture(scope="module")
def workspace(project: Project) -> Workspace:
    return Workspace(project.settings, make_encoder=cheap_encoder)


def found(
    workspace: Workspace, query: str, retriever: str = "rrf", k: int = 3, **more: object
) -> list[Result]:
    return find(workspace, query, strategy=STRATEGY, retriever=retriever, k=k, **more)  # type: ignore[arg-type]


def is_ranking(results: list[Result]) -> bool:
    hits = [each.hit for each in results]
    return [hit.rank for hit in hits] == list(range(1, len(hits) + 1)) and all(
        math.isfinite(hit.score) for hit in hits
    )


@BY_RETRIEVER
@pytest.mark.parametrize("query", NOTHING.values(), ids=[f"row 66 {what}" for what in NOTHING])
def test_a_query_that_holds_nothing_finds_nothing(workspace: Workspace, query: str, retriever: str) -> None:
    assert found(workspace, query, retriever) == []


@BY_RETRIEVER
@pytest.mark.parametrize("query", WORDS.values(), ids=[f"row 66 {what}" for what in WORDS])
def test_a_query_is_words_and_nothing_more(
    workspace: Workspace, project: Project, query: str, retriever: str
) -> None:
    before = project.digests()
    results = found(workspace, query, retriever)
    assert is_ranking(results)
    assert len(results) == 3 or retriever == "bm25"
    assert project.digests() == before
    assert len(clean(query)) <= MAX_QUERY
    if WORD in clean(query) and retriever == "bm25":
        assert any(WORD in result.text.lower() for result in results)


def test_a_long_query_is_the_query_of_its_first_characters(workspace: Workspace) -> None:
    query = f"{WORD} " * (MAX_QUERY // 8)
    assert len(query) == MAX_QUERY
    for retriever in RETRIEVERS:
        assert found(workspace, query + "lighthouse " * 100_000, retriever) == found(
            workspace, query, retriever
        )


@BY_RETRIEVER
def test_how_many_are_found_is_defined_for_any_count(workspace: Workspace, retriever: str) -> None:
    every = found(workspace, WORD, retriever, 1_000)
    assert found(workspace, WORD, retriever, 0) == []
    assert found(workspace, WORD, retriever, 10**30) == every
    assert found(workspace, WORD, retriever, 2) == every[:2]
    for count in (-1, -(10**30)):
        with pytest.raises(ValueError, match=f"k is {count}; it must be 0 or more"):
            found(workspace, WORD, retriever, count)


@BY_RETRIEVER
def test_a_filter_that_nothing_passes_finds_nothing(workspace: Workspace, retriever: str) -> None:
    for value in ("NL", "' OR '1'='1", "", "\0", "\U0001f6a2"):
        assert found(workspace, WORD, retriever, filters=Filters(country=value)) == []
        assert found(workspace, WORD, retriever, repository=f"not there {value}") == []


def test_a_filter_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        Filters(colour="red")  # type: ignore[call-arg]


@pytest.mark.parametrize("what", [pytest.param(what, id=f"row 67 {what}") for what in ARGUMENTS])
def test_the_command_has_a_defined_answer_and_exit_code(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], what: str
) -> None:
    arguments, code, said = ARGUMENTS[what]
    for name, value in project.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(project.root)
    options = [] if "--retriever" in arguments else ["--retriever", "bm25"]
    options += [] if "--strategy" in arguments else ["--strategy", STRATEGY.name]
    monkeypatch.setattr(sys, "argv", ["chunk-pipeline", "search", *options, *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    output, errors = capfd.readouterr()
    assert (ended.value.code or 0) == code, errors
    assert said in (output if code == 0 else errors)
    assert "Traceback" not in errors
    assert sorted(path.name for path in Path.cwd().iterdir() if path.name == WORD) == []
