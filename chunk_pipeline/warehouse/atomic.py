"""Files that appear whole or not at all.

The promise: whoever is killed while writing leaves the previous file as it was, and at most a temporary file
beside it, which the next writer of the same file sweeps. On a local file system the new file is written under
a temporary name in the same folder, synced and renamed over. On an object store it is written locally and put
in one operation, which is atomic there. Tested by tests/warehouse/test_atomic.py and by killing whole runs.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from upath import UPath

TEMPORARY_PREFIX = ".writing-"


def is_local(path: UPath) -> bool:
    """Whether the path lies on a local file system."""
    return path.protocol in ("", "file", "local")


def local_path(path: UPath) -> Path:
    """The ordinary path of a local one."""
    return Path(path.path)


def write_atomically(path: UPath, write: Callable[[BinaryIO], None]) -> None:
    """Give ``path`` the bytes that ``write`` puts into the file object handed to it.

    Only one process may write a path at a time (see ``Warehouse.lock``): leftovers beside it are removed.

    Raises:
        OSError: The file could not be written; the previous one is untouched.
    """
    if is_local(path):
        _write_local(local_path(path), write)
        return
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / path.name
        with local.open("wb") as file:
            write(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.fs.put_file(str(local), path.path)


def write_bytes(path: UPath, data: bytes) -> None:
    """Give ``path`` these bytes, atomically."""

    def write(file: BinaryIO) -> None:
        file.write(data)

    write_atomically(path, write)


def _write_local(path: Path, write: Callable[[BinaryIO], None]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f"{TEMPORARY_PREFIX}{path.name}-"
    sweep(path.parent, prefix)
    temporary = path.with_name(f"{prefix}{os.getpid()}")
    try:
        with temporary.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames inside a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path, prefix: str = TEMPORARY_PREFIX) -> int:
    """Remove what killed writers left in a folder; returns how many files."""
    leftovers = sorted(folder.glob(f"{prefix}*"))
    for leftover in leftovers:
        leftover.unlink(missing_ok=True)
    return len(leftovers)
