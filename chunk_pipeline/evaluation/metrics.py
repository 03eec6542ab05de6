"""The ``retrieval_metrics`` table: how well each retriever over each strategy's chunks answers the gold.

Figures are means over all gold **rows**, the published study's way; their 95% intervals are over **distinct**
queries, since rows that share a query share its ranking. Differences between strategies belong in
``comparisons``: two intervals that overlap say nothing about a paired difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from chunk_pipeline.evaluation.questions import Question, questions
from chunk_pipeline.evaluation.ranking_metrics import Float
from chunk_pipeline.evaluation.sample import ALL, Sample
from chunk_pipeline.evaluation.scopes import EVERYWHERE, Scopes
from chunk_pipeline.evaluation.scores import ROUTE_METRICS, Measure, Scores, measured, score
from chunk_pipeline.evaluation.significance import bootstrap_interval, wilson_interval
from chunk_pipeline.warehouse.tables import RETRIEVAL_METRICS


def retrieval_metrics(
    gold: pa.Table,
    rankings: Mapping[str, pa.Table],
    chunks: Mapping[str, pa.Table],
    scopes: Scopes = EVERYWHERE,
) -> pa.Table:
    """Metrics of every strategy and retriever, at both levels, for every category and route of its gold.

    Args:
        gold: A ``gold_queries`` table.
        rankings: ``rankings`` by strategy.
        chunks: ``chunks`` by strategy.
        scopes: Which categories each strategy cuts.

    Returns:
        A ``retrieval_metrics`` table. Besides hits, MRR and nDCG it has hits among the chunks that fit 500,
        1,000 and 2,000 tokens and, at chunk level, ``span_recall@5``, ``span_precision@5`` and ``span_iou@5``
        on characters and ``bundle_efficiency@5``. A category's rows have the route ``all``, and hits, MRR and
        nDCG of each route besides. Under the category ``all`` is all gold that a strategy is asked: a figure
        to be read beside those of strategies that cut the same categories.

    Raises:
        ValueError: Rankings that do not belong to these chunks or this gold.
    """
    return metrics_table(score(gold, rankings, chunks, scopes))


def metrics_table(scores: Scores) -> pa.Table:
    """The ``retrieval_metrics`` table of scores already made."""
    rows = [row for question in questions(scores) for row in _rows(scores, question)]
    rows.sort(key=lambda row: tuple(str(row[column]) for column in RETRIEVAL_METRICS.sort))
    return pa.Table.from_pylist(rows, schema=RETRIEVAL_METRICS.schema)


def _rows(scores: Scores, question: Question) -> list[dict[str, object]]:
    measures = [
        measure
        for measure in scores.measures
        if measure.strategy in question.strategies
        and (question.route == ALL or measure.metric in ROUTE_METRICS)
    ]
    sample, values = question.sample, measured(scores, measures)
    value = values[sample.rows].mean(axis=0)
    low, high = _intervals(measures, sample, values, value)
    return [
        {
            "strategy": measure.strategy,
            "retriever": measure.retriever,
            "level": measure.level,
            "category": question.category,
            "route": question.route,
            "metric": measure.metric,
            "value": float(value[place]),
            "low": float(low[place]),
            "high": float(high[place]),
            "n": sample.n_rows,
            "n_distinct": sample.n_queries,
            "verdict": None,
        }
        for place, measure in enumerate(measures)
    ]


def _intervals(
    measures: Sequence[Measure], sample: Sample, values: Float, value: Float
) -> tuple[Float, Float]:
    """Wilson for hits, with as many trials as distinct queries; bootstrap over distinct queries otherwise."""
    is_hit = np.array([measure.is_hit for measure in measures])
    low, high = wilson_interval(np.where(is_hit, value, 0.0), sample.n_queries)
    drawn = sample.by_query(values[:, ~is_hit])
    low[~is_hit], high[~is_hit] = bootstrap_interval(drawn, sample.count.astype(np.float64))
    return low, high
