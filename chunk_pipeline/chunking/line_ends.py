"""Text as a reader in text mode sees it: every line end is a line feed (Python's universal newlines).

Separators of text splitters are written with line feeds, so they find nothing in a file with other line ends.
What is cut in the clean text is found again in the stored one. What does not belong here: cutting.
"""

from __future__ import annotations

import re

from chunk_pipeline.chunking.chunk import Span

_LINE_END = re.compile(r"\r\n?")
_TO_DROP = re.compile(r"\r(?=\n)")


class UnixText:
    """A text and its twin with line feeds for line ends.

    Attributes:
        text: The twin.
    """

    def __init__(self, stored: str) -> None:
        self.text = _LINE_END.sub("\n", stored)
        dropped = [match.start() for match in _TO_DROP.finditer(stored)]
        self._places = _places(len(stored), dropped) if dropped else None

    def stored(self, span: Span) -> Span:
        """Where a span of the twin stands in the stored text; a line end at its edge is taken whole."""
        if self._places is None:
            return span
        return Span(self._places[span.start], self._places[span.end])


def _places(length: int, dropped: list[int]) -> list[int]:
    """Where each character of the twin begins in the stored text, and where the text ends."""
    places: list[int] = []
    begin = 0
    for place in dropped:
        places += range(begin, place + 1)
        begin = place + 2
    return [*places, *range(begin, length + 1)]
