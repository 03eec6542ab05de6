"""Counting the tokens of short pieces of text, each only once: most words of a repository come again.

What does not belong here: how a text is cut into pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from chunk_pipeline.chunking.tokens import encode

_REMEMBERED = 1 << 17
"""Pieces that are remembered; when there are more, all are forgotten."""

_LONGEST = 200
"""Characters of a piece that is remembered."""


class PieceCounter:
    """Counts tokens of pieces and remembers them; answers never depend on what is remembered."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def count(self, piece: str) -> int:
        """Tokens of one piece, which is not remembered."""
        if not piece:
            return 0
        known = self._known.get(piece)
        return len(encode(piece)) if known is None else known

    def counts(self, pieces: Sequence[str]) -> list[int]:
        """Tokens of each piece."""
        found = list(map(self._known.get, pieces))
        if None not in found:
            return cast("list[int]", found)
        new: dict[str, int] = {}
        for at, piece in enumerate(pieces):
            if found[at] is None:
                found[at] = new[piece] if piece in new else new.setdefault(piece, len(encode(piece)))
        if len(self._known) + len(new) > _REMEMBERED:
            self._known = {}
        if max(map(len, new)) > _LONGEST:
            new = {piece: count for piece, count in new.items() if len(piece) <= _LONGEST}
        self._known.update(new)
        return cast("list[int]", found)


@cache
def piece_counter() -> PieceCounter:
    """The counter that all texts share."""
    return PieceCounter()
