"""The ``retrieval_metrics`` table: how well each retriever over each strategy's chunks answers the gold.

Figures are means over all gold **rows**, the published study's way; their 95% intervals are over **distinct**
queries, since rows that share a query share its ranking. Differences between strategies belong in
``comparisons``: two intervals that overlap say nothing about a paired difference.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from chunk_pipeline.evaluation.ranking_metrics import Float
from chunk_pipeline.evaluation.sample import Sample, samples
from chunk_pipeline.evaluation.scores import Scores, score
from chunk_pipeline.evaluation.significance import bootstrap_interval, wilson_interval
from chunk_pipeline.warehouse.tables import RETRIEVAL_METRICS


def retrieval_metrics(
    gold: pa.Table, rankings: Mapping[str, pa.Table], chunks: Mapping[str, pa.Table]
) -> pa.Table:
    """Metrics of every strategy, retriever, level and category.

    Args:
        gold: A ``gold_queries`` table.
        rankings: ``rankings`` by strategy.
        chunks: ``chunks`` by strategy.

    Returns:
        A ``retrieval_metrics`` table. Besides hits, MRR and nDCG it has ``hit@1000tokens`` (among the chunks
        that fit 1,000 tokens) and, at chunk level, ``span_recall@5``, ``span_precision@5`` and ``span_iou@5``
        on characters.

    Raises:
        ValueError: Rankings that do not belong to these chunks or this gold.
    """
    return metrics_table(score(gold, rankings, chunks))


def metrics_table(scores: Scores) -> pa.Table:
    """The ``retrieval_metrics`` table of scores already made."""
    rows: list[dict[str, object]] = []
    if scores.measures:
        for category, sample in samples(scores.gold).items():
            rows.extend(_rows(scores, category, sample))
    rows.sort(key=lambda row: tuple(str(row[column]) for column in RETRIEVAL_METRICS.sort))
    return pa.Table.from_pylist(rows, schema=RETRIEVAL_METRICS.schema)


def _rows(scores: Scores, category: str, sample: Sample) -> list[dict[str, object]]:
    value = scores.values[sample.rows].mean(axis=0) if sample.n_rows else np.zeros(len(scores.measures))
    low, high = _intervals(scores, sample, value)
    return [
        {
            "strategy": measure.strategy,
            "retriever": measure.retriever,
            "level": measure.level,
            "category": category,
            "metric": measure.metric,
            "value": float(value[place]),
            "low": float(low[place]),
            "high": float(high[place]),
            "n": sample.n_rows,
            "n_distinct": sample.n_queries,
            "verdict": None,
        }
        for place, measure in enumerate(scores.measures)
    ]


def _intervals(scores: Scores, sample: Sample, value: Float) -> tuple[Float, Float]:
    """Wilson for hits, with as many trials as distinct queries; bootstrap over distinct queries otherwise."""
    is_hit = np.array([measure.is_hit for measure in scores.measures])
    low, high = bootstrap_interval(sample.by_query(scores.values), sample.count.astype(np.float64))
    wilson_low, wilson_high = wilson_interval(np.where(is_hit, value, 0.0), sample.n_queries)
    return np.where(is_hit, wilson_low, low), np.where(is_hit, wilson_high, high)
