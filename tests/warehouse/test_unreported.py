"""A job is marked while it works, and stays marked if its process dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.unreported import reporting, unreported

DYING = """
import os, signal, sys
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.unreported import reporting
with reporting(Warehouse(sys.argv[1]), "harbour"):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_job_is_marked_only_while_it_works(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    assert unreported(warehouse) == frozenset()
    with reporting(warehouse, "harbour"):
        assert unreported(warehouse) == {"harbour"}
    assert unreported(warehouse) == frozenset()


@pytest.mark.fault
def test_row_01_a_job_whose_process_was_killed_stays_marked(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", DYING, str(tmp_path)], check=False, env=dict(os.environ))
    assert killed.returncode == -signal.SIGKILL
    assert unreported(Warehouse(tmp_path)) == {"harbour"}


def test_a_store_that_is_no_folder_marks_nothing() -> None:
    warehouse = Warehouse("memory://unreported")
    with reporting(warehouse, "harbour"):
        assert unreported(warehouse) == frozenset()
