"""Pairs of chunks that are nearly the same; reported, never left out.

Candidates come from MinHash signatures in a locality-sensitive hash (Broder, 1997; Leskovec, Rajaraman and
Ullman, Mining of Massive Datasets, chapter 3); each pair's similarity is then counted exactly. What does not
belong here: chunks with the same text (``deduplication``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.deduplication import Candidate, comparable
from chunk_pipeline.chunking.facts.folding import fold

THRESHOLD = 0.8
"""Least similarity that is reported."""

SHINGLE = 5
"""Words of a shingle."""

PERMUTATIONS = 128
SEED = 1

MOST_COMPARED = 50
"""Candidates that a text is compared with, those with the smallest ids."""

MOST_ALIKE = 10
"""A text with so many nearly the same before it is not offered to later ones: of many that are alike each is
reported with some of the others, not with all."""


class NearDuplicate(NamedTuple):
    """Two chunks of one strategy, the one with the smaller id first; similarity from 0.8 to 1."""

    chunk_id: str
    other_id: str
    similarity: float


def near_duplicates(candidates: Iterable[Candidate]) -> tuple[NearDuplicate, ...]:
    """Find pairs of one strategy whose sets of five-word shingles have a Jaccard similarity of 0.8 or more.

    Args:
        candidates: Chunks with distinct ids, in any order. Of chunks with the same text only the one with the
            smallest id is looked at.

    Returns:
        The pairs, by id. The hash misses about one pair in twenty at a similarity of 0.8, fewer above.
    """
    distinct: dict[str, dict[str, Candidate]] = {}
    for each in sorted(candidates, key=lambda each: each.chunk_id):
        distinct.setdefault(each.strategy, {}).setdefault(comparable(each.text), each)
    return tuple(sorted(pair for texts in distinct.values() for pair in _pairs(texts.values())))


def _pairs(candidates: Iterable[Candidate]) -> Iterator[NearDuplicate]:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    offered: dict[str, frozenset[bytes]] = {}
    for each in candidates:
        shingles = shingles_of(each.text)
        if not shingles:
            continue
        signature = MinHash(num_perm=PERMUTATIONS, seed=SEED)
        signature.update_batch(sorted(shingles))
        nearest = sorted(index.query(signature))[:MOST_COMPARED]
        alike = [(other, similarity(shingles, offered[other])) for other in nearest]
        alike = [pair for pair in alike if pair[1] >= THRESHOLD]
        for other, how_much in alike:
            # Ids ascend: what is offered has the smaller one.
            yield NearDuplicate(other, each.chunk_id, round(how_much, 6))
        if len(alike) < MOST_ALIKE:
            index.insert(each.chunk_id, signature)
            offered[each.chunk_id] = shingles


def shingles_of(text: str) -> frozenset[bytes]:
    """Digests of each five words in a row, folded; of all words where there are fewer."""
    words = fold(text).split()
    starts = range(max(1, len(words) - SHINGLE + 1)) if words else ()
    rows = (" ".join(words[start : start + SHINGLE]) for start in starts)
    return frozenset(hashlib.sha256(row.encode()).digest()[:8] for row in rows)


def similarity(left: frozenset[bytes], right: frozenset[bytes]) -> float:
    """Jaccard similarity of two sets that are not both empty."""
    return len(left & right) / len(left | right)
