"""A call in a process of its own, within the limits of one file.

Nothing is started until it is needed, and one process serves file after file; it is ended and replaced when
a file was too much for it. It is a wall against accidents (a parser that hangs, eats memory or crashes), not
against a program that has taken it over: what comes back is trusted. What does not belong here: which calls
are worth it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Lock
from types import TracebackType
from typing import TypeVar

from chunk_pipeline.isolation.limits import DEFAULT_LIMITS, FileLimits, OverLimitError
from chunk_pipeline.isolation.worker import Answer

T = TypeVar("T")

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from chunk_pipeline.isolation.worker import serve; serve(*map(int, sys.argv[1:]))"
)
_GRACE = 10
"""Seconds more than the process has itself ended by, after which it is ended from outside."""


class NotSendableError(ValueError):
    """A call that cannot be made in another process: what it needs cannot be sent there."""


@dataclass(slots=True)
class _Running:
    """The process, if there is one; apart from its owner, so that it can be ended when that is gone."""

    process: subprocess.Popen[bytes] | None = None
    connection: Connection | None = None
    owner: int = 0

    def end(self, patience: float = 0) -> int:
        """End the process and take leave of it.

        Args:
            patience: Seconds in which it may end by itself.

        Returns:
            Its exit status, or less than 0 the signal that ended it; 0 if there was none.
        """
        process, connection = self.process, self.connection
        self.process = self.connection = None
        if process is None or connection is None:
            return 0
        if self.owner != os.getpid():
            connection.close()  # It serves the process that this one was forked from.
            return 0
        if not patience:
            process.kill()
        try:
            return process.wait(patience or None)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()
        finally:
            connection.close()


class Isolated:
    """Calls functions in another process, one at a time.

    The process ends with the object, with ``close``, or with the ``with`` block that the object is used in.

    Attributes:
        limits: What one call may cost.
        starts: How many processes were started.
    """

    def __init__(self, limits: FileLimits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self.starts = 0
        self._turn = Lock()
        self._running = _Running()
        weakref.finalize(self, self._running.end)

    def __enter__(self) -> Isolated:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function gives for these arguments.

        Args:
            function: One of a module's own functions.
            arguments: What it is given; it gets copies.

        Raises:
            OverLimitError: It took too much time or memory, or its process broke.
            NotSendableError: The function or an argument cannot be sent to another process.
            Exception: What the function raised.
        """
        try:
            request = pickle.dumps((function, arguments), protocol=pickle.HIGHEST_PROTOCOL)
        except MemoryError:
            raise
        except Exception as error:
            raise NotSendableError(f"{type(error).__name__}: {error}") from error
        with self._turn:
            kind, value, stays = self._asked(request)
            if not stays:
                self._running.end()
        if kind == "done":
            result: T = value
            return result
        if kind == "raised":
            raise value
        if kind == "unknown":
            raise NotSendableError(value)
        raise OverLimitError(self.limits.out_of_memory())

    def close(self) -> None:
        """End the process, if there is one; another is started if need be."""
        with self._turn:
            self._running.end()

    def _asked(self, request: bytes) -> Answer:
        connection = self._connected()
        try:
            connection.send_bytes(request)
            if not connection.poll(self.limits.patience + _GRACE):
                self._running.end()
                raise OverLimitError(self.limits.ended(-signal.SIGALRM))
            answer: Answer = pickle.loads(connection.recv_bytes())
        except (EOFError, OSError):
            raise OverLimitError(self.limits.ended(self._running.end(_GRACE))) from None
        except BaseException:
            self._running.end()  # An answer that nobody waits for must not be taken for the next one.
            raise
        return answer

    def _connected(self) -> Connection:
        """The connection to the process, which is started where there is none."""
        running = self._running
        if running.connection is not None and running.owner == os.getpid():
            return running.connection
        running.end()
        own, theirs = Pipe()
        numbers = [str(each) for each in (theirs.fileno(), self.limits.seconds, self.limits.memory_mb)]
        with theirs:
            running.process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path), *numbers],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        running.connection, running.owner = own, os.getpid()
        self.starts += 1
        return own
