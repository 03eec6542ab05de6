"""Brackets that were parsed once, so that runs of whole parts within them need not be.

A run of whole statements of a block parses in any block; whether what is written around it makes a block is
what must be seen. The same holds for the other kinds in ``BRACKETED``, and not for patterns, which read as
objects and arrays where no pattern is expected. What does not belong here: all other cuts.
"""

from __future__ import annotations

from functools import lru_cache

from chunk_pipeline.chunking.grammars import parse
from chunk_pipeline.chunking.javascript.wrappers import BRACKETED


class Frames:
    """The openings and closings that are written around rows.

    Args:
        grammar: In which they are parsed.
    """

    def __init__(self, grammar: str) -> None:
        self._grammar = grammar
        self._ahead: dict[str, tuple[str, str]] = {}
        self._behind: dict[str, bool] = {}

    def note(self, opening: str, closing: str, kind: str) -> None:
        """Take note of what is written around a row in a node of that kind.

        Rows that are in no brackets of their own (a chain, a comment and what it is about) have an opening of
        their own or that of the brackets that they are in, and what they end with is complete.
        """
        if self._ahead.setdefault(opening, (closing, kind)) != (closing, kind):
            self._ahead[opening] = ("", "")
        if kind not in BRACKETED:
            self._behind[closing] = False
        elif closing not in self._behind:
            self._behind[closing] = _holds(self._grammar, opening, closing, kind)

    def opens(self, opening: str) -> bool:
        """Whether a run of whole parts may follow."""
        closing, kind = self._ahead.get(opening, ("", ""))
        return kind in BRACKETED and _holds(self._grammar, opening, closing, kind)

    def closes(self, closing: str) -> bool:
        """Whether it may follow a run of whole parts."""
        return self._behind.get(closing, False)


@lru_cache(maxsize=4096)
def _holds(grammar: str, opening: str, closing: str, kind: str) -> bool:
    """Whether the two parse together, the brackets where they meet as a node of that kind."""
    root = parse(grammar, (opening + closing).encode()).root_node
    if root.has_error or not opening:
        return False
    first = len(opening.rstrip().encode()) - 1
    last = len(opening.encode()) + len(closing) - len(closing.lstrip())
    node = root.descendant_for_byte_range(first, last + 1)
    return node is not None and node.type == kind
