from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest
from upath import UPath

from chunk_pipeline.warehouse import atomic
from chunk_pipeline.warehouse.atomic import sweep, write_atomically


def _writes(data: bytes) -> Callable[[BinaryIO], None]:
    def write(file: BinaryIO) -> None:
        file.write(data)

    return write


def test_a_written_file_replaces_the_previous_one(tmp_path: Path) -> None:
    path = UPath(tmp_path / "deep" / "file")
    write_atomically(path, _writes(b"old"))
    write_atomically(path, _writes(b"new"))
    assert path.read_bytes() == b"new"
    assert [each.name for each in (tmp_path / "deep").iterdir()] == ["file"]


def test_a_failing_write_leaves_the_previous_file_and_nothing_else(tmp_path: Path) -> None:
    path = UPath(tmp_path / "file")
    write_atomically(path, _writes(b"old"))

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk is full"):
        write_atomically(path, fail)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


KILLED = """
import os, signal, sys
from upath import UPath
from chunk_pipeline.warehouse.atomic import write_atomically
def write(file):
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
write_atomically(UPath(sys.argv[1]), write)
"""


def test_a_killed_writer_leaves_the_previous_file_and_the_next_writer_sweeps(tmp_path: Path) -> None:
    path = UPath(tmp_path / "file")
    write_atomically(path, _writes(b"old"))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2
    write_atomically(path, _writes(b"new"))
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"new"


def test_sweeping_removes_only_temporary_files(tmp_path: Path) -> None:
    (tmp_path / ".writing-part.parquet-1").write_bytes(b"")
    (tmp_path / "part.parquet").write_bytes(b"")
    assert sweep(tmp_path) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["part.parquet"]


def test_an_object_store_gets_the_whole_file() -> None:
    path = UPath("memory://atomic/file")
    write_atomically(path, _writes(b"bytes"))
    assert path.read_bytes() == b"bytes"


def _left(folder: Path, host: str, process: int) -> Path:
    """A temporary file as a writer leaves it."""
    left = folder / f".writing-file-{host}-{process}-1"
    left.write_bytes(b"half")
    return left


@pytest.mark.fault
def test_row23_what_another_machine_writes_is_left_for_a_day_and_what_a_dead_process_left_is_not(
    tmp_path: Path,
) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    here = _left(tmp_path, atomic._HOST, dead.pid)
    elsewhere, long_ago = _left(tmp_path, "0" * 8, dead.pid), _left(tmp_path, "1" * 8, dead.pid)
    os.utime(long_ago, (0, 0))
    assert sweep(tmp_path) == 2
    assert not here.exists()
    assert not long_ago.exists()
    assert elsewhere.exists()


@pytest.mark.fault
def test_row23_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    living = _left(tmp_path, atomic._HOST, os.getppid())
    assert sweep(tmp_path) == 0
    assert living.exists()
