"""BM25 over chunks, with the scores of rank-bm25's ``BM25Okapi`` to the last bit.

``BM25Okapi`` walks over every chunk for every word of a query. All that it adds up is known beforehand, so
the index holds, for each term, the chunks with the term and what one occurrence in a query adds to their
score; a query only sums. Each number is computed by the same operations in the same order as in rank-bm25
0.2.2, which is what bit-equality takes.

A text is counted in the words of code or in those of prose, by its category. One index may hold both kinds: a
term weighs by how many chunks of either kind hold it, and a query asks each chunk in the terms of its own
kind, so that no word counts twice. What does not belong here: tokenising, and turning scores into ranks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.retrieval.prose import PROSE_CATEGORIES, Terms, prose_terms
from chunk_pipeline.retrieval.tokenizer import tokenize
from chunk_pipeline.warehouse.ordering import ordered
from chunk_pipeline.warehouse.tables import BM25_CHUNKS, BM25_TERMS, POSTINGS

Float = NDArray[np.float64]
Int = NDArray[np.int64]

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""The defaults of ``BM25Okapi``: saturation, length normalisation, floor of negative weights."""

COUNTED_COLUMNS = ("chunk_id", "prose")
"""What is looked at of earlier postings."""


def postings_of(chunks: pa.Table, strategy: str, repository: str) -> pa.Table:
    """Count the terms of each chunk's text.

    Args:
        chunks: A table with ``chunk_id`` and ``text``; where it has ``category``, texts of heritage
            categories are counted in the words of prose.
        strategy: Strategy of the rows.
        repository: Repository of the rows.

    Returns:
        A ``postings`` table, sorted by chunk and term.
    """
    prose = prose_chunks(chunks)
    counted = [
        (chunk, chunk in prose, *posting)
        for chunk, text in zip(chunks["chunk_id"].to_pylist(), chunks["text"].to_pylist(), strict=True)
        for posting in _postings(text, prose_terms if chunk in prose else tokenize)
    ]
    chunk, is_prose, term, frequency, first = zip(*counted, strict=True) if counted else ((), (), (), (), ())
    columns = {
        "strategy": pa.repeat(strategy, len(counted)),
        "repository": pa.repeat(repository, len(counted)),
        "chunk_id": pa.array(chunk, pa.string()),
        "term": pa.array(term, pa.string()),
        "frequency": pa.array(frequency, pa.int32()),
        "first": pa.array(first, pa.int32()),
        "prose": pa.array(is_prose, pa.bool_()),
    }
    table = pa.table([columns[name] for name in POSTINGS.schema.names], schema=POSTINGS.schema)
    return ordered(table, POSTINGS.sort)


def uncounted(chunks: pa.Table, known: pa.Table) -> tuple[pa.Table, frozenset[str]]:
    """Which chunks have no postings that hold, and whose postings do not hold any more.

    Args:
        chunks: A table with ``chunk_id`` and ``category``.
        known: Earlier ``postings`` of the same strategy and repository; ``COUNTED_COLUMNS`` are enough. A
            chunk's id holds its text, so the id tells whether they hold.

    Returns:
        The chunks that are to be counted: new ones, those counted in the words of the other kind, and the few
        without a term, which leave no postings; and the ids whose postings are to go.
    """
    ids, counted = chunks["chunk_id"], pc.unique(known["chunk_id"])
    is_prose = pc.is_in(ids, value_set=pa.array(sorted(prose_chunks(chunks)), pa.string()))
    in_prose, in_code = (
        pc.is_in(ids, value_set=pc.unique(known["chunk_id"].filter(kind)))
        for kind in (known["prose"], pc.invert(known["prose"]))
    )
    holds = pc.if_else(is_prose, in_prose, in_code)
    stale = counted.filter(pc.invert(pc.is_in(counted, value_set=ids.filter(holds).combine_chunks())))
    return chunks.filter(pc.invert(holds)), frozenset(stale.to_pylist())


def prose_chunks(chunks: pa.Table) -> frozenset[str]:
    """Ids of the chunks that are counted in the words of prose; none where there is no ``category``."""
    if "category" not in chunks.schema.names:
        return frozenset()
    kinds = pc.is_in(chunks["category"], pa.array(sorted(PROSE_CATEGORIES), pa.string()))
    return frozenset(chunks["chunk_id"].filter(kinds).to_pylist())


