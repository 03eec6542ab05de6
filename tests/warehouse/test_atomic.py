from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest
from upath import UPath

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
