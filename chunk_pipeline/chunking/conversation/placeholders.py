"""What an export puts where a tool's block was.

Exports give tool blocks in ``text`` as a fenced sentence that says nothing of the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

PLACEHOLDER = re.compile(r"```[ \t]*\s?This block is not supported on your current device yet\.\s?[ \t]*```")
"""The sentence counts only in its fence: people quote it."""


def placeholders(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each placeholder."""
    for found in PLACEHOLDER.finditer(text):
        yield found.span()


def without_placeholders(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of what is between them and not blank."""
    place = 0
    for start, end in [*placeholders(text), (len(text), len(text))]:
        if text[place:start].strip():
            yield place, start
        place = end
