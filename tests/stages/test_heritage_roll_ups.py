"""Gazetteer, mentions and duplicates over a real run; damage to them is found, and nothing is done twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from stages_project import Row, cheap_encoder, ingest, named, rewrite

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.stages.deduplication import (
    find_duplicates,
    prove_duplicates,
    searched_chunks,
    without_duplicates,
)
from chunk_pipeline.stages.embeddings import indexed_chunks
from chunk_pipeline.stages.entities import collect_entities, find_mentions, telling
from chunk_pipeline.stages.evaluation import mine_gold
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.table_proofs import prove_bm25_index, prove_dense_index, prove_gold
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import (
    BM25_CHUNKS,
    CHUNKS,
    DUPLICATES,
    GAZETTEER,
    MENTIONS,
)
from tests.end_to_end.project import Project, make_heritage_project

RUN = ("conversation", "csv_registry", "yaml_instance")
REGISTRY = strategy("csv_registry")


def rolled_up(workspace: Workspace) -> list[bool]:
    """Bring everything up to date; whether each stage already was."""
    outcomes = [collect_entities(workspace)]
    outcomes += [find_mentions(workspace, each) for each in telling(workspace)]
    outcomes += [find_duplicates(workspace), mine_gold(workspace)]
    for each in telling(workspace):
        outcomes += [build_bm25_index(workspace, each), build_dense_index(workspace, each)]
    return [each.up_to_date for each in outcomes]


@pytest.fixture(scope="module")
def finished_heritage(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_heritage_project(tmp_path_factory.mktemp("heritage") / "project", RUN)
    workspace = Workspace(project.settings, make_encoder=cheap_encoder)
    ingest(workspace, "heritage")
    assert not any(rolled_up(workspace))
    return project


@pytest.fixture
def heritage(finished_heritage: Project) -> Workspace:
    """The finished project, to be read only."""
    return Workspace(finished_heritage.settings, make_encoder=cheap_encoder)


@pytest.fixture
def damaged(finished_heritage: Project, tmp_path: Path) -> Workspace:
    """A copy to do anything with."""
    shutil.copytree(finished_heritage.root, tmp_path / "project", symlinks=True)
    return Workspace(Project(tmp_path / "project").settings, make_encoder=cheap_encoder)


def test_a_second_run_does_nothing(heritage: Workspace) -> None:
    assert all(rolled_up(heritage))


def test_records_of_all_sources_are_one_entity_with_the_names_of_each(heritage: Workspace) -> None:
    rows = [row for row in heritage.warehouse.read(GAZETTEER).to_pylist() if row["kind"] == "name"]
    archive = [row for row in rows if row["entity_id"] == "NL-ZH-WTK-A-SAW"]
    assert {"Stadsarchief Waterkerk", "Waterkerk City Archives"} <= {row["surface"] for row in archive}
    kinds = {source.partition("/")[2].partition(":")[0] for source in archive[0]["source_ids"]}
    assert kinds == {"csv_registry", "yaml_instance"}


def test_mentions_stand_where_they_say_and_lead_to_known_entities(heritage: Workspace) -> None:
    entities = set(heritage.warehouse.read(GAZETTEER)["entity_id"].to_pylist())
    for each in telling(heritage):
        chunks = heritage.warehouse.read(CHUNKS, strategy=each.name)
        texts = dict(zip(chunks["chunk_id"].to_pylist(), chunks["text"].to_pylist(), strict=True))
        mentions = heritage.warehouse.read(MENTIONS, strategy=each.name).to_pylist()
        assert mentions
        keys = [tuple(row[name] for name in MENTIONS.key) for row in mentions]
        assert len(set(keys)) == len(keys)
        for row in mentions:
            assert texts[row["chunk_id"]][row["start"] : row["end"]] == row["surface"]
            assert row["entity_id"] in entities or row["resolved_by"] == "identifier"


def test_an_acronym_and_short_forms_of_a_conversation_are_resolved(heritage: Workspace) -> None:
    mentions = heritage.warehouse.read(MENTIONS, strategy="conversation").to_pylist()
    found = {(row["surface"], row["entity_id"], row["resolved_by"]) for row in mentions}
    assert ("SAW", "NL-ZH-WTK-A-SAW", "acronym") in found
    assert {row["resolved_by"] for row in mentions} >= {"name", "identifier", "nominal"}


def test_the_row_that_is_there_twice_and_rows_of_one_entity_are_duplicates(heritage: Workspace) -> None:
    rows = heritage.warehouse.read(DUPLICATES).to_pylist()
    own = [row for row in rows if row["path"] == "registries/isil-codes_waterkerk.csv"]
    assert "exact_text" in {row["reason"] for row in own}
    assert any(row["reason"].startswith("entity ISIL:NL-") for row in own)
    assert {row["strategy"] for row in rows} == {"csv_registry", "yaml_instance"}


def test_undamaged_duplicates_pass(heritage: Workspace) -> None:
    for finding in prove_duplicates(heritage):
        assert finding.passed, finding
        assert finding.of > 0


def test_the_indexes_hold_what_is_searched_and_nothing_is_lost_from_them(heritage: Workspace) -> None:
    duplicates = heritage.warehouse.read(DUPLICATES)
    winner_of = dict(
        zip(duplicates["chunk_id"].to_pylist(), duplicates["winner_id"].to_pylist(), strict=True)
    )
    left_out = 0
    for each in telling(heritage):
        searched = set(searched_chunks(heritage, each)["chunk_id"].to_pylist())
        gone = set(indexed_chunks(heritage, each)["chunk_id"].to_pylist()) - searched
        assert all(winner_of[chunk] in searched for chunk in gone)
        assert (
            set(heritage.warehouse.read(BM25_CHUNKS, strategy=each.name)["chunk_id"].to_pylist()) == searched
        )
        assert prove_bm25_index(heritage, each).passed
        assert prove_dense_index(heritage, each).passed
        left_out += len(gone)
    assert left_out > 0
    assert prove_gold(heritage).passed


def test_a_record_that_says_more_is_still_found_though_another_stands_for_it(heritage: Workspace) -> None:
    rows = heritage.warehouse.read(DUPLICATES).to_pylist()
    saying_more = {row["chunk_id"] for row in rows if row["says_more"]}
    silent = {row["chunk_id"] for row in rows if not row["says_more"]}
    names = ("csv_registry", "yaml_instance")
    chunks = pa.concat_tables(indexed_chunks(heritage, strategy(name)) for name in names)
    kept = set(without_duplicates(chunks, heritage.warehouse.read(DUPLICATES))["chunk_id"].to_pylist())
    assert saying_more
    assert silent
    assert saying_more <= kept
    assert not silent & kept


def test_what_another_strategys_index_holds_replaces_nothing(heritage: Workspace) -> None:
    instances = indexed_chunks(heritage, strategy("yaml_instance"))
    duplicates = heritage.warehouse.read(DUPLICATES)
    assert pc.sum(pc.equal(duplicates["strategy"], "yaml_instance")).as_py() > 0
    kept = without_duplicates(instances, duplicates)
    lost = set(instances["chunk_id"].to_pylist()) - set(kept["chunk_id"].to_pylist())
    rows = [row for row in duplicates.to_pylist() if row["chunk_id"] in lost]
    assert all(row["winner_id"] in set(kept["chunk_id"].to_pylist()) for row in rows)


def test_a_winner_that_is_a_duplicate_itself_is_named(damaged: Workspace) -> None:
    def chain(rows: list[Row]) -> None:
        rows[0]["winner_id"] = rows[1]["chunk_id"]

    rewrite(damaged.warehouse, DUPLICATES, chain)
    finding = named(prove_duplicates(damaged), "winners_are_kept")
    assert (finding.passed, finding.figure) == (False, 1)
    assert named(prove_duplicates(damaged), "kept_and_duplicates_are_all").passed


def test_a_duplicate_that_is_no_chunk_or_is_there_twice_is_named(damaged: Workspace) -> None:
    def add(rows: list[Row]) -> None:
        rows.append({**rows[0], "chunk_id": "nobody"})
        rows.append(dict(rows[1]))

    rewrite(damaged.warehouse, DUPLICATES, add)
    finding = named(prove_duplicates(damaged), "kept_and_duplicates_are_all")
    assert not finding.passed
    assert "nobody" in {row["chunk_id"] for row in finding.worst}
    assert len(finding.worst) == 2


def test_an_index_from_before_a_change_of_duplicates_is_not_current(damaged: Workspace) -> None:
    kept = searched_chunks(damaged, REGISTRY).num_rows
    rewrite(damaged.warehouse, DUPLICATES, lambda rows: rows.clear())
    assert searched_chunks(damaged, REGISTRY).num_rows > kept
    assert not prove_bm25_index(damaged, REGISTRY).passed
    assert not build_bm25_index(damaged, REGISTRY).up_to_date
    assert prove_bm25_index(damaged, REGISTRY).passed


def test_entities_follow_their_sources_and_duplicates_do_too(damaged: Workspace) -> None:
    root = Path(str(damaged.settings.sources)).parent / "repositories" / "heritage"
    (root / "registries" / "zusters.tsv").unlink()
    ingest(damaged, "heritage")
    before = set(damaged.warehouse.read(GAZETTEER)["entity_id"].to_pylist())
    states = rolled_up(damaged)
    assert not states[0]
    sources = {s for row in damaged.warehouse.read(GAZETTEER).to_pylist() for s in row["source_ids"]}
    assert not any("zusters.tsv" in each for each in sources)
    assert set(damaged.warehouse.read(GAZETTEER)["entity_id"].to_pylist()) <= before
    assert all(each.passed for each in prove_duplicates(damaged))
