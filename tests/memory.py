"""The most memory that this process has had, as Linux tells it.

``ru_maxrss`` is of no use: a program begins with that of the process that started it, here of a test run that
may have had gigabytes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

STATUS = Path("/proc/self/status")
MIB = 2**20

on_linux = pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells the peak of a process")


def peak_memory() -> int:
    """Bytes; since the process began, or since the last ``forget_peak``."""
    return _field("VmHWM")


def forget_peak() -> int:
    """Let the peak begin anew at what the process has now; gives that, in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _field("VmRSS")


def _field(name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)
    if found is None:
        raise OSError(f"{STATUS} has no {name}")
    return int(found[1]) * 1024
