"""Work done in a forked process, which may end as a crash does; imports are not paid for again."""

from __future__ import annotations

import os
import select
import signal
import traceback
from collections.abc import Callable

FAILED = 70
"""Exit status of a process whose work raised an error."""


def in_child(work: Callable[[], object], seconds: float = 120) -> int:
    """Do work in a forked process and wait for its end.

    Args:
        work: What it does; an error that it raises is printed.
        seconds: How long it may take.

    Returns:
        Its exit status: 0, ``FAILED`` where the work raised, or less than 0 the signal that ended it.

    Raises:
        TimeoutError: It took longer; it was ended.
    """
    return Child(work).wait(seconds)


def _as_a_process_begins() -> None:
    """Undo what tests before this one, or Dagster in them, made of signals."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})


class Child:
    """A forked process that does some work."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.process = os.fork()
        if self.process == 0:
            try:
                _as_a_process_begins()
                work()
            except BaseException:
                traceback.print_exc()
                os._exit(FAILED)
            os._exit(0)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.process, number)

    def wait(self, seconds: float = 120) -> int:
        """Wait for its end; returns as ``in_child`` does.

        Raises:
            TimeoutError: It took longer; it was ended.
        """
        handle = os.pidfd_open(self.process)
        try:
            ended, _, _ = select.select([handle], [], [], seconds)
        finally:
            os.close(handle)
        if not ended:
            os.kill(self.process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        if not ended:
            raise TimeoutError(f"a forked process did not end within {seconds} seconds")
        return status
