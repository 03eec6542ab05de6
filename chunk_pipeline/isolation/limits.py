"""How long one file may take and how much memory, and what is said of a file that takes more.

What does not belong here: measuring (``worker``), and which files are measured (their stages say so).
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

PATIENCE = 3
"""Times the budget of processor time that a file may take by the clock: other work may be going on, so what
only waits for its turn is not over its budget, and what waits for nothing is noticed all the same."""

_TAG = re.compile(r" \[file_seconds=\d+ file_memory_mb=\d+\]\Z")
_ADVICE = "exclude the file or cut it into smaller ones, or raise"


class OverLimitError(ValueError):
    """A file was given up; the message is the quarantine reason, with the limits that it was tried under."""


@dataclass(frozen=True, slots=True)
class FileLimits:
    """What one file may cost.

    Attributes:
        seconds: Processor time, in seconds.
        memory_mb: Memory in MiB, on top of what an idle process has.
    """

    seconds: int = 60
    memory_mb: int = 2048

    @property
    def patience(self) -> int:
        """Seconds by the clock after which a result is no longer waited for."""
        return self.seconds * PATIENCE

    @property
    def tag(self) -> str:
        """What a reason ends with."""
        return f" [file_seconds={self.seconds} file_memory_mb={self.memory_mb}]"

    def out_of_memory(self) -> str:
        """The reason for a file that asked for more memory than it may have."""
        return (
            f"over its memory budget: it takes more than {self.memory_mb} MiB; "
            f"{_ADVICE} CHUNK_PIPELINE_FILE_MEMORY_MB{self.tag}"
        )

    def ended(self, status: int) -> str:
        """The reason for a file whose process ended before it gave a result.

        Args:
            status: The exit status, or less than 0 the signal that ended it.
        """
        if status in (-signal.SIGXCPU, -signal.SIGALRM):
            # One reason for both: which of the two comes first depends on what else the machine does.
            return (
                f"over its time budget: it takes more than {self.seconds} s of processor time, or gives "
                f"nothing for {self.patience} s; {_ADVICE} CHUNK_PIPELINE_FILE_SECONDS{self.tag}"
            )
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return (
            f"the process that read it ended {how}, as where a parser breaks or has too little memory; "
            f"{_ADVICE} CHUNK_PIPELINE_FILE_MEMORY_MB{self.tag}"
        )


DEFAULT_LIMITS = FileLimits()
"""Unless the settings say otherwise."""


def is_final(reason: str, limits: FileLimits) -> bool:
    """Whether a quarantined file need not be tried again: it would end as before.

    A file that was given up under other limits than these is tried again.
    """
    tag = _TAG.search(reason)
    return tag is None or tag[0] == limits.tag