def _postings(text: str, terms_of: Callable[[str], list[str]]) -> Iterator[tuple[str, int, int]]:
    """(term, frequency, place of the first occurrence) of each term of a text."""
    terms = terms_of(text)
    first = {term: len(terms) - 1 - place for place, term in enumerate(reversed(terms))}
    for term, frequency in Counter(terms).items():
        yield term, frequency, first[term]


def build_bm25(
    strategy: str, chunk_ids: Sequence[str], postings: pa.Table, prose: Collection[str] = frozenset()
) -> tuple[pa.Table, pa.Table]:
    """Build the index of one strategy over all repositories.

    Args:
        strategy: Strategy of the rows.
        chunk_ids: The chunks of the index, ascending. One without a posting counts as a text without terms.
        postings: ``postings`` of the strategy; those of other chunks are left out.
        prose: Which chunks were counted in the words of prose (``prose_chunks``).

    Returns:
        A ``bm25_terms`` and a ``bm25_chunks`` table; both empty where there are no chunks.

    Raises:
        ValueError: The chunk ids are not ascending or not distinct.
    """
    ids = pa.array(chunk_ids, pa.string())
    if any(left >= right for left, right in pairwise(chunk_ids)):
        raise ValueError(f"{strategy}: the chunk ids of a BM25 index must ascend, each once")
    at = pc.index_in(postings["chunk_id"], value_set=ids)
    kept = postings.append_column("at", at).filter(pc.is_valid(at))
    chunk, frequency = _integers(kept["at"]), _integers(kept["frequency"])
    # Sums of integers far below 2 ** 53 are exact in float64.
    lengths = np.bincount(chunk, weights=frequency, minlength=len(ids)).astype(np.int64)
    encoded = kept["term"].combine_chunks().dictionary_encode()
    names, term = encoded.dictionary, _integers(encoded.indices)
    # Terms by name, chunks ascending: each pair is there once, so any sort gives the one order.
    place = np.empty(len(names), dtype=np.int64)
    by_name = np.asarray(pc.sort_indices(names), dtype=np.int64)
    place[by_name] = np.arange(len(names))
    order = np.argsort(place[term] * len(ids) + chunk)
    chunk, frequency = chunk[order], frequency[order]
    starts = np.concatenate(([0], np.cumsum(np.bincount(place[term], minlength=len(names)))))
    weights = _weights(starts, chunk, _integers(kept["first"])[order], len(ids))
    scores = np.repeat(weights, np.diff(starts)) * _saturation(frequency, lengths[chunk], lengths)
    return (
        _terms_table(strategy, names.take(pa.array(by_name)), starts, chunk, scores),
        _chunks_table(strategy, ids, lengths, [each in prose for each in chunk_ids]),
    )


def _integers(column: pa.Array | pa.ChunkedArray) -> Int:
    return np.asarray(column.to_numpy(), dtype=np.int64)


def _saturation(frequency: Int, length: Int, lengths: Int) -> Float:
    """What a term's weight is multiplied by in a chunk, by the expression of ``BM25Okapi.get_scores``."""
    if not len(frequency):
        return np.zeros(0)
    mean = int(lengths.sum()) / len(lengths)
    value: Float = frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean))
    return value


def _weights(starts: Int, chunk: Int, first: Int, n_chunks: int) -> Float:
    """Inverse document frequency of each term, by ``BM25Okapi._calc_idf``.

    A negative one (a term in more than half of the chunks) becomes a share of the mean, and the mean is a
    sum whose last bits depend on its order: that in which terms are first seen, chunk by chunk.
    """
    if len(starts) == 1:
        return np.zeros(0)
    # math.log, once for each distinct count: numpy's logarithm may differ in the last bit.
    counts, place = np.unique(np.diff(starts), return_inverse=True)
    logs = [math.log(n_chunks - n + 0.5) - math.log(n + 0.5) for n in counts.tolist()]
    weights: Float = np.array(logs)[place]
    # A term's first chunk is the first of its run; within a chunk, terms are seen by their first place.
    seen = np.lexsort((first[starts[:-1]], chunk[starts[:-1]]))
    mean = float(np.cumsum(weights[seen])[-1]) / len(weights)
    weights[weights < 0] = EPSILON * mean
    return weights


