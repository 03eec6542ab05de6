"""Which short pieces of a text are one token, told for all of them at once.

Nine of ten pieces of any text stand in the vocabulary themselves. They are looked up in a hash table with one
place for each key, by a few operations of numpy, so none of them becomes an object. What is not found may be
one token all the same. What does not belong here: cutting into pieces, and counting the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.chunking.tokens import encoding

Words = NDArray[np.uint64]

_BITS = 18
_WORD = 8
"""Bytes of a word of the table; a key has one or two."""

_EMPTY = np.uint64(2**64 - 1)
"""What no text in UTF-8 holds."""

_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
_MASKS = np.array([2 ** (8 * length) - 1 for length in range(_WORD + 1)], dtype=np.uint64)

_ONE_PIECE = re.compile(
    rb"[^\r\nA-Za-z0-9']?[A-Za-z]+|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n]*|\s*[\r\n]+|[ \t]+", re.ASCII
)
"""ASCII that the pre-tokeniser of cl100k_base leaves whole; such a text that is a token is one token."""


class _Table(NamedTuple):
    """Keys by place: the first eight bytes, and up to eight more."""

    first: Words
    second: Words


def are_tokens(source: bytes, edges: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which pieces are known to be one token of cl100k_base each.

    Args:
        source: A text in UTF-8.
        edges: Offsets of the pieces in it, ascending, its length included.
    """
    starts, lengths = edges[:-1], edges[1:] - edges[:-1]
    if b"\0" in source:
        # What pads a key.
        return np.zeros(len(starts), dtype=np.bool_)
    words = _words(source)
    first = words[starts] & _MASKS.take(lengths, mode="clip")
    short = _table(1).first
    found: NDArray[np.bool_] = (short.take(_place(first)) == first) & (lengths <= _WORD)
    long = ((lengths > _WORD) & (lengths <= 2 * _WORD)).nonzero()[0]
    first, second = first[long], words[starts[long] + _WORD] & _MASKS.take(lengths[long] - _WORD)
    table = _table(2)
    places = _place(first, second)
    found[long] = (table.first.take(places) == first) & (table.second.take(places) == second)
    return found


def _words(source: bytes) -> Words:
    """The eight bytes from each offset on as a number; zeros behind the end."""
    padded = source + bytes(2 * _WORD)
    return np.ndarray(len(source) + _WORD + 1, "<u8", padded, strides=(1,))


def _place(first: Words, second: Words | None = None) -> NDArray[np.int64]:
    hashed = first * _FACTORS[0]
    if second is not None:
        hashed ^= second * _FACTORS[1]
    return (hashed >> np.uint64(64 - _BITS)).view(np.int64)


@cache
def _table(words: int) -> _Table:
    """The table of tokens of so many words; of two that want one place, that of the lower number has it."""
    tokens = [each for each in _whole_tokens() if (len(each) - 1) // _WORD == words - 1]
    padded = b"".join(each.ljust(words * _WORD, b"\0") for each in reversed(tokens))
    keys = np.frombuffer(padded, "<u8").reshape(-1, words)
    table = _Table(*(np.full(1 << _BITS, _EMPTY) for _ in _FACTORS))
    places = _place(keys[:, 0], keys[:, 1] if words == len(_FACTORS) else None)
    for column, row in zip(keys.T, table, strict=False):
        row[places] = column
    return table


@cache
def _whole_tokens() -> Sequence[bytes]:
    """Tokens that the encoder gives for their own text, as far as their looks tell, by ascending number."""
    values = encoding().token_byte_values()
    whole = [each for each in values if each.isascii() and b"\0" not in each and _ONE_PIECE.fullmatch(each)]
    return sorted(whole, key=encoding().encode_single_token)
