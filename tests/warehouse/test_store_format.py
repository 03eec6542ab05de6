"""A store of an older release is brought up, and one of a newer release is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunk_pipeline.warehouse.parquet import Partition, Warehouse
from chunk_pipeline.warehouse.store_format import NAME, StoreFormatError, open_warehouse
from chunk_pipeline.warehouse.tables import VECTORS, with_dimension

pytestmark = pytest.mark.fault
OWN = Partition(strategy="json_category", repository="harbour")


def first_format(root: Path) -> pa.Table:
    """A store as the release before manifests wrote it; returns its vectors."""
    values = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(8, dtype=np.float32)), 4)
    columns = [["json_category"] * 2, ["harbour"] * 2, ["m"] * 2, ["a", "b"], [1, 2], values]
    rows = pa.table(columns, schema=with_dimension(VECTORS, 4))
    folder = root / "vectors" / "strategy=json_category" / "repository=harbour"
    folder.mkdir(parents=True)
    pq.write_table(rows, folder / "part.parquet")
    return rows


def test_row_18_vectors_of_the_first_format_are_taken_over(tmp_path: Path) -> None:
    rows = first_format(tmp_path)
    warehouse = open_warehouse(str(tmp_path))
    assert warehouse.read(VECTORS, OWN).to_pylist() == rows.to_pylist()
    stored = warehouse.stored(VECTORS, OWN)
    assert stored is not None
    again = open_warehouse(str(tmp_path)).stored(VECTORS, OWN)
    assert again == stored


def test_row_18_damaged_vectors_of_the_first_format_are_left_behind(tmp_path: Path) -> None:
    first_format(tmp_path)
    path = tmp_path / "vectors" / "strategy=json_category" / "repository=harbour" / "part.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    assert open_warehouse(str(tmp_path)).stored(VECTORS, OWN) is None


def test_row_18_a_newer_format_is_refused_and_nothing_is_touched(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"format": 3}\n')
    with pytest.raises(StoreFormatError, match="format 3 of a newer release, and this one reads up to 2"):
        open_warehouse(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_format_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("{}")
    with pytest.raises(StoreFormatError, match="does not tell the format"):
        open_warehouse(str(tmp_path))


def test_a_store_says_its_format(tmp_path: Path) -> None:
    open_warehouse(str(tmp_path))
    assert (tmp_path / NAME).read_text() == '{"format":2}\n'
    shutil.rmtree(tmp_path)
    assert isinstance(open_warehouse(str(tmp_path)), Warehouse)