def _terms_table(strategy: str, names: pa.Array, starts: Int, chunk: Int, scores: Float) -> pa.Table:
    offsets = pa.array(starts, pa.int32())
    columns = [
        pa.repeat(strategy, len(names)),
        names,
        pa.ListArray.from_arrays(offsets, pa.array(chunk, pa.int32())),
        pa.ListArray.from_arrays(offsets, pa.array(scores, pa.float64())),
    ]
    return pa.table(columns, schema=BM25_TERMS.schema)


def _chunks_table(strategy: str, ids: pa.Array, lengths: Int, prose: Sequence[bool]) -> pa.Table:
    columns = [
        pa.repeat(strategy, len(ids)),
        pa.array(np.arange(len(ids)), pa.int32()),
        ids,
        pa.array(lengths, pa.int32()),
        pa.array(prose, pa.bool_()),
    ]
    return pa.table(columns, schema=BM25_CHUNKS.schema)


@dataclass(frozen=True, slots=True)
class BM25Index:
    """A BM25 index in memory.

    Attributes:
        chunk_ids: The chunks, ascending; a score's place is its chunk's place here.
        places: Row of each term.
        offsets: Where each row's entries begin and end, shape (terms + 1,).
        ordinals: Chunks of all entries.
        contributions: What one occurrence of the entry's term in a query adds to the chunk's score.
        prose: Which chunks are asked in the words of prose, shape (chunks,).
    """

    chunk_ids: pa.Array
    places: dict[str, int]
    offsets: NDArray[np.int32]
    ordinals: Int
    contributions: Float
    prose: NDArray[np.bool_]

    @classmethod
    def from_tables(cls, terms: pa.Table, chunks: pa.Table) -> BM25Index:
        """Open an index from its ``bm25_terms`` and ``bm25_chunks`` tables, in their stored order."""
        ordinals, contributions = terms["chunks"].combine_chunks(), terms["scores"].combine_chunks()
        names = terms["term"].to_pylist()
        return cls(
            chunk_ids=chunks["chunk_id"].combine_chunks(),
            places={name: place for place, name in enumerate(names)},
            offsets=ordinals.offsets.to_numpy() - (ordinals.offsets[0].as_py() if names else 0),
            # The width that bincount counts in: no copy is made at a query.
            ordinals=ordinals.flatten().to_numpy().astype(np.int64),
            contributions=contributions.flatten().to_numpy(),
            prose=np.asarray(chunks["prose"], dtype=bool),
        )

    def __len__(self) -> int:
        return len(self.chunk_ids)

    def answer(self, terms: Terms) -> Float:
        """Score of every chunk for a query, shape (chunks,): each in the terms of its kind."""
        if not self.prose.any():
            return self.scores(terms.code)
        if self.prose.all():
            return self.scores(terms.prose)
        return np.where(self.prose, self.scores(terms.prose), self.scores(terms.code))

    def answering(self, terms: Terms) -> NDArray[np.bool_]:
        """Which chunks hold a term of a query, shape (chunks,): each of the terms of its kind."""
        return np.where(self.prose, self.holders(terms.prose), self.holders(terms.code))

    def scores(self, tokens: Sequence[str]) -> Float:
        """Score of every chunk for terms of one kind, shape (chunks,), bit-equal to ``BM25Okapi.get_scores``.

        Args:
            tokens: The query's terms; a repeated one adds again, an unknown one nothing.
        """
        rows = [self.places[token] for token in tokens if token in self.places]
        if not rows:
            return np.zeros(len(self))
        entries = [slice(self.offsets[row], self.offsets[row + 1]) for row in rows]
        # bincount adds up in order: one token after the other, as BM25Okapi does.
        scores = np.bincount(
            np.concatenate([self.ordinals[part] for part in entries]),
            np.concatenate([self.contributions[part] for part in entries]),
            len(self),
        )
        return scores.astype(np.float64, copy=False)

    def holders(self, tokens: Sequence[str]) -> NDArray[np.bool_]:
        """Which chunks hold one of the terms at all, shape (chunks,): a score of 0 does not tell."""
        held = np.zeros(len(self), dtype=bool)
        for place in {self.places[token] for token in tokens if token in self.places}:
            held[self.ordinals[self.offsets[place] : self.offsets[place + 1]]] = True
        return held
