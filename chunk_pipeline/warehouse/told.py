"""Whether the orchestrator's history knows a store: it may be deleted, and another one begun.

The mark lies inside the history and goes with it, so it can be looked at without the orchestrator, whose
start takes longer than a run with nothing to do. A history in a database leaves no mark: it is to be asked.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from chunk_pipeline.warehouse.parquet import Warehouse

HISTORY = "history"
"""Folder of the history in that of the orchestrator, where it is kept in files."""


def note_told(home: Path, warehouse: Warehouse) -> None:
    """Mark that the history in an orchestrator's folder knows all that is in the store."""
    if (home / HISTORY).is_dir():
        _mark(home, warehouse).touch()


def is_told(home: Path, warehouse: Warehouse) -> bool:
    """Whether the history has that mark; ``False`` where only the orchestrator itself could tell."""
    return _mark(home, warehouse).is_file()


def _mark(home: Path, warehouse: Warehouse) -> Path:
    root = str(warehouse.root.absolute())
    return home / HISTORY / f".knows-{hashlib.sha256(root.encode()).hexdigest()[:16]}"
