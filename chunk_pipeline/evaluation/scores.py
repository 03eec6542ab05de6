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
from chunk_pipeline.evaluation.bundles import BUNDLE_DEPTH, Bundles
from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.judgements import Judgements, judge
from chunk_pipeline.evaluation.ranking_metrics import Float
from chunk_pipeline.evaluation.scopes import EVERYWHERE, Scopes, keep_allowed

HIT_DEPTHS = (1, 3, 5, 10)
NDCG_DEPTH = 10
SPAN_DEPTH = 5
TOKEN_BUDGETS = (500, 1000, 2000)
"""Tokens that a reader is given, for hits at an equal budget."""

ROUTE_METRICS = frozenset({*(f"hit@{k}" for k in HIT_DEPTHS), "mrr", f"ndcg@{NDCG_DEPTH}"})
"""What is told of each route by itself."""


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
        values: Scores, shape (rows, measures); not a number where a strategy is not asked a row's category.
        scopes: Which strategy is asked which categories.
    """

    gold: pa.Table
    measures: tuple[Measure, ...]
    values: Float
    scopes: Scopes = EVERYWHERE


def score(
    gold: pa.Table,
    rankings: Mapping[str, pa.Table],
    chunks: Mapping[str, pa.Table],
    scopes: Scopes = EVERYWHERE,
) -> Scores:
    """Score the rankings of every strategy on the gold of the categories that it cuts.

    Args:
        gold: A ``gold_queries`` table.
        rankings: ``rankings`` by strategy; beyond their last rank nothing is found. Each is asked for once,
            so that a mapping which reads them when asked holds one at a time.
        chunks: ``chunks`` by strategy, at least those that the rankings hold; likewise.
        scopes: Which categories each strategy cuts.

    Raises:
        ValueError: A ranking holds a chunk that is not among the chunks, or one twice, or lacks a gold query.
    """
    columns: dict[Measure, Float] = {}
    for strategy in sorted(rankings):
        asked = scopes.asked(strategy, gold)
        if not asked.any():
            continue
        own = gold.filter(pa.array(asked))
        for (retriever, level, metric), values in _scored(
            strategy, own, rankings[strategy], chunks[strategy], scopes
        ).items():
            column = np.full(gold.num_rows, np.nan)
            column[asked] = values
            columns[Measure(strategy, retriever, level, metric)] = column
    measures = tuple(sorted(columns))
    values = (
        np.stack([columns[each] for each in measures], axis=1) if measures else np.zeros((gold.num_rows, 0))
    )
    return Scores(gold, measures, values, scopes)


def _scored(
    strategy: str, gold: pa.Table, rankings: pa.Table, chunks: pa.Table, scopes: Scopes
) -> dict[tuple[str, str, str], Float]:
    """One strategy's scores by retriever, level and metric; all rows are asked."""
    judgements = judge(gold, chunks)
    bundles = Bundles(gold["target"].to_pylist(), chunks["text"])
    queries = pc.unique(gold["query"])
    row_query = np.asarray(pc.index_in(gold["query"], value_set=queries), dtype=np.int64)
    found: dict[tuple[str, str, str], Float] = {}
    for retriever, matrix in _matrices(strategy, rankings, chunks, queries).items():
        ranking = _among_candidates(matrix[row_query], gold, chunks, scopes)
        for level, scored in _scores(judgements, bundles, ranking).items():
            for metric, values in scored.items():
                found[retriever, level, metric] = values
    return found


def _among_candidates(ranking: Int, gold: pa.Table, chunks: pa.Table, scopes: Scopes) -> Int:
    """The rankings without chunks that strategies which are compared with this one could not return."""
    category = gold["category"].to_numpy()
    for name in sorted(set(category)):
        candidates = scopes.candidates(name)
        if candidates is not None:
            wanted = pa.array(sorted(candidates), pa.string())
            allowed = np.asarray(pc.is_in(chunks["category"], value_set=wanted), dtype=bool)
            if not allowed.all():
                ranking[category == name] = keep_allowed(ranking[category == name], allowed)
    return ranking


def _scores(judgements: Judgements, bundles: Bundles, ranking: Int) -> dict[str, dict[str, Float]]:
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
        for budget in TOKEN_BUDGETS:
            levels[level][f"hit@{budget}tokens"] = metrics.hit_within_tokens(
                relevant, ranking, judgements.chunk_tokens, budget
            )
    names = (f"span_{name}@{SPAN_DEPTH}" for name in ("recall", "precision", "iou"))
    levels["chunk"].update(zip(names, metrics.span_metrics(judgements, ranking, SPAN_DEPTH), strict=True))
    levels["chunk"][f"bundle_efficiency@{BUNDLE_DEPTH}"] = bundles.efficiency(ranking)
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
    names = pc.unique(asked["retriever"])
    retriever = np.asarray(pc.index_in(asked["retriever"], value_set=names))
    matrices = {}
    for number, name in sorted(enumerate(names.to_pylist()), key=lambda each: each[1]):
        of_it = retriever == number
        matrix = np.full((len(queries), int(place[of_it].max()) + 1), -1, dtype=np.int64)
        matrix[query[of_it], place[of_it]] = chunk[of_it]
        _check(f"rankings of {strategy}, {name}", matrix, queries)
        matrices[name] = matrix
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
