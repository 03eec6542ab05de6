"""Files that appear whole or not at all.

The promise: whoever is killed while writing leaves the previous file as it was, and at most a temporary file
beside it, which the next writer of the same file sweeps. On a local file system the new file is written under
a temporary name in the same folder, synced and renamed over. On an object store it is written locally and put
in one operation, which is atomic there. Tested by tests/warehouse/test_atomic.py and by killing whole runs.
"""

from __future__ import annotations

import os
import tempfile
import threading
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


def write_atomically(path: UPath, write: Callable[[BinaryIO], object]) -> None:
    """Give ``path`` the bytes that ``write`` puts into the file object handed to it.

    Writers of one path do not disturb each other: the last to end stays.

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
    write_atomically(path, lambda file: file.write(data))


def synced_temporary(path: Path, write: Callable[[BinaryIO], object]) -> Path:
    """Write a temporary file beside ``path`` and sync it; the caller gives it its name.

    Leftovers of writers whose process is gone are removed first.

    Raises:
        OSError: The disk refused; the temporary file is removed.
    """
    prefix = f"{TEMPORARY_PREFIX}{path.name}-"
    sweep(path.parent, prefix)
    temporary = path.with_name(f"{prefix}{os.getpid()}-{threading.get_ident()}")
    try:
        with temporary.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _write_local(path: Path, write: Callable[[BinaryIO], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = synced_temporary(path, write)
    try:
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
    """Remove what killed writers left in a folder; returns how many files.

    What a living process of this machine writes at the moment is left alone.
    """
    try:
        names = sorted(path.name for path in folder.iterdir() if path.name.startswith(prefix))
    except FileNotFoundError:
        return 0
    dead = [name for name in names if not _is_being_written(name)]
    for name in dead:
        (folder / name).unlink(missing_ok=True)
    return len(dead)


def _is_being_written(name: str) -> bool:
    """Whether the process in a temporary name is alive; names without one are leftovers."""
    _, process, thread = ("", *name.rsplit("-", 2))[-3:]
    if not (process.isdigit() and thread.isdigit()):
        return False
    if int(process) == os.getpid():
        return int(thread) != threading.get_ident() and _is_thread(int(thread))
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _is_thread(identity: int) -> bool:
    return any(thread.ident == identity for thread in threading.enumerate())
