"""Counting the tokens of many short pieces of text: in one call of the encoder, and each only once.

A call costs more than a word does, and most words come again. So pieces are joined by what the pre-tokeniser
of cl100k_base surely keeps apart from both sides, and counts are remembered. What does not belong here: how a
text is cut into pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.chunking.tokens import encode, encode_to_numpy, token_lengths

_REMEMBERED = 1 << 17
"""Pieces that are remembered; when there are more, all are forgotten."""

_LONGEST = 200
"""Characters of a piece that is remembered."""

_BETWEEN = " \n"
"""What is put between pieces that end with no white space."""

_LETTER = "a"
"""What is put behind a piece that ends with a line break: one token, whatever is around."""


class PieceCounter:
    """Counts tokens of pieces and remembers them; answers never depend on what is remembered."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def count(self, piece: str) -> int:
        """Tokens of one piece."""
        known = self._known.get(piece)
        return len(encode(piece)) if known is None else known

    def counts(self, pieces: Sequence[str]) -> list[int]:
        """Tokens of each piece.

        Args:
            pieces: As ``text_tokens`` cuts them, so a line break is at the end, or alone with white
                space, or beside characters beyond ASCII.
        """
        known = self._known
        found = list(map(known.get, pieces))
        if None not in found:
            return cast("list[int]", found)
        unknown = dict.fromkeys(piece for piece, count in zip(pieces, found, strict=True) if count is None)
        new = _encoded(list(unknown))
        counts = [new[piece] if count is None else count for piece, count in zip(pieces, found, strict=True)]
        if len(known) + len(new) > _REMEMBERED:
            known = self._known = {}
        if max(map(len, new)) > _LONGEST:
            new = {piece: count for piece, count in new.items() if len(piece) <= _LONGEST}
        known.update(new)
        return counts


@cache
def piece_counter() -> PieceCounter:
    """The counter that all texts share."""
    return PieceCounter()


def _encoded(pieces: Sequence[str]) -> dict[str, int]:
    """Tokens of pieces by piece: those that can be joined in one call, the others one by one."""
    solid = [piece for piece in pieces if piece.isascii() and piece[-1] > " "]
    if len(solid) == len(pieces):
        return dict(zip(solid, _joined(solid), strict=True))
    counts: dict[str, int] = {}
    broken: list[str] = []
    for piece in pieces:
        if piece.isascii() and piece[-1] > " ":
            continue
        bare = piece.rstrip("\r\n")
        if not bare or bare[-1].isspace() or "\n" in bare or "\r" in bare:
            counts[piece] = len(encode(piece))
        else:
            (solid if bare == piece else broken).append(piece)
    tokens = _joined([*solid, *(piece + _LETTER for piece in broken)])
    counts.update(zip(solid, tokens, strict=False))
    counts.update((piece, count - 1) for piece, count in zip(broken, tokens[len(solid) :], strict=True))
    return counts


def _joined(pieces: Sequence[str]) -> list[int]:
    """Tokens of each of some pieces that end with no white space, with one call of the encoder."""
    text = _BETWEEN.join(pieces)
    ends = np.cumsum(token_lengths()[encode_to_numpy(text)])
    if not text.isascii():
        ends = characters_ahead(text.encode())[ends]
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    lasts = np.cumsum(lengths + len(_BETWEEN)) - len(_BETWEEN)
    tokens: list[int] = (
        ends.searchsorted(lasts, "right") - ends.searchsorted(lasts - lengths, "right")
    ).tolist()
    return tokens


def characters_ahead(source: bytes) -> NDArray[np.int64]:
    """For each byte of UTF-8, and for its end, the characters that begin ahead of it."""
    octets = np.frombuffer(source, dtype=np.uint8)
    counts = np.zeros(len(octets) + 1, dtype=np.int64)
    np.cumsum((octets & 0xC0) != 0x80, out=counts[1:])
    return counts
