"""Numbers the system calls by which the warehouse changes, and does something at one of them.

Every change of a file tree that outlives the process goes through one of a dozen calls of ``os`` and ``io``.
Inside ``Calls`` they are wrapped, and whoever watches is told of each before it, in the middle of it where it
writes (half of the bytes are there), and after it. The watcher may end the process as a crash does, or raise
what a disk raises. Nothing of the pipeline is replaced: it makes the very calls that it always makes.

As a script it runs the command line in a process that ends itself at a commit: what kills by the clock
depends on the machine, what kills by progress does not.
"""

from __future__ import annotations

import builtins
import io
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

Moment = Literal["before", "within", "after"]

NAMED = ("replace", "rename", "link", "symlink")
"""Calls of ``os`` that give a file a name; what they change is their second argument."""

SINGLE = ("unlink", "remove", "mkdir", "rmdir", "truncate")
"""Calls of ``os`` that change their first argument."""

COMMIT = "link"
"""The call that commits: a manifest gets its number."""


@dataclass(frozen=True, slots=True)
class Call:
    """A system call that changes files.

    Attributes:
        number: From 1, in the order of the calls.
        kind: Name of the call; ``open`` and ``write`` for files opened to be written.
        path: What it changes.
        moment: Whether it is still to be made, half made, or made.
        source: For a call that gives a name, the file that gets it.
    """

    number: int
    kind: str
    path: str
    moment: Moment
    source: str = ""


Watcher = Callable[[Call], None]


class Calls:
    """Tells a watcher of every call that changes something below a folder.

    Args:
        root: The folder; what changes elsewhere is not told.
        watcher: Told of each call and moment.
        kinds: Only calls of these kinds are numbered and told; all by default.
    """

    def __init__(self, root: Path, watcher: Watcher, kinds: frozenset[str] = frozenset()) -> None:
        self._root = os.fspath(root)
        self._watcher = watcher
        self._kinds = kinds
        self._restore: list[Callable[[], None]] = []
        self._open = io.open
        self.number = 0

    def __enter__(self) -> Calls:
        for name in (*NAMED, *SINGLE):
            self._wrap(name, 1 if name in NAMED else 0)
        self._wrap("fsync", 0)
        for module in (io, builtins):
            self._patch(module, "open", self._opened)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._restore:
            self._restore.pop()()

    def around(
        self,
        kind: str,
        target: Any,
        make: Callable[[], Any],
        half: Callable[[], Any] | None = None,
        source: str = "",
    ) -> Any:
        """Make a call and tell of it; ``half`` is made before where a call has two parts."""
        path = _path(target)
        if not path.startswith(self._root) or (self._kinds and kind not in self._kinds):
            if half is not None:
                half()
            return make()
        self.number += 1
        number = self.number
        self._watcher(Call(number, kind, path, "before", source))
        if half is not None:
            half()
            self._watcher(Call(number, kind, path, "within", source))
        result = make()
        self._watcher(Call(number, kind, path, "after", source))
        return result

    def _patch(self, module: Any, name: str, replacement: Callable[..., Any]) -> None:
        original = getattr(module, name)
        self._restore.append(lambda: setattr(module, name, original))
        setattr(module, name, replacement)

    def _wrap(self, name: str, place: int) -> None:
        original = getattr(os, name)

        def wrapped(*arguments: Any, **named: Any) -> Any:
            source = _path(arguments[0]) if place else ""
            return self.around(name, arguments[place], lambda: original(*arguments, **named), source=source)

        self._patch(os, name, wrapped)

    def _opened(self, file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        writes = any(letter in mode for letter in "wxa+")
        if not writes or isinstance(file, int) or "b" not in mode or not _path(file).startswith(self._root):
            return self._open(file, mode, *arguments, **named)
        raw = self.around("open", file, lambda: _File(self, file, mode.replace("b", "")))
        return io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)


class _File(io.FileIO):
    """A file opened to be written, of whose writes somebody is told."""

    def __init__(self, calls: Calls, path: Any, mode: str) -> None:
        super().__init__(path, mode)
        self._calls = calls
        self._written = 0

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        middle = len(view) // 2
        write = super().write

        def whole(piece: memoryview) -> int:
            done = 0
            while done < len(piece):
                done += write(piece[done:]) or 0
            return done

        self._calls.around("write", self.name, lambda: whole(view[middle:]), lambda: whole(view[:middle]))
        return len(view)


def _path(target: Any) -> str:
    """The path that a call names, by itself or by a descriptor."""
    if isinstance(target, int):
        return str(Path(f"/proc/self/fd/{target}").readlink())
    return str(Path(os.fsdecode(target)).absolute())


def die() -> None:
    """End this process as a crash does: nothing is flushed, nothing is cleaned up."""
    os.kill(os.getpid(), signal.SIGKILL)


def dying_at(number: int, moment: Moment) -> Watcher:
    """A watcher that ends the process at a call."""

    def watch(call: Call) -> None:
        if (call.number, call.moment) == (number, moment):
            die()

    return watch


def dying_from(number: int, moment: Moment) -> Watcher:
    """A watcher that ends the process at the first such moment of that call or a later one."""

    def watch(call: Call) -> None:
        if call.number >= number and call.moment == moment:
            die()

    return watch


def _main(root: str, point: str, arguments: list[str]) -> None:
    """Run the command line and end at a commit.

    Args:
        root: The warehouse.
        point: ``<number>:<moment>`` of the commit, counted from the start of this process.
        arguments: Of the command line.
    """
    from chunk_pipeline.cli import main

    number, _, moment = point.partition(":")
    sys.argv = ["chunk-pipeline", *arguments]
    watcher = dying_at(int(number), "before" if moment == "before" else "after")
    with Calls(Path(root), watcher, frozenset({COMMIT})):
        main()


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], sys.argv[3:])
