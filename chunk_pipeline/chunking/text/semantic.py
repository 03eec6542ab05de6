"""Cutting a text where its meaning changes: at the widest distances of neighbouring sentences.

The idea is Greg Kamradt's semantic splitting (2024), with one batched call of the embedder and with bounds of
size. The embedder is given; without a model there is a hashing one, which sees common words only (Weinberger
et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009). What does not belong here: models.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.chunking.text.sentences import units

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Gives one row for each text."""

DIMENSION = 512
"""Width of the hashing embedder's vectors."""

_PLACES = 4
"""Places of each word, so that two which share one by chance are still far apart (section 3 of the paper)."""

HASHING = f"hashing-blake2b-{DIMENSION}x{_PLACES}"
"""Names the hashing embedder's vectors."""

PERCENTILE = 90.0
"""Of a document's own distances; those above it are boundaries."""

_WORD = re.compile(r"\w+")
_WORDS = 1 << 16


def semantic_cuts(
    text: str,
    embed: Embed,
    size: int,
    minimum: int = 0,
    percentile: float = PERCENTILE,
    threshold: float | None = None,
) -> list[tuple[int, int, int]]:
    """Begin a new chunk where the cosine distance of neighbouring sentences is above a threshold.

    A chunk shorter than the minimum goes on over a boundary. One that would exceed the size is cut at its
    widest distance, of those that leave it the minimum if there is one.

    Args:
        text: Any text.
        embed: Called once with all sentences, and not at all if there are fewer than two.
        size: The limit, in characters; a longer sentence is cut as ``recursive_cuts`` does.
        minimum: Characters that a chunk has at least, unless the size or the text's end forbids it.
        percentile: What of the document's own distances is the threshold, 0 to 100.
        threshold: A distance (0 to 2) instead.

    Returns:
        (start, end, 0) in characters and in order. Chunks begin and end with no white space, and what is
        between them is white space.

    Raises:
        ValueError: The size is below 1, or the embedder gives another number of rows than there are texts.
    """
    parts = list(units(text, size))
    if len(parts) < 2:
        return [(start, end, 0) for start, end in parts]
    distances = cosine_distances(embed([text[start:end] for start, end in parts]), len(parts))
    level = float(np.percentile(distances, percentile)) if threshold is None else threshold
    firsts = _firsts(parts, distances.tolist(), level, size, minimum)
    lasts = [*(first - 1 for first in firsts[1:]), len(parts) - 1]
    return [(parts[first][0], parts[last][1], 0) for first, last in zip(firsts, lasts, strict=True)]


def cosine_distances(vectors: NDArray[np.float32], number: int) -> NDArray[np.float64]:
    """1 - cosine of each row and the next; a row without direction is at distance 1 from any other.

    Args:
        vectors: (number, width).
        number: Rows that there must be.

    Returns:
        (number - 1,), rounded to 12 digits so that equal texts are at equal distances on any machine.

    Raises:
        ValueError: There are not so many rows.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != number:
        raise ValueError(
            f"the embedder gave an array of shape {rows.shape} for {number} texts; give one row each"
        )
    lengths = np.linalg.norm(rows, axis=1)
    products = np.einsum("ij,ij->i", rows[:-1], rows[1:])
    scale = lengths[:-1] * lengths[1:]
    cosines = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
    distances: NDArray[np.float64] = np.round(1 - cosines, 12)
    return distances


def hashing_embedder(texts: Sequence[str]) -> NDArray[np.float32]:
    """Signed feature hashing of lower-case words: the same vectors on any machine, without a model.

    Args:
        texts: Any texts.

    Returns:
        (len(texts), ``DIMENSION``), of unit length, or zero for a text without a word.
    """
    vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        words = _WORD.findall(text.lower())
        if words:
            hashed = np.array([_hashed(word) for word in words], dtype=np.int64)
            np.add.at(row, hashed[:, 0].ravel(), hashed[:, 1].ravel())
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
    return vectors


@lru_cache(maxsize=_WORDS)
def _hashed(word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of a word, and the signs with which it counts there."""
    source = hashlib.blake2b(word.encode(errors="replace"), digest_size=8 * _PLACES).digest()
    numbers = [int.from_bytes(source[first : first + 8], "big") for first in range(0, len(source), 8)]
    places = tuple((number >> 1) % DIMENSION for number in numbers)
    return places, tuple(1 if number & 1 else -1 for number in numbers)


def _firsts(
    parts: Sequence[tuple[int, int]], distances: Sequence[float], level: float, size: int, minimum: int
) -> list[int]:
    """Numbers of the sentences that begin a chunk; ``distances[i]`` is that of sentence i to the next."""
    firsts = [0]
    place = 1
    while place < len(parts):
        first = firsts[-1]
        begin = parts[first][0]
        if parts[place][1] - begin > size:
            place = _widest(parts, distances, first, place, minimum)
            firsts.append(place)
        elif distances[place - 1] > level and parts[place - 1][1] - begin >= minimum:
            firsts.append(place)
        place += 1
    return _without_stub(parts, firsts, size, minimum)


def _without_stub(parts: Sequence[tuple[int, int]], firsts: list[int], size: int, minimum: int) -> list[int]:
    """A last chunk that is shorter than the minimum joins the one before if the size allows."""
    end = parts[-1][1]
    stub = len(firsts) > 1 and end - parts[firsts[-1]][0] < minimum
    return firsts[:-1] if stub and end - parts[firsts[-2]][0] <= size else firsts


def _widest(
    parts: Sequence[tuple[int, int]], distances: Sequence[float], first: int, end: int, minimum: int
) -> int:
    """Where to cut sentences ``first`` to ``end``, which are too long together: the last of the widest."""
    places = range(first + 1, end + 1)
    long_enough = [place for place in places if parts[place - 1][1] - parts[first][0] >= minimum]
    return max(long_enough or places, key=lambda place: (distances[place - 1], place))
