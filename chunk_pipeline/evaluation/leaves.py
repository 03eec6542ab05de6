"""Leaf coverage of JSON: is every value of the source still found, under its key, in some chunk?

Parse integrity and cover can both be whole while a splitter that re-dumps values drops or changes one; this
looks at the values themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.json.lines import parse_json_or_lines
from chunk_pipeline.chunking.json.tree import Node, parse_json, split_pointer
from chunk_pipeline.evaluation.intervals import Intervals, overlaps

Leaf = tuple[str | None, str, Hashable]
"""Final key (an item's index as text; ``None`` for an item at any index), kind and exact value."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What leaf coverage needs to know of a chunk.

    Attributes:
        body: The chunk's passage.
        parses: Whether it parses on its own.
        spans: Its stretches ``[start, end)`` of the source.
    """

    body: str
    parses: bool
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class LeafCoverage:
    """Leaves of one document.

    Attributes:
        total: Leaves of the source.
        found: Those found in some chunk.
        skipped: Those not found that lie in a listed skip.
    """

    total: int = 0
    found: int = 0
    skipped: int = 0

    def __add__(self, other: LeafCoverage) -> LeafCoverage:
        return LeafCoverage(self.total + other.total, self.found + other.found, self.skipped + other.skipped)


def leaf_coverage(text: str, pieces: Sequence[Piece], skips: Sequence[tuple[int, int]] = ()) -> LeafCoverage:
    """Count the leaves of a JSON text that its chunks hold.

    A leaf (a value that is neither object nor array) is found when its characters lie inside one span of a
    chunk and, where that chunk parses, its body holds an equal value under the same final key. The key of an
    item is its index as text, since some strategies turn lists into objects; an item of a list may be
    at any index of a list in the body, which may begin in the middle of it. Numbers are equal when they are
    the same number, however written.

    Args:
        text: The source, JSON or JSON Lines; anything else has no leaves.
        pieces: Chunks of the source.
        skips: Stretches ``[start, end)`` that were left out on purpose.
    """
    try:
        root = parse_json_or_lines(text)
    except UnparsableError:
        return LeafCoverage()
    leaves = [(_leaf(text, pointer, node), node) for pointer, node in root.leaves()]
    held = [_body_leaves(piece.body) if piece.parses else None for piece in pieces]
    found = np.zeros(len(leaves), dtype=bool)
    for leaf, piece in _inside([node for _, node in leaves], [piece.spans for piece in pieces]):
        known = held[piece]
        key, kind, value = leaves[leaf][0]
        item = leaves[leaf][1].key is None and key != ""
        if known is None or (key, kind, value) in known or (item and (None, kind, value) in known):
            found[leaf] = True
    skipped = {leaf for leaf, _ in _inside([node for _, node in leaves], [tuple(skips)])}
    n_skipped = sum(1 for leaf in skipped if not found[leaf])
    return LeafCoverage(len(leaves), int(found.sum()), n_skipped)


def _inside(nodes: Sequence[Node], spans: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """(node, owner of spans) of every node that lies inside one of an owner's spans."""
    flat = [(owner, start, end) for owner, owned in enumerate(spans) for start, end in owned]
    wanted = _intervals([(place, node.start, node.end) for place, node in enumerate(nodes)])
    held = _intervals(flat)
    leaf, piece, shared = overlaps(wanted, held)
    whole = shared == (wanted.end - wanted.start)[leaf]
    return list(zip(leaf[whole].tolist(), held.owner[piece[whole]].tolist(), strict=True))


def _intervals(rows: Sequence[tuple[int, int, int]]) -> Intervals:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Intervals(columns[:, 0], columns[:, 1], columns[:, 2])


def _body_leaves(body: str) -> frozenset[Leaf]:
    """The leaves of a chunk's body; none where it is not JSON after all."""
    try:
        root = parse_json(body)
    except UnparsableError:
        return frozenset()
    leaves: set[Leaf] = set()
    for pointer, node in root.leaves():
        leaf = _leaf(body, pointer, node)
        leaves.add(leaf)
        if node.key is None:
            leaves.add((None, *leaf[1:]))
    return frozenset(leaves)


def _leaf(text: str, pointer: str, node: Node) -> Leaf:
    tokens = split_pointer(pointer)
    literal = text[node.start : node.end]
    value: Hashable = literal
    if node.kind == "string":
        value = str(node.value(text))
    elif node.kind == "number":
        value = Decimal(literal)
    return tokens[-1] if tokens else "", node.kind, value
