"""What stages say when an input is not there, what pruning drops and keeps, and what a search finds."""

from __future__ import annotations

import shutil

import pytest
from stages_project import cheap_encoder

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.corpus.sources import SourcesError
from chunk_pipeline.stages.catalog import is_published, prune, publish_catalog
from chunk_pipeline.stages.corpus import NotMaterializedError, filter_source, label_source
from chunk_pipeline.stages.embeddings import QUERIES
from chunk_pipeline.stages.evaluation import DEPTH
from chunk_pipeline.stages.search import find, recommended_strategies
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import Inputs
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import (
    CHUNKS,
    DENSE_INDEX,
    FILTERED_FILES,
    GOLD_QUERIES,
    RANKINGS,
    RAW_FILES,
    STRUCTURE_METRICS,
    TABLES,
    VECTORS,
)
from tests.end_to_end.project import Project

HARBOUR = Partition(repository="harbour")
NAME = "json_category"


def leave_out(project: Project, name: str) -> None:
    """Take a source out of the sources file."""
    lines = project.sources.read_text(encoding="utf-8").splitlines()
    first = lines.index(f"  - name: {name}")
    project.sources.write_text("\n".join(lines[:first] + lines[first + 4 :]) + "\n", encoding="utf-8")


def test_filtering_what_was_never_scanned_says_what_is_missing(workspace: Workspace) -> None:
    workspace.warehouse.drop(RAW_FILES, HARBOUR)
    with pytest.raises(NotMaterializedError, match="raw_files of harbour is not there or damaged; material"):
        filter_source(workspace, "harbour")


def test_labelling_a_damaged_table_says_which(workspace: Workspace, project: Project) -> None:
    [path] = workspace.warehouse.files(FILTERED_FILES, HARBOUR)
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(NotMaterializedError, match="filtered_files of harbour is not there or damaged"):
        label_source(workspace, "harbour")


def test_searching_without_an_index_says_what_to_run(workspace: Workspace, project: Project) -> None:
    workspace.warehouse.drop(DENSE_INDEX, Partition(strategy=NAME))
    shutil.rmtree(project.root / "warehouse" / "releases")
    with pytest.raises(NotMaterializedError, match=f"{NAME} has no index yet; run 'chunk-pipeline run'"):
        find(workspace, "harbour", strategy=strategy(NAME), retriever="bm25", k=3)


def test_a_source_that_left_is_dropped_from_every_table(workspace: Workspace, project: Project) -> None:
    leave_out(project, "atlas-docs")
    dropped = prune(workspace)
    assert {each.repository for _, each in dropped} == {"atlas-docs"}
    for table in TABLES:
        repositories = {each.repository for each in workspace.warehouse.partitions(table)}
        assert "atlas-docs" not in repositories, table.name
    assert workspace.warehouse.read(CHUNKS, repository="harbour").num_rows > 0
    assert prune(workspace) == []


def test_pruning_keeps_the_vectors_of_the_gold_queries(workspace: Workspace, project: Project) -> None:
    before = workspace.warehouse.stored(VECTORS, QUERIES)
    leave_out(project, "atlas-docs")
    prune(workspace)
    assert before is not None
    assert workspace.warehouse.stored(VECTORS, QUERIES) == before


def test_a_strategy_that_is_no_more_is_dropped(workspace: Workspace) -> None:
    retired = Partition(strategy="json_retired", repository="harbour")
    rows = workspace.warehouse.read(CHUNKS, Partition(strategy=NAME, repository="harbour"))
    workspace.warehouse.write(CHUNKS, rows, Inputs({}), retired)
    assert prune(workspace) == [(CHUNKS, retired)]
    assert workspace.warehouse.stored(CHUNKS, retired) is None


def test_a_sources_file_that_does_not_load_drops_nothing(workspace: Workspace, project: Project) -> None:
    before = project.digests()
    project.sources.write_text("sources: nothing\n", encoding="utf-8")
    with pytest.raises(SourcesError, match=r"sources\.yaml"):
        prune(workspace)
    assert project.digests() == before


def test_the_catalog_is_out_of_step_as_soon_as_a_table_is(workspace: Workspace) -> None:
    assert is_published(workspace)
    workspace.warehouse.drop(GOLD_QUERIES, Partition())
    assert not is_published(workspace)
    assert publish_catalog(workspace).rows["gold_queries"] == 0
    assert is_published(workspace)


@pytest.mark.parametrize("retriever", ["bm25", "dense", "rrf", "convex"])
def test_a_search_keeps_to_the_repository_that_it_is_given(untouched: Workspace, retriever: str) -> None:
    everywhere = find(untouched, "vessel name", strategy=strategy(NAME), retriever=retriever, k=1000)
    here = find(
        untouched, "vessel name", strategy=strategy(NAME), retriever=retriever, k=5, repository="harbour"
    )
    assert {each.repository for each in here} == {"harbour"}
    expected = [each.hit.chunk_id for each in everywhere if each.repository == "harbour"]
    assert [each.hit.chunk_id for each in here] == expected[:5]


@pytest.mark.parametrize("retriever", ["bm25", "dense", "rrf", "convex"])
def test_without_a_strategy_every_category_is_searched_in_the_chunks_recommended_for_it(
    untouched: Workspace, retriever: str
) -> None:
    recommended = recommended_strategies(untouched)
    assert set(recommended) == {"schemas_validation", "i18n_translations", "test_config"}
    found = find(untouched, "vessel name page", retriever=retriever, k=1000)
    chunks = untouched.warehouse.read(CHUNKS).select(["chunk_id", "category"]).to_pylist()
    categories = {row["chunk_id"]: row["category"] for row in chunks}
    assert {each.strategy for each in found} == {each.name for each in recommended.values()}
    for each in found:
        assert recommended[categories[each.hit.chunk_id]].name == each.strategy
    assert len({each.hit.chunk_id for each in found}) == len(found)


def test_searching_what_was_never_evaluated_says_what_to_run(workspace: Workspace, project: Project) -> None:
    workspace.warehouse.drop(STRUCTURE_METRICS, Partition())
    shutil.rmtree(project.root / "warehouse" / "releases")
    with pytest.raises(NotMaterializedError, match="run 'chunk-pipeline run' first"):
        find(workspace, "harbour", retriever="bm25", k=3)


def test_bm25_answers_without_a_model(untouched: Workspace) -> None:
    def never(*_: object) -> object:
        raise AssertionError("the model was loaded")

    workspace = Workspace(untouched.settings, make_encoder=never)  # type: ignore[arg-type]  # it never returns
    assert find(workspace, "vessel", strategy=strategy(NAME), retriever="bm25", k=3)


def test_every_query_has_a_ranking_of_every_indexed_chunk_up_to_the_depth(untouched: Workspace) -> None:
    rankings = untouched.warehouse.read(RANKINGS, strategy=NAME).to_pylist()
    indexed = untouched.warehouse.read(DENSE_INDEX, strategy=NAME).num_rows
    counts: dict[tuple[str, str], int] = {}
    for row in rankings:
        key = (row["retriever"], row["query"])
        counts[key] = counts.get(key, 0) + 1
    queries = set(untouched.warehouse.read(GOLD_QUERIES)["query"].to_pylist())
    assert len(counts) == 4 * len(queries)
    assert set(counts.values()) == {min(indexed, DEPTH)}


def test_vectors_lie_under_the_key_of_the_model(untouched: Workspace) -> None:
    keys = set(untouched.warehouse.read(VECTORS)["model"].to_pylist())
    assert keys == {untouched.model_key} == {cheap_encoder("", "fp32").key}
