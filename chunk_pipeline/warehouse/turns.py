"""Many repositories may be ingested at once; a roll-up over all of them goes alone.

A roll-up that read while a repository is between its chunks and their vectors would find chunks without
vectors. The lock is the system's (flock): it ends with its holder, however that ends. On an object store
nothing is locked: there, the orchestrator's sensor keeps roll-ups and ingestions apart.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.parquet import Warehouse


@contextmanager
def turn(warehouse: Warehouse, *, alone: bool, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a place among those who work on the tables.

    Args:
        warehouse: The tables.
        alone: Whether nobody else may work meanwhile (a roll-up), or others like this one may (an ingestion).
        waiting: Told once, if others must be waited for.
    """
    if not is_local(warehouse.root):
        yield
        return
    folder = local_path(warehouse.root) / ".locks"
    folder.mkdir(parents=True, exist_ok=True)
    kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    with (folder / "turns.lock").open("a") as file:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, kind)
        yield
