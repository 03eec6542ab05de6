"""Counting the tokens of many short pieces of text: in one call of the encoder, and each only once.

A call costs more than a word does, and most words come again. So pieces are joined by what the pre-tokeniser
of cl100k_base surely keeps apart from both sides, and counts are remembered. What does not belong here: how a
text is cut into pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.chunking.tokens import encode, encode_to_numpy, token_lengths

_REMEMBERED = 1 << 17
"""Pieces that are remembered; when there are more, all are forgotten."""

_LONGEST = 200
"""Characters of a piece that is remembered."""

_BEHIND_SOLID, _BEHIND_LINE_BREAK = " \n", "a \n"
"""What is put behind a piece that ends with no white space, and behind one that ends with a line break."""


class PieceCounter:
    """Counts tokens of pieces and remembers them; answers never depend on what is remembered."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def count(self, piece: str) -> int:
        """Tokens of one piece."""
        known = self._known.get(piece)
        return len(encode(piece)) if known is None else known

    def counts(self, pieces: Sequence[str]) -> list[int]:
        """Tokens of each piece; the pieces are distinct."""
        known = self._known
        found = list(map(known.get, pieces))
        missing = [piece for piece, count in zip(pieces, found, strict=True) if count is None]
        new = _encoded(missing)
        if len(known) + len(new) > _REMEMBERED:
            known = self._known = {}
        known.update((piece, count) for piece, count in new.items() if len(piece) <= _LONGEST)
        return [new[piece] if count is None else count for piece, count in zip(pieces, found, strict=True)]


@cache
def piece_counter() -> PieceCounter:
    """The counter that all texts share."""
    return PieceCounter()


def _encoded(pieces: Sequence[str]) -> dict[str, int]:
    """Tokens of pieces by piece: those that can be joined in one call, the others one by one."""
    joined: list[str] = []
    counts: dict[str, int] = {}
    for piece in pieces:
        bare = piece.rstrip("\r\n")
        if not bare or bare[-1].isspace() or "\n" in bare or "\r" in bare:
            counts[piece] = len(encode(piece))
        else:
            joined += (piece, _BEHIND_SOLID if bare is piece or bare == piece else _BEHIND_LINE_BREAK)
    tokens = _tokens_ahead("".join(joined))[np.fromiter(accumulate(map(len, joined), initial=0), np.int64)]
    counts.update(zip(joined[::2], np.diff(tokens)[::2].tolist(), strict=True))
    return counts


def _tokens_ahead(text: str) -> NDArray[np.int64]:
    """For each character of a text, and for its end, the tokens that end ahead of it."""
    ends = np.cumsum(token_lengths()[encode_to_numpy(text)])
    source = text.encode()
    if len(source) != len(text):
        ends = characters_ahead(source)[ends]
    return np.cumsum(np.bincount(ends, minlength=len(text) + 1))


def characters_ahead(source: bytes) -> NDArray[np.int64]:
    """For each byte of UTF-8, and for its end, the characters that begin ahead of it."""
    octets = np.frombuffer(source, dtype=np.uint8)
    counts = np.zeros(len(octets) + 1, dtype=np.int64)
    np.cumsum((octets & 0xC0) != 0x80, out=counts[1:])
    return counts
