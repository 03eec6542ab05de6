"""What a power cut leaves, which is less than a killed process leaves: what was synced, and no more.

POSIX promises that a file's bytes are on disk once the file was synced, and a name once its folder was. Of
all else the worst is assumed: bytes written since are half gone, and names given, taken or changed since are
as they were. Some file systems keep more; a program that survives this survives them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.crashing import Call, Moment, die


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of a folder's names, and how to take it back."""

    folder: str
    undo: Callable[[], None]


class Power:
    """A watcher that keeps account of what was synced, and cuts the power at a call.

    Args:
        aside: A folder on the same file system for what may have to come back.
        number: Number of the call.
        moment: Moment of the call.
    """

    def __init__(self, aside: Path, number: int, moment: Moment) -> None:
        self._aside = aside
        self._point = (number, moment)
        self._unsynced: dict[int, str] = {}
        self._changes: list[_Change] = []
        self._pending: Callable[[], None] | None = None
        aside.mkdir(parents=True, exist_ok=True)

    def __call__(self, call: Call) -> None:
        """Note a call; cut the power if it is the one."""
        if call.moment == "before":
            self._pending = self._how_to_undo(call)
        elif call.moment == "within":
            self._unsynced[Path(call.path).stat().st_ino] = call.path
        else:
            self._made(call)
        if (call.number, call.moment) == self._point:
            self.cut()

    def cut(self) -> None:
        """Take back what was not synced, and end this process."""
        for inode, path in self._unsynced.items():
            found = next((each for each in Path(path).parent.iterdir() if each.lstat().st_ino == inode), None)
            if found is not None:
                os.truncate(found, found.stat().st_size // 2)
        for change in reversed(self._changes):
            change.undo()
        die()

    def _made(self, call: Call) -> None:
        path = Path(call.path)
        if call.kind == "fsync":
            if path.is_dir():
                self._changes = [change for change in self._changes if change.folder != call.path]
            else:
                self._unsynced.pop(path.stat().st_ino, None)
        elif call.kind == "write":
            self._unsynced[path.stat().st_ino] = call.path
        elif self._pending is not None:
            self._changes.append(_Change(str(path.parent), self._pending))
        self._pending = None

    def _how_to_undo(self, call: Call) -> Callable[[], None] | None:
        path = Path(call.path)
        if call.kind == "mkdir":
            return None if path.exists() else lambda: shutil.rmtree(path, ignore_errors=True)
        if call.kind in ("fsync", "write") or (call.kind == "open" and path.exists()):
            return None
        kept = self._keep(path)
        source = Path(call.source) if call.kind in ("replace", "rename") else None
        return lambda: _put_back(path, kept, source)

    def _keep(self, path: Path) -> Path | None:
        """The file of that name under another, so that it can come back."""
        if not os.path.lexists(path):
            return None
        kept = self._aside / f"{len(self._changes)}-{path.name}"
        os.link(path, kept, follow_symlinks=False)
        return kept


def _put_back(path: Path, kept: Path | None, source: Path | None) -> None:
    """Undo that ``source`` became ``path``, or that ``path`` was made or removed."""
    if source is not None and os.path.lexists(path):
        path.rename(source)
    elif source is None:
        path.unlink(missing_ok=True)
    if kept is not None:
        kept.rename(path)
