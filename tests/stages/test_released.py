"""A search answers from one state: that of the last run that was whole, until the next one is."""

from __future__ import annotations

from dataclasses import replace

from stages_project import cheap_encoder, ingest, roll_up

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.retrieval.search import Result
from chunk_pipeline.stages.catalog import publish_catalog
from chunk_pipeline.stages.current import is_settled
from chunk_pipeline.stages.search import find
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.releases import release_numbers, release_path
from chunk_pipeline.warehouse.tables import CHUNKS
from tests.end_to_end.project import Project

NAME = "json_category"
QUERY = "quarantine berth"
OWN = Partition(strategy=NAME, repository="atlas-docs")
SOURCES = ["atlas-docs", "harbour"]


def add_file(project: Project) -> None:
    path = project.file("atlas-docs", "src/i18n/quarantine_en.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"quarantine": {"berth": "The quarantine berth lies apart."}}')


def answer(workspace: Workspace, retriever: str = "bm25") -> list[Result]:
    return find(workspace, QUERY, strategy=strategy(NAME), retriever=retriever, k=5)


def test_while_chunks_are_newer_than_the_index_the_old_answer_is_given_and_then_the_new_one(
    workspace: Workspace, project: Project
) -> None:
    before = answer(workspace)
    chunks = workspace.warehouse.read(CHUNKS, OWN).num_rows
    add_file(project)
    project.file(before[0].repository, before[0].path).unlink()
    for name in SOURCES:
        ingest(workspace, name)  # and killed before any roll-up
    assert workspace.warehouse.read(CHUNKS, OWN).num_rows != chunks
    assert before[0].hit.chunk_id not in workspace.warehouse.read(CHUNKS)["chunk_id"].to_pylist()
    assert answer(workspace) == before
    roll_up(workspace)
    after = answer(workspace)
    assert after[0].path == "src/i18n/quarantine_en.json"


def test_a_catalog_over_tables_that_are_ahead_of_their_roll_ups_is_no_release(
    workspace: Workspace, project: Project
) -> None:
    before = answer(workspace)
    add_file(project)
    ingest(workspace, "atlas-docs")
    publish_catalog(workspace)
    assert release_numbers(workspace.warehouse) == [1]
    assert answer(workspace) == before


def test_without_its_release_a_run_is_not_settled(workspace: Workspace) -> None:
    asking = replace(workspace, asking=True)
    assert is_settled(asking, SOURCES)
    release_path(workspace.warehouse, 1).unlink()
    assert not is_settled(asking, SOURCES)
    publish_catalog(workspace)
    assert is_settled(asking, SOURCES)


def test_a_search_loads_a_model_once(project: Project) -> None:
    loaded = []

    def encoder(name: str, *rest: object) -> object:
        loaded.append(name)
        return cheap_encoder(name, "fp32")

    workspace = Workspace(project.settings, make_encoder=encoder)  # type: ignore[arg-type]
    answer(workspace, "dense")
    answer(workspace, "dense")
    assert len(loaded) == 1
