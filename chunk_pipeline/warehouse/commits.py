"""The commits of a partition: numbered manifests, of which the highest counts.

A commit is one new name, ``manifests/<number>.json``, given to a file that was written and synced before,
by a step that fails if the name is taken: nothing that a concurrent run wrote is ever replaced. Who is killed
before that step has changed nothing; what it left lying is collected later (``collection``).
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from filelock import FileLock
from upath import UPath

from chunk_pipeline.warehouse.atomic import (
    is_local,
    local_path,
    make_folder,
    sweep,
    sync_folder,
    synced_temporary,
)
from chunk_pipeline.warehouse.manifest import Manifest

FOLDER = "manifests"
LOCK = ".numbers.lock"
"""Held where a number is taken on a file system without hard links; no leftover, so it is never swept."""
_NAME = re.compile(r"(\d{8,})\.json")
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})

Stamp = tuple[int, ...]
"""Number, inode, size and times of a manifest's file; empty on an object store, which has no such."""


class ConcurrentRunError(RuntimeError):
    """Another run committed the partition meanwhile; what it wrote stays."""


def numbers(folder: UPath) -> list[int]:
    """The numbers of the manifests in the folder of a partition, ascending."""
    return numbered(folder / FOLDER)


def numbered(within: UPath) -> list[int]:
    """The numbers of the records in a folder, ascending."""
    try:
        names = [path.name for path in (local_path(within) if is_local(within) else within).iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(int(match[1]) for name in names if (match := _NAME.fullmatch(name)))


def manifest_path(folder: UPath, number: int) -> UPath:
    """Where the manifest of that number lies."""
    return folder / FOLDER / f"{number:08}.json"


def stamp(folder: UPath, number: int) -> Stamp:
    """What tells a manifest's file from another that had its name.

    Raises:
        FileNotFoundError: It was collected meanwhile.
    """
    path = manifest_path(folder, number)
    if not is_local(path):
        return ()
    status = local_path(path).stat()
    return (number, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def load(folder: UPath, number: int) -> Manifest:
    """Read a manifest.

    Raises:
        FileNotFoundError: It was collected meanwhile.
        DamagedTableError: It does not read back.
    """
    path = manifest_path(folder, number)
    data = local_path(path).read_bytes() if is_local(path) else path.read_bytes()
    return Manifest.decode(data, str(path))


def publish(folder: UPath, number: int, manifest: Manifest) -> None:
    """Commit: give the manifest its number.

    Raises:
        FileExistsError: Another run has taken it; nothing was changed.
        OSError: The disk refused; nothing was changed.
    """
    put_new(manifest_path(folder, number), manifest.encode())


def put_new(path: UPath, data: bytes) -> None:
    """Give a path these bytes in one step, if nothing has that name.

    Raises:
        FileExistsError: Something has; nothing was changed.
        OSError: The disk refused; nothing was changed.
    """
    if not is_local(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.fs.pipe_file(path.path, data, mode="create")
        return
    target = local_path(path)
    make_folder(target.parent)
    # The next number has another name, under which what a killed writer left would not be looked for.
    sweep(target.parent)
    temporary = synced_temporary(target, lambda file: file.write(data))
    try:
        _rename_without_replacing(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def _rename_without_replacing(temporary: Path, target: Path) -> None:
    try:
        target.hardlink_to(temporary)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: a lock stands in for the system's own refusal.
        with FileLock(target.with_name(LOCK)):
            if target.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
            temporary.replace(target)
