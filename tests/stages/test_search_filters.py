from __future__ import annotations

from pathlib import Path

import pytest
from stages_project import Row, cheap_encoder, rewrite

from chunk_pipeline.chunking.facts.facts import InstanceFacts
from chunk_pipeline.chunking.facts.rows import facts_row
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.retrieval.filters import Filters
from chunk_pipeline.retrieval.search import Result
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.embeddings import embed, post
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.search import find
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS
from tests.end_to_end.project import make_project

STRATEGY = strategy("json_category")
SOURCES = ("atlas-docs", "harbour")
EVERY = 1_000


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Two indexed sources, in whose first chunks a Dutch museum and a Belgian archive stand."""
    root: Path = tmp_path_factory.mktemp("filters") / "project"
    project = make_project(root, *SOURCES, strategies=[STRATEGY.name])
    workspace = Workspace(project.settings, make_encoder=cheap_encoder)
    for name in SOURCES:
        for stage in (scan_source, filter_source, label_source):
            stage(workspace, name)
        chunk_files(workspace, name, STRATEGY)
        rewrite(workspace.warehouse, CHUNKS, _add_facts, Partition(strategy=STRATEGY.name, repository=name))
        embed(workspace, name, STRATEGY)
        post(workspace, name, STRATEGY)
    build_bm25_index(workspace, STRATEGY)
    build_dense_index(workspace, STRATEGY)
    return workspace


def _add_facts(rows: list[Row]) -> None:
    indexed = [row for row in rows if row["category"] == "i18n_translations"]
    for entity, (row, country, letter) in enumerate(zip(indexed, ("NL", "BE"), ("M", "A"), strict=False)):
        row["facts"] = facts_row(
            InstanceFacts(
                source_id=f"yaml_instance:{row['path']}#/{entity}",
                primary_class="Custodian",
                custodian_type=(letter,),
                country_code=country,
                country_source="explicit",
                data_tier="TIER_2_VERIFIED",
                entity=entity,
                pointer=f"0:/{entity}",
                language="nl",
            )
        )


def _found(workspace: Workspace, filters: Filters, repository: str | None = None) -> list[Result]:
    return find(
        workspace,
        "the harbour",
        strategy=STRATEGY,
        retriever="dense",
        k=EVERY,
        repository=repository,
        filters=filters,
    )


def test_only_chunks_that_pass_are_found(workspace: Workspace) -> None:
    found = _found(workspace, Filters(country="NL"))
    assert {each.repository for each in found} == set(SOURCES)
    assert len(found) == 2
    assert {each.known.country_code for each in found} == {"NL"}
    assert _found(workspace, Filters(country="NL", type_letter="A")) == []
    assert len(_found(workspace, Filters(tier="TIER_2_VERIFIED", type_letter="A"))) == 2
    assert len(_found(workspace, Filters(tier="TIER_1_AUTHORITATIVE"))) == 0


def test_a_filter_and_a_source_both_hold(workspace: Workspace) -> None:
    (found,) = _found(workspace, Filters(type_letter="M"), "harbour")
    assert (found.repository, found.known.custodian_type, found.known.language) == ("harbour", ("M",), "nl")


def test_the_language_of_translations_counts_as_that_of_records(workspace: Workspace) -> None:
    languages = {each.known.language for each in _found(workspace, Filters())}
    assert {"nl", "en", None} <= languages
    assert {each.known.language for each in _found(workspace, Filters(language="en"))} == {"en"}


def test_ranks_and_scores_are_those_of_the_whole_index(workspace: Workspace) -> None:
    scores = {each.hit.chunk_id: each.hit.score for each in _found(workspace, Filters())}
    found = _found(workspace, Filters(tier="TIER_2_VERIFIED"))
    assert [each.hit.rank for each in found] == list(range(1, len(found) + 1))
    assert all(scores[each.hit.chunk_id] == each.hit.score for each in found)
