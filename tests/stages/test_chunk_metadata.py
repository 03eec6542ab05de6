from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from stages_project import Row, rewrite

from chunk_pipeline.chunking.facts.facts import RegistryFacts, WebsiteFacts
from chunk_pipeline.chunking.facts.rows import facts_of, facts_row
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.stages.chunk_metadata import describe
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.metadata_proofs import prove_chunk_metadata
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import Inputs
from chunk_pipeline.warehouse.heritage_tables import CHUNK_METADATA_TABLE, GAZETTEER, MENTIONS
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS
from tests.end_to_end.project import make_project

STRATEGY = strategy("json_category")
OWN = Partition(strategy=STRATEGY.name)
CHUNKS_OF_ONE = Partition(strategy=STRATEGY.name, repository="atlas-docs")
MUSEUM = RegistryFacts(
    source_id="csv_registry:a.csv#1",
    primary_class="Custodian",
    custodian_type=("M", "A"),
    country_code="NL",
    country_source="isil",
    data_tier="TIER_1_AUTHORITATIVE",
    row=1,
    registry="isil",
    slots=(("isil_code", "NL-HaNA"),),
)
PAGE = WebsiteFacts(
    source_id="website:b.html#/html[1]",
    primary_class="WebPage",
    data_tier="TIER_4_INFERRED",
    xpath="/html[1]",
    xpath_verified=True,
    section_type="about",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """One sample repository, cut."""
    project = make_project(tmp_path / "project", "atlas-docs", strategies=[STRATEGY.name])
    workspace = Workspace(project.settings)
    for stage in (scan_source, filter_source, label_source):
        stage(workspace, "atlas-docs")
    chunk_files(workspace, "atlas-docs", STRATEGY)
    return workspace


@pytest.fixture
def described(workspace: Workspace) -> Workspace:
    """Two chunks of one repository have facts; the first mentions two entities."""

    def add_facts(rows: list[Row]) -> None:
        rows[0]["facts"], rows[1]["facts"] = facts_row(MUSEUM), facts_row(PAGE)

    rewrite(workspace.warehouse, CHUNKS, add_facts, CHUNKS_OF_ONE)
    first = _ids(workspace)[0]
    mentions = [
        {
            "strategy": STRATEGY.name,
            "chunk_id": first,
            "start": at,
            "end": at + 3,
            "surface": "abc",
            "entity_id": entity,
            "resolved_by": "name",
            "confidence": 1.0,
        }
        for at, entity in enumerate(["ISIL:NL-HaNA", "ISIL:NL-AmRMA", "ISIL:NL-HaNA"])
    ]
    entities = [
        {
            "entity_id": entity,
            "surface": entity,
            "kind": "identifier",
            "primary_class": "Custodian",
            "custodian_type": [],
            "source_ids": [],
        }
        for entity in ("ISIL:NL-HaNA", "ISIL:NL-AmRMA")
    ]
    warehouse = workspace.warehouse
    warehouse.write(MENTIONS, pa.Table.from_pylist(mentions, schema=MENTIONS.schema), Inputs({}), OWN)
    warehouse.write(GAZETTEER, pa.Table.from_pylist(entities, schema=GAZETTEER.schema), Inputs({}))
    describe(workspace, STRATEGY)
    return workspace


def _ids(workspace: Workspace) -> list[str]:
    return workspace.warehouse.read(CHUNKS, CHUNKS_OF_ONE)["chunk_id"].to_pylist()[:2]


def _rows(workspace: Workspace) -> dict[str, Row]:
    rows = workspace.warehouse.read(CHUNK_METADATA_TABLE, OWN).to_pylist()
    return {row["chunk_id"]: row for row in rows}


def test_each_chunk_with_facts_has_a_row_that_gives_them_back(described: Workspace) -> None:
    rows, ids = _rows(described), _ids(described)
    assert sorted(rows) == sorted(ids)
    place = {"chunk_id", "strategy", "repository", "path", "mentioned_entities", "mentioned_classes"}
    facts = [
        facts_of({name: value for name, value in rows[each].items() if name not in place}) for each in ids
    ]
    assert facts == [MUSEUM, PAGE]


def test_a_row_has_the_entities_that_its_text_mentions_once_and_sorted(described: Workspace) -> None:
    first, second = (_rows(described)[each] for each in _ids(described))
    assert first["mentioned_entities"] == ["ISIL:NL-AmRMA", "ISIL:NL-HaNA"]
    assert first["mentioned_classes"] == ["Custodian"]
    assert second["mentioned_entities"] == second["mentioned_classes"] == []


def test_it_is_done_again_only_where_chunks_or_mentions_changed(described: Workspace) -> None:
    assert describe(described, STRATEGY).up_to_date
    rewrite(described.warehouse, MENTIONS, list.pop, OWN)
    assert not describe(described, STRATEGY).up_to_date
    rewrite(described.warehouse, CHUNKS, lambda rows: rows[0].update(facts=None), CHUNKS_OF_ONE)
    again = describe(described, STRATEGY)
    assert (again.up_to_date, again.counts) == (False, {"chunks_described": 1})


def test_chunks_without_facts_and_a_run_without_entities_give_no_rows(workspace: Workspace) -> None:
    assert describe(workspace, STRATEGY).counts == {"chunks_described": 0}
    assert prove_chunk_metadata(workspace, STRATEGY).passed


def test_whole_metadata_pass_the_check(described: Workspace) -> None:
    found = prove_chunk_metadata(described, STRATEGY)
    assert (found.passed, found.figure, found.of) == (True, 0, 2)


def test_a_fact_of_another_kind_of_source_and_a_missing_row_are_named(described: Workspace) -> None:
    def damage(rows: list[Row]) -> None:
        museum = next(row for row in rows if row["registry"])
        museum["section_type"] = "about"
        rows.remove(next(row for row in rows if row["xpath"]))

    rewrite(described.warehouse, CHUNK_METADATA_TABLE, damage, OWN)
    found = prove_chunk_metadata(described, STRATEGY)
    assert (found.passed, found.figure) == (False, 2)
    errors = " ".join(str(row["error"]) for row in found.worst)
    assert "section_type" in errors
    assert "no row in chunk_metadata" in errors
