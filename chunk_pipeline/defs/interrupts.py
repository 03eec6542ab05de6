"""Notices an interrupt (Ctrl-C, SIGTERM) during a job, also one that Dagster loses.

Dagster holds a signal back until the next step begins, and forgets one that comes after the last step.
Python can tell of each signal when it arrives, whatever its handler makes of it.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM})


@contextmanager
def noticing_interrupts() -> Iterator[Callable[[], bool]]:
    """A function that says whether an interrupt came since the context was entered; ask it once, at the end.

    Handlers of signals stay as they are. Only the main thread gets signals, so in another there are none.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        there.setblocking(False)
        # Where the buffer is full there have been enough signals.
        before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
        try:
            yield lambda: any(number in INTERRUPTS for number in _received(here))
        finally:
            signal.set_wakeup_fd(before)


def _received(here: socket.socket) -> bytes:
    """The numbers of the signals that came."""
    try:
        return here.recv(65_536)
    except BlockingIOError:
        return b""
