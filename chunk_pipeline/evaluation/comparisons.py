"""The ``comparisons`` table: which differences between strategies and retrievers are beyond noise.

Two questions are asked: under one retriever, which of two strategies is better; and for one strategy,
whether a fusion is better than each of its own legs. Each question (a retriever, or a strategy, at one
level, category, route and metric) is a family of tests for Holm's correction. All figures are over distinct
queries, paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from chunk_pipeline.evaluation.questions import Question, questions
from chunk_pipeline.evaluation.ranking_metrics import Float
from chunk_pipeline.evaluation.route_evidence import DECIDING
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.scopes import EVERYWHERE, Scopes
from chunk_pipeline.evaluation.scores import Measure, Scores, measured, score
from chunk_pipeline.evaluation.significance import (
    bootstrap_interval,
    detectable_hits,
    detectable_mean,
    holm,
    mcnemar_exact,
    sign_flip_test,
    verdicts,
)
from chunk_pipeline.warehouse.tables import COMPARISONS

LEGS = ("bm25", "dense")
FUSIONS = ("convex", "rrf")


class Pair(NamedTuple):
    """Two columns of scores to compare, and the question that they belong to."""

    left: Measure
    right: Measure
    family: tuple[str, ...]


def comparisons(
    gold: pa.Table,
    rankings: Mapping[str, pa.Table],
    chunks: Mapping[str, pa.Table],
    scopes: Scopes = EVERYWHERE,
) -> pa.Table:
    """Compare every pair of strategies under one retriever, and every fusion with its own legs.

    Args:
        gold: A ``gold_queries`` table.
        rankings: ``rankings`` by strategy.
        chunks: ``chunks`` by strategy.
        scopes: Which categories each strategy cuts; only strategies that are asked the same are compared.

    Returns:
        A ``comparisons`` table. The verdict is on the right side: ``better`` means that right beats left. All
        metrics for a category, and for each of its routes the one that decides on a
        recommendation.

    Raises:
        ValueError: Rankings that do not belong to these chunks or this gold.
    """
    return comparisons_table(score(gold, rankings, chunks, scopes))


def comparisons_table(scores: Scores) -> pa.Table:
    """The ``comparisons`` table of scores already made."""
    rows: list[dict[str, object]] = []
    answered: dict[str, list[dict[str, object]]] = {}
    for question in questions(scores):
        if question.same_as:
            fresh = [
                {**row, "category": question.category}
                for row in answered[question.same_as]
                if row["left_strategy"] in question.strategies
                and row["right_strategy"] in question.strategies
            ]
        else:
            fresh = list(_rows(scores, question, _pairs(scores, question)))
        if question.route == ALL:
            answered[question.category] = fresh
        rows += fresh
    rows.sort(key=lambda row: tuple(str(row[column]) for column in COMPARISONS.sort))
    return pa.Table.from_pylist(rows, schema=COMPARISONS.schema)


def _pairs(scores: Scores, question: Question) -> list[Pair]:
    measures = [
        measure
        for measure in scores.measures
        if measure.strategy in question.strategies
        and (question.route == ALL or (measure.metric, measure.level) == DECIDING)
    ]
    return [*_strategy_pairs(measures), *_fusion_pairs(measures)]


def _strategy_pairs(measures: Sequence[Measure]) -> Iterable[Pair]:
    alike: dict[tuple[str, ...], list[Measure]] = {}
    for measure in measures:
        alike.setdefault((measure.retriever, measure.level, measure.metric), []).append(measure)
    for same, of_strategies in alike.items():
        for left, right in combinations(of_strategies, 2):
            yield Pair(left, right, ("strategies", *same))


def _fusion_pairs(measures: Sequence[Measure]) -> Iterable[Pair]:
    known = set(measures)
    for leg, fusion in product(LEGS, FUSIONS):
        for left in measures:
            right = Measure(left.strategy, fusion, left.level, left.metric)
            if left.retriever == leg and right in known:
                yield Pair(left, right, ("fusion", left.strategy, left.level, left.metric))


def _rows(scores: Scores, question: Question, pairs: Sequence[Pair]) -> Iterable[dict[str, object]]:
    if not pairs:
        return
    sample = question.sample
    left = measured(scores, [pair.left for pair in pairs])
    right = measured(scores, [pair.right for pair in pairs])
    differences = sample.by_query(right - left)
    # By-query means of equal rows may differ from 0 or 1 in the last bit.
    wins, losses = (differences > 1e-12).sum(axis=0), (differences < -1e-12).sum(axis=0)
    is_hit = np.array([pair.left.is_hit for pair in pairs])
    p_value = mcnemar_exact(wins, losses)
    p_value[~is_hit] = sign_flip_test(differences[:, ~is_hit])
    p_adjusted = _adjusted(p_value, pairs)
    low, high = bootstrap_interval(differences, np.ones(sample.n_queries), sample.cluster)
    difference = differences.mean(axis=0)
    detectable = np.where(is_hit, detectable_hits(sample.n_queries), detectable_mean(differences))
    verdict = verdicts(difference, low, high, p_adjusted)
    for place, pair in enumerate(pairs):
        yield {
            "left_strategy": pair.left.strategy,
            "left_retriever": pair.left.retriever,
            "right_strategy": pair.right.strategy,
            "right_retriever": pair.right.retriever,
            "level": pair.left.level,
            "category": question.category,
            "route": question.route,
            "metric": pair.left.metric,
            "difference": float(difference[place]),
            "low": float(low[place]),
            "high": float(high[place]),
            "wins": int(wins[place]),
            "losses": int(losses[place]),
            "ties": int(sample.n_queries - wins[place] - losses[place]),
            "p_value": float(p_value[place]),
            "p_adjusted": float(p_adjusted[place]),
            "minimum_detectable": float(detectable[place]),
            "n": sample.n_queries,
            "verdict": str(verdict[place]),
        }


def _adjusted(p_value: Float, pairs: Sequence[Pair]) -> Float:
    """Holm's correction inside each family."""
    families: dict[tuple[str, ...], list[int]] = {}
    for place, pair in enumerate(pairs):
        families.setdefault(pair.family, []).append(place)
    adjusted = np.empty(len(pairs))
    for places in families.values():
        adjusted[places] = holm(p_value[places])
    return adjusted
