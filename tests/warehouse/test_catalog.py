from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from chunk_pipeline.warehouse.catalog import NAME, CatalogError, build_catalog, verify_catalog
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition, Warehouse
from chunk_pipeline.warehouse.tables import QUARANTINE

INPUTS = inputs_of(stage=1)
HERE = Partition(stage="filtered_files", repository="one")


def quarantine(warehouse: Warehouse, *paths: str) -> None:
    rows = [
        {"repository": "one", "path": path, "stage": "filtered_files", "error": "it's bad", "first_bytes": ""}
        | {"content_sha256": None}
        for path in paths
    ]
    warehouse.write(QUARANTINE, QUARANTINE.empty().from_pylist(rows, QUARANTINE.schema), INPUTS, HERE)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse(tmp_path)
    quarantine(warehouse, "a", "b")
    return warehouse


def test_the_catalog_holds_rows_keys_and_comments(warehouse: Warehouse, tmp_path: Path) -> None:
    assert build_catalog(warehouse).rows["quarantine"] == 2
    with duckdb.connect(str(tmp_path / NAME), read_only=True) as connection:
        assert connection.sql("SELECT error FROM quarantine").fetchall() == [("it's bad",)] * 2
        keys = connection.sql(
            "SELECT constraint_column_names FROM duckdb_constraints() "
            "WHERE table_name = 'quarantine' AND constraint_type = 'PRIMARY KEY'"
        ).fetchall()
        comments = connection.sql(
            "SELECT count(*) FROM duckdb_columns() WHERE table_name = 'quarantine' AND comment IS NOT NULL"
        ).fetchall()
    assert keys == [(["repository", "path", "stage"],)]
    assert comments == [(len(QUARANTINE.schema.names),)]


def test_nothing_changed_means_nothing_built(warehouse: Warehouse) -> None:
    assert build_catalog(warehouse).built
    assert not build_catalog(warehouse).built


def test_readers_keep_the_version_that_they_opened(warehouse: Warehouse, tmp_path: Path) -> None:
    build_catalog(warehouse)
    with duckdb.connect(str(tmp_path / NAME), read_only=True) as before:
        quarantine(warehouse, "a", "b", "c")
        build_catalog(warehouse)
        assert before.sql("SELECT count(*) FROM quarantine").fetchall() == [(2,)]
        with duckdb.connect(str((tmp_path / NAME).resolve()), read_only=True) as after:
            assert after.sql("SELECT count(*) FROM quarantine").fetchall() == [(3,)]


def test_only_the_last_versions_are_kept(warehouse: Warehouse, tmp_path: Path) -> None:
    for count in range(5):
        quarantine(warehouse, *(str(number) for number in range(count)))
        build_catalog(warehouse, keep=2)
    kept = list((tmp_path / "catalog").glob("*.duckdb"))
    assert len(kept) == 2
    assert (tmp_path / NAME).resolve() in kept


def test_a_catalog_that_lacks_rows_is_refused(warehouse: Warehouse, tmp_path: Path) -> None:
    build_catalog(warehouse)
    quarantine(warehouse, "a")
    with pytest.raises(CatalogError, match="quarantine: 2 of 1"):
        verify_catalog(tmp_path / NAME, warehouse)


def test_a_duplicate_key_fails_the_build_and_the_old_catalog_stays(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    build_catalog(warehouse)
    quarantine(warehouse, "a", "a")
    with pytest.raises(duckdb.ConstraintException):
        build_catalog(warehouse)
    with duckdb.connect(str(tmp_path / NAME), read_only=True) as connection:
        assert connection.sql("SELECT count(*) FROM quarantine").fetchall() == [(2,)]


def test_a_lost_version_is_built_again(warehouse: Warehouse, tmp_path: Path) -> None:
    build_catalog(warehouse)
    (tmp_path / NAME).resolve().unlink()
    assert build_catalog(warehouse).built


def test_an_object_store_has_a_catalog_too() -> None:
    warehouse = Warehouse("memory://catalog-test")
    quarantine(warehouse, "a")
    built = build_catalog(warehouse)
    assert built.path.exists()
    assert not build_catalog(warehouse).built
