"""One question, answered: the best chunks of a strategy, with where they are.

A person types anything, so everything has a defined answer: a query without a letter or digit finds nothing,
a very long one is cut, control characters are spaces. What does not belong here: printing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.retrieval.bm25 import BM25Index
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.retrieval.filters import NOTHING_KNOWN, Known, known_of
from chunk_pipeline.retrieval.fusion import rank_order
from chunk_pipeline.retrieval.prose import Terms, terms_of
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.retrieval.rankings import RETRIEVERS, Scores, retriever_scores, same_chunks

MAX_QUERY = 10_000
"""Characters of a query that are read."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found.

    Attributes:
        chunk_id: The chunk.
        rank: Its place, from 1.
        score: The retriever's score; comparable only within one search.
    """

    chunk_id: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Result:
    """A hit with where it is, who cut it, what it says and what is known of it; lines count from 1."""

    hit: Hit
    strategy: str
    repository: str
    path: str
    unit: str
    start_line: int
    end_line: int
    text: str
    known: Known = NOTHING_KNOWN


def search(
    query: str,
    bm25: BM25Index,
    dense: DenseIndex,
    encode: Callable[[str], QueryVectors],
    retriever: str = "rrf",
    k: int = 10,
    convex_weight: float = 0.5,
    among: pa.Array | None = None,
) -> list[Hit]:
    """The best chunks for a query.

    Args:
        query: Any text; ``MAX_QUERY`` characters of it are read.
        bm25: BM25 index of a strategy.
        dense: Dense index of the same chunks.
        encode: Gives the query's vector by each model of the index; called only if the retriever needs it:
            ``bm25`` loads no model.
        retriever: ``bm25``, ``dense``, ``rrf`` or ``convex``.
        k: How many to return at most; 0 gives none.
        convex_weight: Share of BM25 in ``convex``.
        among: Ids of the chunks that may be found; all by default. Scores stay those of the whole index.

    Returns:
        Hits, the best first, ties by chunk id. Under ``bm25`` only chunks that hold a word of the query.

    Raises:
        ValueError: k is negative, the retriever unknown, or the indexes hold different chunks.
        DenseError: A model of the index gave no vector of the query.
    """
    if k < 0:
        raise ValueError(f"k is {k}; it must be 0 or more")
    if retriever not in RETRIEVERS:
        raise ValueError(f"no retriever {retriever!r}; there are: {', '.join(RETRIEVERS)}")
    words = clean(query)
    if k == 0 or not words or not len(bm25):
        return []
    terms = terms_of(words)
    allowed = bm25.answering(terms) if retriever == "bm25" else np.ones(len(bm25), dtype=bool)
    if among is not None:
        allowed &= np.asarray(pc.is_in(bm25.chunk_ids, value_set=among))
    scores = _scores(words, terms, bm25, dense, encode, retriever, convex_weight)
    return _best(scores, allowed, bm25.chunk_ids, k)


def clean(query: str) -> str:
    """A query as it is searched for: bounded, printable, or empty if it holds no letter and no digit."""
    bounded = query[:MAX_QUERY].encode("utf-8", "replace").decode("utf-8")
    words = " ".join("".join(each if each.isprintable() else " " for each in bounded).split())
    return words if any(each.isalnum() for each in words) else ""


def chunks_of_repository(chunks: pa.Table, repository: str) -> pa.Array:
    """Ids of a repository's chunks, for ``among``; none if there is no such repository."""
    return chunks.filter(pc.equal(chunks["repository"], repository))["chunk_id"].combine_chunks()


def results(hits: Sequence[Hit], chunks: pa.Table) -> list[Result]:
    """Join hits to their rows.

    Args:
        hits: What was found.
        chunks: A ``chunks`` table that holds them.

    Raises:
        ValueError: A hit is not among the chunks: the index is older than they are.
    """
    rows = pc.index_in(pa.array([hit.chunk_id for hit in hits], pa.string()), value_set=chunks["chunk_id"])
    if rows.null_count:
        raise ValueError(
            f"{rows.null_count} of {len(hits)} hits are not in the chunks; build the index again"
        )
    columns = ["strategy", "repository", "path", "unit", "start_line", "end_line", "text"]
    found = chunks.take(rows)
    known = known_of(found)
    places = zip(hits, found.select(columns).to_pylist(), known, strict=True)
    return [Result(hit=hit, **row, known=each) for hit, row, each in places]


def _scores(
    query: str,
    terms: Terms,
    bm25: BM25Index,
    dense: DenseIndex,
    encode: Callable[[str], QueryVectors],
    retriever: str,
    convex_weight: float,
) -> Scores:
    """Score of every chunk, shape (chunks,)."""
    lexical = bm25.answer(terms)
    if retriever == "bm25":
        return lexical
    same_chunks(bm25, dense)
    semantic = dense.scores(encode(query))[0]
    return retriever_scores(retriever, lexical, semantic, convex_weight)


def _best(scores: Scores, allowed: NDArray[np.bool_], chunk_ids: pa.Array, k: int) -> list[Hit]:
    order = rank_order(scores)
    kept = order[allowed[order]][:k]
    ids = chunk_ids.take(pa.array(kept)).to_pylist()
    return [
        Hit(chunk_id, rank, float(scores[place]))
        for rank, (chunk_id, place) in enumerate(zip(ids, kept, strict=True), start=1)
    ]
