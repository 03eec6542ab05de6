"""What differs between two states is told, and what is the same is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from chunk_pipeline.warehouse.differences import ChunkChange, FigureChange, FileChange, difference
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition, Warehouse
from chunk_pipeline.warehouse.releases import publish_release, released
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, RETRIEVAL_METRICS, STRUCTURE_METRICS, Table
from tests.warehouse.whole_store import rows_of

SOURCE = Partition(repository="atlas")


def put(warehouse: Warehouse, table: Table, rows: list[dict[str, Any]], **partition: str) -> None:
    """Write rows of which only some columns matter."""
    filled = [{**rows_of(table, "x").to_pylist()[0], **row} for row in rows]
    written = pa.Table.from_pylist(filled, schema=table.schema)
    warehouse.write(table, written, inputs_of(rows=str(rows)), Partition(**partition))


def files(warehouse: Warehouse, *rows: tuple[str, str, str, str | None]) -> None:
    names = ("path", "content_sha256", "fate", "category")
    told = [{"repository": "Atlas", "reason": None, **dict(zip(names, row, strict=True))} for row in rows]
    put(warehouse, FILES, told, repository="atlas")


def chunks(warehouse: Warehouse, *ids: str) -> None:
    rows = [{"chunk_id": each, "ordinal": place} for place, each in enumerate(ids)]
    put(warehouse, CHUNKS, rows, strategy="s", repository="atlas")


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse(tmp_path)
    files(warehouse, ("a", "1", "kept", "website"), ("b", "2", "kept", "website"), ("c", "3", "kept", None))
    chunks(warehouse, "one", "two")
    put(warehouse, RETRIEVAL_METRICS, [{"metric": "mrr", "value": 0.5}, {"metric": "hit@1", "value": 0.25}])
    put(warehouse, STRUCTURE_METRICS, [{"metric": "chunks", "value": 2.0}])
    publish_release(warehouse)
    return warehouse


def test_files_that_were_added_changed_and_removed_are_told_with_what_changed(warehouse: Warehouse) -> None:
    before = released(warehouse)
    files(warehouse, ("a", "1", "kept", "docs"), ("b", "2", "kept", "website"), ("d", "4", "dropped", None))
    new = {"content_sha256": "4", "fate": "dropped", "reason": None, "category": None}
    old = {"content_sha256": "3", "fate": "kept", "reason": None, "category": None}
    assert difference(before, warehouse).files == (
        FileChange("Atlas", "a", "changed", {"category": "website"}, {"category": "docs"}),
        FileChange("Atlas", "c", "removed", old, {}),
        FileChange("Atlas", "d", "added", {}, new),
    )


def test_a_source_that_is_gone_and_one_that_is_new_are_told_whole(warehouse: Warehouse) -> None:
    before = released(warehouse)
    warehouse.drop(FILES, SOURCE)
    put(warehouse, FILES, [{"repository": "new", "path": "n"}], repository="new")
    found = difference(before, warehouse).files
    assert [(each.repository, each.path, each.change) for each in found] == [
        ("Atlas", "a", "removed"),
        ("Atlas", "b", "removed"),
        ("Atlas", "c", "removed"),
        ("new", "n", "added"),
    ]


def test_chunks_are_counted_by_strategy_and_source(warehouse: Warehouse) -> None:
    before = released(warehouse)
    chunks(warehouse, "two", "three", "four")
    assert difference(before, warehouse).chunks == (ChunkChange("s", "atlas", added=2, removed=1, same=1),)


def test_figures_that_are_others_new_or_gone_are_told(warehouse: Warehouse) -> None:
    before = released(warehouse)
    put(warehouse, RETRIEVAL_METRICS, [{"metric": "mrr", "value": 0.75}, {"metric": "ndcg", "value": 1.0}])
    found = difference(before, warehouse).figures
    assert [(each.table, each.key["metric"], each.before, each.after) for each in found] == [
        ("retrieval_metrics", "hit@1", 0.25, None),
        ("retrieval_metrics", "mrr", 0.5, 0.75),
        ("retrieval_metrics", "ndcg", None, 1.0),
    ]
    assert set(found[0].key) == set(RETRIEVAL_METRICS.key)
    back = difference(warehouse, before).figures
    assert back[1] == FigureChange("retrieval_metrics", found[1].key, 0.75, 0.5)


def test_the_same_rows_made_from_other_inputs_are_no_difference(warehouse: Warehouse) -> None:
    before = released(warehouse)
    manifest = warehouse.manifest(CHUNKS, Partition(strategy="s", repository="atlas"))
    rows = warehouse.read(CHUNKS)
    warehouse.write(CHUNKS, rows, inputs_of(other=1), Partition(strategy="s", repository="atlas"))
    assert warehouse.manifest(CHUNKS, Partition(strategy="s", repository="atlas")) != manifest
    assert difference(before, warehouse).is_empty
    assert difference(before, before).is_empty
