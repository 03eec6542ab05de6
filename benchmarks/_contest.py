"""Racing cutters on the same files and judging what they give; which cutters there are is in ``_peers``.

A contender is asked for what its users call; what it costs to find its pieces in the source is not timed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.significance import significant
from chunk_pipeline.chunking.syntax import parses

ROUNDS = 5
ENOUGH = 6.0
"""Seconds of processor time after which a contender sits the next rounds out."""


class Piece(NamedTuple):
    """What a contender gives, judged alike for all.

    Attributes:
        text: What is embedded; the limit is for it.
        passage: What should parse on its own.
        body: What should stand in the source.
        start: Where it says that this stands, in characters; ``None`` where it does not say.
    """

    text: str
    passage: str
    body: str
    start: int | None


Split = Callable[[Document], Any]
Size = Callable[[str], int]


class Contender(NamedTuple):
    """A cutter with its settings.

    Attributes:
        name: Library and class, or our strategy.
        ours: Whether it is ours.
        make: Makes it anew, with nothing remembered; not timed.
        pieces: What it gave, one by one; not timed.
    """

    name: str
    ours: bool
    make: Callable[[], Split]
    pieces: Callable[[Document], list[Piece]]


class Judgement(NamedTuple):
    """Counts over all files.

    Attributes:
        pieces: Number of pieces.
        over: Those over the limit.
        placed: Those that say where they stand.
        exact: Those that stand where they say.
        found: Those that stand somewhere.
        characters: Characters of the sources that count, as in ``Proof``.
        covered: Those in some piece.
        whole: Pieces that parse on their own.
    """

    pieces: int
    over: int
    placed: int
    exact: int
    found: int
    characters: int
    covered: int
    whole: int


def race(contenders: Sequence[Contender], documents: Sequence[Document], rounds: int = ROUNDS) -> list[float]:
    """Processor seconds that each takes for all documents: the best of interleaved rounds, all begun cold."""
    best = [float("inf")] * len(contenders)
    spent = [0.0] * len(contenders)
    for contender in contenders:
        split = contender.make()
        for document in documents[:3]:
            split(document)
    gc.disable()
    try:
        for _ in range(rounds):
            for at, contender in enumerate(contenders):
                if spent[at] < ENOUGH:
                    seconds = _timed(contender, documents)
                    spent[at] += seconds
                    best[at] = min(best[at], seconds)
    finally:
        gc.enable()
    return best


def _timed(contender: Contender, documents: Sequence[Document]) -> float:
    split = contender.make()
    gc.collect()
    start = time.process_time()
    for document in documents:
        split(document)
    return time.process_time() - start


def judge(
    contender: Contender, documents: Sequence[Document], format: str, limit: int, size: Size
) -> Judgement:
    """What the contender's pieces of all documents are worth.

    Args:
        contender: The cutter.
        documents: What it cuts.
        format: What its pieces should parse as.
        limit: Size that a piece may have.
        size: Measures a text.
    """
    total = np.zeros(len(Judgement._fields), dtype=np.int64)
    for document in documents:
        pieces = contender.pieces(document)
        held, counts = _held(document.text, pieces)
        counted = significant(document.text, format)
        over = sum(len(each.text) > limit and size(each.text) > limit for each in pieces)
        whole = sum(parses(format, each.passage) for each in pieces)
        total += (len(pieces), over, *counts, counted.sum(), (counted & held).sum(), whole)
    return Judgement(*total.tolist())


def _held(text: str, pieces: Sequence[Piece]) -> tuple[NDArray[np.bool_], tuple[int, int, int]]:
    """Which characters are in some piece; and how many pieces are placed, exact and found.

    A piece that does not stand where it says, or does not say, is looked for behind the start of the one
    ahead of it, and then anywhere.
    """
    held = np.zeros(len(text), dtype=np.bool_)
    placed = exact = found = last = 0
    for piece in pieces:
        start = piece.start
        if start is not None:
            placed += 1
            right = start >= 0 and text[start : start + len(piece.body)] == piece.body
            exact += right
            if not right:
                start = None
        if start is None:
            start = text.find(piece.body, last)
            start = start if start >= 0 else text.find(piece.body)
        if start >= 0:
            found += 1
            held[start : start + len(piece.body)] = True
            last = start
    return held, (placed, exact, found)
