"""A parsed script and the places of its nodes in the text that it stands in.

Tree-sitter counts bytes of UTF-8, chunks count characters. What does not belong here: cutting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from chunk_pipeline.chunking.grammars import parse

if TYPE_CHECKING:
    from tree_sitter import Node


class Source:
    """A script at ``[start, end)`` of a larger text, parsed.

    Args:
        text: The larger text.
        start: First character of the script.
        end: Character after its last.
        grammar: ``javascript``, ``typescript`` or ``tsx``.

    Attributes:
        text: The larger text.
        grammar: That it was parsed in.
        start: First character of the script.
        end: Character after its last.
        root: The syntax tree's root.
        place: Gives the character of the text at a byte of the script.
    """

    def __init__(self, text: str, start: int, end: int, grammar: str) -> None:
        script = text if start == 0 and end == len(text) else text[start:end]
        encoded = script.encode(errors="surrogatepass")
        self.text = text
        self.grammar = grammar
        self.start = start
        self.end = end
        ascii_only = len(encoded) == len(script)
        self.place: Callable[[int], int] = (
            start.__add__
            if ascii_only
            else _characters(encoded, start).item  # Quick: it is called for each node.
        )
        self._tree = parse(grammar, encoded)
        self.root: Node = self._tree.root_node

    def of(self, node: Node) -> str:
        """A node's text."""
        return self.text[self.place(node.start_byte) : self.place(node.end_byte)]


def _characters(encoded: bytes, start: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each byte, and for the end, the number of characters that begin ahead of it, plus ``start``."""
    begins = (np.frombuffer(encoded, dtype=np.uint8) & 0xC0) != 0x80
    places = np.empty(len(encoded) + 1, dtype=np.int64)
    places[0] = start
    np.cumsum(begins, out=places[1:])
    places[1:] += start
    return places
