"""Tables over all heritage sources: made again byte for byte, and in step with what changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from stages_project import ingest, roll_up

from chunk_pipeline.stages.current import is_rolled_up, is_up_to_date
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.tables import (
    CHUNK_METADATA_TABLE,
    CHUNKS,
    DUPLICATES,
    GAZETTEER,
    MENTIONS,
    NEAR_DUPLICATES,
    Table,
)
from tests.end_to_end.project import Project

TABLES = (CHUNK_METADATA_TABLE, DUPLICATES, GAZETTEER, MENTIONS, NEAR_DUPLICATES)


def drop(warehouse: Warehouse, table: Table) -> None:
    warehouse.drop(table, warehouse.partitions(table)[0])


def damage(warehouse: Warehouse, table: Table) -> None:
    path = Path(str(warehouse.files(table, warehouse.partitions(table)[0])[0]))
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
@pytest.mark.parametrize("harm", [drop, damage])
def test_a_table_that_is_lost_or_damaged_is_made_again_byte_for_byte(
    heritage_workspace: Workspace,
    heritage_project: Project,
    table: Table,
    harm: Callable[[Warehouse, Table], None],
) -> None:
    before = heritage_project.digests()
    harm(heritage_workspace.warehouse, table)
    assert not is_rolled_up(replace(heritage_workspace, asking=True))
    roll_up(heritage_workspace)
    assert heritage_project.digests() == before
    assert is_rolled_up(replace(heritage_workspace, asking=True))


def test_a_second_pass_does_nothing_and_changes_nothing(
    heritage_workspace: Workspace, heritage_project: Project
) -> None:
    before = heritage_project.digests()
    asking = replace(heritage_workspace, asking=True)
    assert is_up_to_date(asking, "heritage")
    assert is_rolled_up(asking)
    outcomes = [*ingest(heritage_workspace, "heritage"), *roll_up(heritage_workspace)]
    assert all(each.up_to_date and not each.counts for each in outcomes)
    assert heritage_project.digests() == before


def test_a_row_that_goes_takes_its_entity_and_its_mentions_along(
    heritage_workspace: Workspace, heritage_project: Project
) -> None:
    lone = "De Stille Kade"
    registry = heritage_project.file("heritage", "registries/extra.csv")
    registry.write_text(f"Plaats;Instelling;ISIL code\nWaterkerk;{lone};NL-WtkDSK\n", encoding="utf-8")
    ingest(heritage_workspace, "heritage")
    roll_up(heritage_workspace)
    warehouse = heritage_workspace.warehouse
    assert lone in warehouse.read(GAZETTEER)["surface"].to_pylist()
    registry.unlink()
    ingest(heritage_workspace, "heritage")
    roll_up(heritage_workspace)
    assert lone not in warehouse.read(GAZETTEER)["surface"].to_pylist()
    chunks = set(warehouse.read(CHUNKS)["chunk_id"].to_pylist())
    for table in (MENTIONS, CHUNK_METADATA_TABLE, DUPLICATES):
        assert set(warehouse.read(table)["chunk_id"].to_pylist()) <= chunks
