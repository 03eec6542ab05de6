"""Files that appear whole or not at all.

The promise: whoever is killed while writing leaves the previous file as it was, and at most a temporary file
beside it, which the next writer of the same file sweeps. On a local file system the new file is written under
a temporary name in the same folder, synced and renamed over. On an object store it is written locally and put
in one operation, which is atomic there. Tested by tests/warehouse/test_atomic.py and by killing whole runs.
"""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from upath import UPath

TEMPORARY_PREFIX = ".writing-"

_HOST = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
"""This machine, in temporary names: a process number means nothing on another one that shares the folder."""

_PATIENCE = 24 * 3600
"""Seconds after which another machine's temporary file counts as left by a killed writer."""


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
    temporary = path.with_name(f"{prefix}{_HOST}-{os.getpid()}-{threading.get_ident()}")
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
    make_folder(path.parent)
    temporary = synced_temporary(path, write)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that they are there after a power cut too."""
    new = []
    for each in (folder, *folder.parents):
        if each.is_dir():
            break
        new.append(each)
    folder.mkdir(parents=True, exist_ok=True)
    for each in new:
        sync_folder(each.parent)


def sync_folder(folder: Path) -> None:
    """Make renames inside a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path, prefix: str = TEMPORARY_PREFIX) -> int:
    """Remove what killed writers left in a folder; returns how many files.

    What a living process writes at the moment is left alone; of other machines' processes that share the
    folder nobody can tell here, so theirs stay for a day.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.startswith(prefix))
    except FileNotFoundError:
        return 0
    dead = [path for path in paths if not _is_being_written(path)]
    for path in dead:
        path.unlink(missing_ok=True)
    return len(dead)


def _is_being_written(path: Path) -> bool:
    """Whether the process in a temporary name may be alive; names without one are leftovers."""
    host, process, thread = ("", "", "", *path.name.rsplit("-", 3))[-3:]
    if not (process.isdigit() and thread.isdigit()):
        return False
    if host != _HOST:
        return _is_young(path)
    if int(process) == os.getpid():
        return int(thread) != threading.get_ident() and _is_thread(int(thread))
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _is_young(path: Path) -> bool:
    try:
        return abs(time.time() - path.stat().st_mtime) < _PATIENCE
    except FileNotFoundError:
        return False


def _is_thread(identity: int) -> bool:
    return any(thread.ident == identity for thread in threading.enumerate())
