"""A history knows a store once it was told of it, and a new history does not."""

from __future__ import annotations

import shutil
from pathlib import Path

from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.told import HISTORY, is_told, note_told


def test_a_history_knows_the_stores_that_were_noted_in_it_and_no_other(tmp_path: Path) -> None:
    (tmp_path / HISTORY).mkdir()
    note_told(tmp_path, Warehouse(tmp_path / "first"))
    assert is_told(tmp_path, Warehouse(tmp_path / "first"))
    assert not is_told(tmp_path, Warehouse(tmp_path / "second"))


def test_a_history_that_was_deleted_and_begun_again_knows_nothing(tmp_path: Path) -> None:
    (tmp_path / HISTORY).mkdir()
    note_told(tmp_path, Warehouse(tmp_path / "store"))
    shutil.rmtree(tmp_path / HISTORY)
    (tmp_path / HISTORY).mkdir()
    assert not is_told(tmp_path, Warehouse(tmp_path / "store"))


def test_where_the_history_is_in_a_database_nothing_is_noted(tmp_path: Path) -> None:
    note_told(tmp_path, Warehouse("memory://store"))
    assert not is_told(tmp_path, Warehouse("memory://store"))
