from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, gold_table
from chunk_pipeline.evaluation.language_pairs import language_metrics
from chunk_pipeline.evaluation.language_views import language_sections
from chunk_pipeline.evaluation.scopes import Scopes
from chunk_pipeline.evaluation.scores import Measure, Scores
from chunk_pipeline.warehouse.tables import LANGUAGE_METRICS


def gold(*languages: str, category: str = "website") -> pa.Table:
    queries = (
        GoldQuery(
            f"question {number}",
            "description_cross_language",
            "city",
            f"page-{number}.html",
            category,
            (RelevantSpan("city", "answer.html", 0, 9, ""),),
            languages=pair,
        )
        for number, pair in enumerate(languages)
    )
    return gold_table(queries)


def scored(table: pa.Table, hits: dict[str, float], scopes: Scopes | None = None) -> Scores:
    """Scores of one strategy: hit@5 by the pair of a row."""
    measures = (Measure("website", "dense", "chunk", "hit@5"), Measure("website", "dense", "chunk", "mrr"))
    values = np.array([[hits[pair], 0.5] for pair in table["languages"].to_pylist()])
    return Scores(table, measures, values) if scopes is None else Scores(table, measures, values, scopes)


def test_each_pair_of_languages_has_its_own_share_with_an_interval() -> None:
    table = gold("nl-en", "nl-en", "nl-en", "en-nl")
    rows = language_metrics(scored(table, {"nl-en": 1.0, "en-nl": 0.0})).to_pylist()
    found = {row["languages"]: row for row in rows}
    assert [row["metric"] for row in rows] == ["hit@5", "hit@5"]
    assert (found["nl-en"]["value"], found["nl-en"]["n"]) == (1.0, 3)
    assert (found["en-nl"]["value"], found["en-nl"]["n"]) == (0.0, 1)
    assert found["nl-en"]["low"] == pytest.approx(0.4385, abs=1e-4)
    assert found["en-nl"]["high"] > found["nl-en"]["low"]


def test_questions_in_one_language_are_left_out() -> None:
    assert language_metrics(scored(gold("", ""), {"": 1.0})).num_rows == 0
    assert language_sections(LANGUAGE_METRICS.empty()) == []


def test_the_report_shows_each_pair_under_its_category() -> None:
    table = language_metrics(scored(gold("nl-en", "de-en"), {"nl-en": 1.0, "de-en": 0.0}))
    (section,) = language_sections(table)
    (view,) = section.views
    assert view.title == "website"
    assert [[cell.text for cell in row] for row in view.rows] == [
        ["de-en", "description_cross_language", "website", "–", "0.000", "–", "1"],
        ["nl-en", "description_cross_language", "website", "–", "1.000", "–", "1"],
    ]
