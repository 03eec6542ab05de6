"""Every metric of every gold row, for each strategy, retriever and level: what tables and tests start from.

Rankings are joined to gold by query text and to chunks by id, once a strategy, with relevance looked up in
whole matrices. What a figure means statistically belongs in ``significance`` and its two callers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation import ranking_metrics as metrics
from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.judgements import Judgements, judge
from chunk_pipeline.evaluation.ranking_metrics import Float

HIT_DEPTHS = (1, 3, 5, 10)
NDCG_DEPTH = 10
SPAN_DEPTH = 5
TOKEN_BUDGET = 1000
"""Tokens that a reader is given, for hits at an equal budget."""


@dataclass(frozen=True, slots=True, order=True)
class Measure:
    """What a column of scores is about.

    Attributes:
        strategy: Name of the chunking strategy.
        retriever: bm25, dense, rrf or convex.
        level: file or chunk.
        metric: hit@K, mrr, ndcg@10, …
    """

    strategy: str
    retriever: str
    level: str
    metric: str

    @property
    def is_hit(self) -> bool:
        """Whether each row's score is 0 or 1."""
        return self.metric.startswith("hit@")


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of all gold rows.

    Attributes:
        gold: The ``gold_queries`` table, as scored.
        measures: What each column is, ascending.
        values: Scores, shape (rows, measures).
    """

    gold: pa.Table
    measures: tuple[Measure, ...]
    values: Float


def score(gold: pa.Table, rankings: Mapping[str, pa.Table], chunks: Mapping[str, pa.Table]) -> Scores:
    """Score the rankings of every strategy.

    Args:
        gold: A ``gold_queries`` table.
        rankings: ``rankings`` by strategy; beyond their last rank nothing is found.
        chunks: ``chunks`` by strategy, at least those that the rankings hold.

    Raises:
        ValueError: A ranking holds a chunk that is not among the chunks, or one twice, or lacks a gold query.
    """
    columns: dict[Measure, Float] = {}
    for strategy in sorted(rankings):
        judgements = judge(gold, chunks[strategy])
        queries = pc.unique(gold["query"])
        row_query = np.asarray(pc.index_in(gold["query"], value_set=queries), dtype=np.int64)
        for retriever, matrix in _matrices(strategy, rankings[strategy], chunks[strategy], queries).items():
            for level, scored in _scores(judgements, matrix[row_query]).items():
                for metric, values in scored.items():
                    columns[Measure(strategy, retriever, level, metric)] = values
    measures = tuple(sorted(columns))
    values = (
        np.stack([columns[each] for each in measures], axis=1) if measures else np.zeros((gold.num_rows, 0))
    )
    return Scores(gold, measures, values)


def _scores(judgements: Judgements, ranking: Int) -> dict[str, dict[str, Float]]:
    """Scores by level and metric of one retriever's rankings, shape (rows, depth)."""
    files, chunks = judgements.relevant_files(ranking), judgements.relevant_chunks(ranking)
    file_places = metrics.distinct_places(judgements.files(ranking))
    chunk_places = metrics.chunk_places(ranking)
    levels: dict[str, dict[str, Float]] = {}
    for level, relevant, places, n_relevant in (
        ("file", files, file_places, judgements.n_relevant_files()),
        ("chunk", chunks, chunk_places, judgements.n_relevant_chunks()),
    ):
        levels[level] = {f"hit@{k}": metrics.hit(relevant, places, k) for k in HIT_DEPTHS}
        levels[level]["mrr"] = metrics.reciprocal_rank(relevant)
        levels[level][f"ndcg@{NDCG_DEPTH}"] = metrics.ndcg(relevant, places, n_relevant, NDCG_DEPTH)
        levels[level][f"hit@{TOKEN_BUDGET}tokens"] = metrics.hit_within_tokens(
            relevant, ranking, judgements.chunk_tokens, TOKEN_BUDGET
        )
    names = (f"span_{name}@{SPAN_DEPTH}" for name in ("recall", "precision", "iou"))
    levels["chunk"].update(zip(names, metrics.span_metrics(judgements, ranking, SPAN_DEPTH), strict=True))
    return levels


def _matrices(strategy: str, rankings: pa.Table, chunks: pa.Table, queries: pa.Array) -> dict[str, Int]:
    """Chunk numbers by retriever, shape (queries, depth), -1 where a ranking has ended."""
    query = pc.index_in(rankings["query"], value_set=queries)
    asked = rankings.filter(pc.is_valid(query))
    query = np.asarray(query.drop_null(), dtype=np.int64)
    chunk = pc.index_in(asked["chunk_id"], value_set=chunks["chunk_id"])
    if chunk.null_count:
        raise ValueError(
            f"rankings of {strategy}: {chunk.null_count} places hold chunks that are not in its chunks; "
            "materialise the rankings again"
        )
    chunk = np.asarray(chunk, dtype=np.int64)
    place = np.asarray(asked["rank"], dtype=np.int64) - 1
    retriever = np.asarray(asked["retriever"].to_pandas(), dtype=object)
    matrices = {}
    for name in sorted(set(retriever)):
        of_it = retriever == name
        matrix = np.full((len(queries), int(place[of_it].max()) + 1), -1, dtype=np.int64)
        matrix[query[of_it], place[of_it]] = chunk[of_it]
        _check(f"rankings of {strategy}, {name}", matrix, queries)
        matrices[str(name)] = matrix
    return matrices


def _check(what: str, matrix: Int, queries: pa.Array) -> None:
    missing = np.flatnonzero(matrix[:, 0] < 0)
    if len(missing):
        raise ValueError(
            f"{what}: {len(missing)} gold queries have none, the first is "
            f"{queries[int(missing[0])].as_py()!r}; materialise the rankings again"
        )
    ordered = np.sort(matrix, axis=1)
    if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any():
        raise ValueError(f"{what}: a query has a chunk more than once; materialise the rankings again")


def measured(scores: Scores, wanted: Sequence[Measure]) -> Float:
    """The columns of these measures, shape (rows, wanted)."""
    column = {measure: place for place, measure in enumerate(scores.measures)}
    return scores.values[:, [column[measure] for measure in wanted]]
