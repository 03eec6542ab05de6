"""Runs that began and whose end the orchestrator was never told.

A process that is killed between a commit and its event leaves tables that are newer than what the UI shows.
So every run leaves a mark while it works; a mark without a run means that what it was about is to be run
again, which costs nothing where the tables are right and tells the orchestrator what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.parquet import Warehouse

FOLDER = ".unreported"


@contextmanager
def reporting(warehouse: Warehouse, job: str) -> Iterator[None]:
    """Mark a job (a partition key, or the name of a job without one) until its end is reported.

    A job that failed is reported like one that did not; one that is interrupted or killed keeps its mark.
    """
    if not is_local(warehouse.root):
        yield
        return
    mark = local_path(warehouse.root) / FOLDER / job
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    yield
    mark.unlink(missing_ok=True)


def unreported(warehouse: Warehouse) -> frozenset[str]:
    """The jobs that are marked; while one runs, its mark is there as well."""
    folder = local_path(warehouse.root) / FOLDER
    if not is_local(warehouse.root) or not folder.is_dir():
        return frozenset()
    return frozenset(path.name for path in folder.iterdir())
