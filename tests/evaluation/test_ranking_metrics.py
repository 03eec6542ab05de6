"""Metrics on rankings made by hand, and beside ``ir-measures`` on rankings made at random."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from evaluation_tables import chunk_row, chunk_table, gold_of
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import RR, Qrel, ScoredDoc, Success, nDCG

from chunk_pipeline.evaluation import ranking_metrics as metrics
from chunk_pipeline.evaluation.judgements import judge


def test_a_file_counts_once_however_many_of_its_chunks_are_found() -> None:
    files = np.array([[7, 7, 3, 7, 5, -1]])
    assert metrics.distinct_places(files).tolist() == [[1, 0, 2, 0, 3, 0]]


def test_hits_at_file_level_count_distinct_files_and_at_chunk_level_chunks() -> None:
    ranking = np.array([[0, 1, 2, 3]])
    files = np.array([[9, 9, 9, 4]])
    relevant = files == 4
    assert metrics.hit(relevant, metrics.distinct_places(files), 2).tolist() == [1.0]
    assert metrics.hit(relevant, metrics.distinct_places(files), 1).tolist() == [0.0]
    assert metrics.hit(relevant, metrics.chunk_places(ranking), 3).tolist() == [0.0]
    assert metrics.hit(relevant, metrics.chunk_places(ranking), 4).tolist() == [1.0]


def test_reciprocal_rank_is_that_of_the_first_chunk_of_a_relevant_file() -> None:
    relevant = np.array([[False, False, True, True], [True, False, False, False], [False] * 4])
    assert metrics.reciprocal_rank(relevant).tolist() == [1 / 3, 1.0, 0.0]


def test_ndcg_is_one_for_the_ideal_ranking_and_zero_without_answers() -> None:
    relevant = np.array([[True, True, False], [False, False, False]])
    places = metrics.chunk_places(np.zeros((2, 3), dtype=np.int64))
    assert metrics.ndcg(relevant, places, np.array([2, 0])).tolist() == [1.0, 0.0]


def test_a_hit_within_a_budget_counts_the_tokens_of_the_chunks_before_it() -> None:
    relevant = np.array([[False, True]])
    ranking, tokens = np.array([[1, 0]]), np.array([60, 40])
    assert metrics.hit_within_tokens(relevant, ranking, tokens, 100).tolist() == [1.0]
    assert metrics.hit_within_tokens(relevant, ranking, tokens, 99).tolist() == [0.0]


def test_span_metrics_count_characters_of_the_first_chunks_once() -> None:
    gold = gold_of({"words": [("a.json", 0, 10), ("b.json", 0, 10)]})
    table = chunk_table(
        [
            chunk_row("x", "a.json", [(0, 8)]),
            chunk_row("y", "a.json", [(4, 12)]),
            chunk_row("z", "b.json", [(0, 9)]),
        ]
    )
    recall, precision, iou = metrics.span_metrics(judge(gold, table), np.array([[0, 1, 2]]), k=2)
    assert recall == pytest.approx([10 / 20])
    assert precision == pytest.approx([10 / 12])
    assert iou == pytest.approx([10 / 22])


def test_empty_rankings_score_zero() -> None:
    gold = gold_of({"words": [("a.json", 0, 10)]})
    judgements = judge(gold, chunk_table([chunk_row("x", "a.json", [(0, 8)])]))
    ranking = np.full((1, 1), -1)
    relevant = judgements.relevant_chunks(ranking)
    assert metrics.hit(relevant, metrics.chunk_places(ranking), 1).tolist() == [0.0]
    assert metrics.reciprocal_rank(relevant).tolist() == [0.0]
    assert [each.tolist() for each in metrics.span_metrics(judgements, ranking)] == [[0.0], [0.0], [0.0]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_metrics_agree_with_ir_measures(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n_rows, n_items = 6, 25
    scores = generator.integers(0, 8, (n_rows, n_items)) / 4
    relevant = generator.random((n_rows, n_items)) < 0.15
    relevant[:, 0] |= ~relevant.any(axis=1)
    ranking = np.argsort(-scores, axis=1, kind="stable")
    found = np.take_along_axis(relevant, ranking, axis=1)
    places = metrics.chunk_places(ranking)
    ours = {
        Success @ 5: metrics.hit(found, places, 5),
        RR: metrics.reciprocal_rank(found),
        nDCG @ 10: metrics.ndcg(found, places, relevant.sum(axis=1)),
    }
    qrels = [Qrel(str(q), f"{d:03}", int(relevant[q, d])) for q in range(n_rows) for d in range(n_items)]
    # Ties go to the lower id here; ir-measures has no such rule, so it is given the places as scores.
    run = [
        ScoredDoc(str(q), f"{d:03}", float(n_items - place))
        for q in range(n_rows)
        for place, d in enumerate(ranking[q].tolist())
    ]
    for result in ir_measures.iter_calc(list(ours), qrels, run):
        assert ours[result.measure][int(result.query_id)] == pytest.approx(result.value, abs=1e-9)
