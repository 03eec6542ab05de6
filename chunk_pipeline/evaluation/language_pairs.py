"""The ``language_metrics`` table: how well questions in one language find answers in another, pair by pair.

Every pair is a small sample, so its interval stands beside it; which strategy is better is decided over all
of a category, not here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from chunk_pipeline.evaluation.judgements import Bool
from chunk_pipeline.evaluation.sample import Sample, clusters, sample
from chunk_pipeline.evaluation.scores import Measure, Scores, measured
from chunk_pipeline.evaluation.significance import wilson_interval
from chunk_pipeline.warehouse.tables import LANGUAGE_METRICS

METRICS = ("hit@1", "hit@5")
"""What is told of a pair: a person looks at the first answer, an agent at the first five."""


def language_metrics(scores: Scores) -> pa.Table:
    """Hits of every strategy and retriever for each category, route and pair of languages.

    Args:
        scores: Of all gold rows; those without ``languages`` are left out.

    Returns:
        A ``language_metrics`` table: means over gold rows, Wilson intervals over distinct queries.
    """
    rows = [row for pair in _pairs(scores) for row in _rows(scores, *pair)]
    rows.sort(key=lambda row: tuple(str(row[column]) for column in LANGUAGE_METRICS.sort))
    return pa.Table.from_pylist(rows, schema=LANGUAGE_METRICS.schema)


def _pairs(scores: Scores) -> Iterator[tuple[str, str, str, Sample]]:
    """(category, route, languages, its gold rows)."""
    gold = scores.gold
    columns = [gold[name].to_numpy() for name in ("category", "route", "languages")]
    cluster = clusters(gold)
    for category, route, languages in sorted(set(zip(*columns, strict=True))):
        if languages:
            asked: Bool = (columns[0] == category) & (columns[1] == route) & (columns[2] == languages)
            yield category, route, languages, sample(gold, asked, cluster)


def _rows(
    scores: Scores, category: str, route: str, languages: str, asked: Sample
) -> Iterator[dict[str, object]]:
    measures = [
        each
        for each in scores.measures
        if each.metric in METRICS and scores.scopes.asks(each.strategy, category)
    ]
    values = measured(scores, measures)[asked.rows].mean(axis=0) if measures else np.zeros(0)
    low, high = wilson_interval(values, asked.n_queries)
    for place, measure in enumerate(measures):
        yield {
            **_named(measure),
            "category": category,
            "route": route,
            "languages": languages,
            "value": float(values[place]),
            "low": float(low[place]),
            "high": float(high[place]),
            "n": asked.n_rows,
            "n_distinct": asked.n_queries,
        }


def _named(measure: Measure) -> dict[str, object]:
    names = ("strategy", "retriever", "level", "metric")
    return {name: getattr(measure, name) for name in names}
