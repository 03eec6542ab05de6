from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.turns import turn


def start(warehouse: Warehouse, *, alone: bool) -> tuple[Thread, Event, Event]:
    """Someone who wants a turn: the thread, and whether it waits and whether it has its turn."""
    waits, works = Event(), Event()

    def work() -> None:
        with turn(warehouse, alone=alone, waiting=waits.set):
            works.set()

    thread = Thread(target=work)
    thread.start()
    return thread, waits, works


def test_ingestions_go_together(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    with turn(warehouse, alone=False):
        thread, waits, works = start(warehouse, alone=False)
        thread.join(timeout=10)
        assert works.is_set()
        assert not waits.is_set()


@pytest.mark.parametrize(("first", "second"), [(False, True), (True, False), (True, True)])
def test_a_roll_up_goes_alone(tmp_path: Path, first: bool, second: bool) -> None:
    warehouse = Warehouse(tmp_path)
    with turn(warehouse, alone=first):
        thread, waits, works = start(warehouse, alone=second)
        assert waits.wait(timeout=10)
        assert not works.is_set()
    thread.join(timeout=10)
    assert works.is_set()


HOLDER = """
import os, signal, sys
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.turns import turn
with turn(Warehouse(sys.argv[1]), alone=True):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_holder_holds_nobody_up(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", HOLDER, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    thread, waits, works = start(Warehouse(tmp_path), alone=True)
    thread.join(timeout=10)
    assert works.is_set()
    assert not waits.is_set()


def test_an_object_store_locks_nothing() -> None:
    warehouse = Warehouse("memory://turns")
    with turn(warehouse, alone=True), turn(warehouse, alone=True):
        assert not warehouse.root.exists()
