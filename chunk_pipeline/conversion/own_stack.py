"""A call with a stack of its own.

How deep a document may be for a parser that recurses then depends on the document alone, and not on who
calls: a file gives the same result in a test, a command and a run. What does not belong here: parallel work.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def on_own_stack(function: Callable[[], T]) -> T:
    """Call a function in a thread of its own and wait for it; what it raises is raised here."""
    with ThreadPoolExecutor(max_workers=1) as threads:
        return threads.submit(function).result()
