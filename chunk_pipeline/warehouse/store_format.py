"""The format of the store: which one a folder has, bringing an older one up, refusing a newer one.

Format 1, of the releases before manifests, had one file ``part.parquet`` a partition. Its vectors are taken
over, since they cost the most; everything else is made anew by the next run.
"""

from __future__ import annotations

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from chunk_pipeline.warehouse.atomic import write_bytes
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.manifest import FORMAT
from chunk_pipeline.warehouse.parquet import Partition, Rows, Warehouse
from chunk_pipeline.warehouse.tables import VECTORS

NAME = "format.json"
FIRST = "part.parquet"
"""The name of every data file of format 1."""


class StoreFormatError(RuntimeError):
    """The store is of a format that this release cannot read; the message says what to do."""


def open_warehouse(root: str | UPath) -> Warehouse:
    """The warehouse at a root, of the present format; an older one is brought up first.

    Raises:
        StoreFormatError: It was written by a newer release, or its format is not told.
    """
    warehouse = Warehouse(root)
    found = _format(warehouse.root / NAME)
    if found == FORMAT:
        return warehouse
    if found is not None and found > FORMAT:
        raise StoreFormatError(
            f"{warehouse.root} has the format {found} of a newer release, and this one reads up to {FORMAT}; "
            "install that release, or choose another folder with CHUNK_PIPELINE_WAREHOUSE"
        )
    if not warehouse.root.exists():
        return warehouse
    with warehouse.lock(warehouse.root / NAME):
        if _format(warehouse.root / NAME) is None:
            _take_over_vectors(warehouse)
            write_format(warehouse)
    return warehouse


def write_format(warehouse: Warehouse) -> None:
    """Say of a store that it is of the present format."""
    write_bytes(warehouse.root / NAME, orjson.dumps({"format": FORMAT}) + b"\n")


def _format(path: UPath) -> int | None:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        found = orjson.loads(data)["format"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        found = None
    if not isinstance(found, int):
        raise StoreFormatError(f"{path} does not tell the format of the store; delete it and run again")
    return found


def _take_over_vectors(warehouse: Warehouse) -> None:
    """Commit the vectors of format 1, made from inputs that are no present ones; damaged ones are lost."""
    base = warehouse.root / VECTORS.name
    for path in sorted(base.glob(f"*/*/{FIRST}"), key=str) if base.exists() else ():
        named = [part.partition("=")[2] for part in path.parts[-3:-1]]
        partition = Partition(strategy=named[0], repository=named[1])
        if warehouse.number(VECTORS, partition):
            continue
        try:
            with path.open("rb") as file:
                rows = pq.ParquetFile(file).read().replace_schema_metadata(None)
        except (OSError, pa.ArrowException):
            continue
        if rows.schema.names == VECTORS.schema.names:
            warehouse.commit([Rows(VECTORS, partition, rows)], inputs_of(taken_over_from_format=1))
