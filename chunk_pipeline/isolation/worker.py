"""The process that works on one file after the other, held to the limits by the kernel.

A limit that the interpreter looks after comes too late: a parser in C gives it no chance to look. So the
process has the kernel end it: at its processor time (``RLIMIT_CPU``), by the clock (``SIGALRM``), and where
an allocation goes beyond its memory (``RLIMIT_DATA``) the allocation fails. What does not belong here:
starting it (``process``).
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import time
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from chunk_pipeline.isolation.limits import FileLimits

MIB = 2**20

Kind = Literal["done", "raised", "unknown", "out of memory"]
"""What an answer is: a result; an error; that the request cannot be understood here; out of memory."""

Answer = tuple[Kind, Any, bool]
"""Its kind, what it holds, and whether the process goes on."""


def serve(descriptor: int, seconds: int, memory_mb: int) -> None:
    """Answer requests until nobody asks any more.

    Args:
        descriptor: Of the connection that requests come by and answers go by.
        seconds: See ``FileLimits``.
        memory_mb: See ``FileLimits``.
    """
    limits = FileLimits(seconds, memory_mb)
    connection = Connection(descriptor)
    _be_quiet()
    memory = _data() + limits.memory_mb * MIB
    _limit(resource.RLIMIT_DATA, memory)
    while True:
        try:
            request = connection.recv_bytes()
        except EOFError:
            return
        answer, stays = _answer(request, limits, memory - limits.memory_mb * MIB // 2)
        connection.send_bytes(answer)
        if not stays:
            return
        del request, answer


def _be_quiet() -> None:
    """Write nothing anywhere: what a parser says of a file may quote it."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The parent is told as well and ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _answer(request: bytes, limits: FileLimits, kept: int) -> tuple[bytes, bool]:
    """Do what is asked for, within the limits: reading the request and writing the answer count as well.

    Args:
        request: What is asked for.
        limits: What it may cost.
        kept: Bytes of memory up to which this process is left enough for another file.

    Returns:
        The answer, and whether this process goes on, as the answer says too.
    """
    _limit(resource.RLIMIT_CPU, ceil(time.process_time()) + limits.seconds)
    signal.setitimer(signal.ITIMER_REAL, limits.patience)
    try:
        kind, value = _done(request)
        stays = _data() <= kept
        return pickle.dumps((kind, value, stays), protocol=pickle.HIGHEST_PROTOCOL), stays
    except MemoryError:
        return pickle.dumps(("out of memory", None, False)), False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _done(request: bytes) -> tuple[Kind, Any]:
    try:
        function, arguments = pickle.loads(request)
    except MemoryError:
        raise
    except Exception as error:
        return "unknown", f"{type(error).__name__}: {error}"
    try:
        return "done", function(*arguments)
    except MemoryError:
        raise
    except Exception as error:
        return "raised", _sendable(error)
    except BaseException as error:  # A panic in Rust is no Exception; nor is what a library leaves by.
        return "raised", RuntimeError(f"{type(error).__name__}: {error}")


def _sendable(error: Exception) -> Exception:
    """The error, or one that says the same, where it cannot be sent or would not arrive as it is."""
    try:
        arrived = pickle.loads(pickle.dumps(error))
        if type(arrived) is type(error) and str(arrived) == str(error):
            return error.with_traceback(None)
    except Exception:
        pass
    return RuntimeError(f"{type(error).__name__}: {error}")


def _limit(which: int, most: int) -> None:
    """Set a limit, within what this process may set."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(which, (most, hard))


def _data() -> int:
    """Bytes of memory that this process has for itself, used or not; 0 where the system does not say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024
