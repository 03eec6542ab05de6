"""Statistics beside SciPy, worked examples and the figures that the specification names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from chunk_pipeline.evaluation import significance


@given(st.integers(1, 400), st.integers(0, 400))
@settings(max_examples=60, deadline=None)
def test_wilson_intervals_are_those_of_scipy(n: int, hits: int) -> None:
    hits = min(hits, n)
    expected = stats.binomtest(hits, n).proportion_ci(method="wilson")
    low, high = significance.wilson_interval(np.array([hits / n]), n)
    assert low[0] == pytest.approx(expected.low, abs=1e-9)
    assert high[0] == pytest.approx(expected.high, abs=1e-9)
    assert low[0] <= hits / n <= high[0]


def test_without_trials_anything_is_possible() -> None:
    assert [each.tolist() for each in significance.wilson_interval(np.array([0.0]), 0)] == [[0.0], [1.0]]


@given(st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_mcnemar_is_the_binomial_test_of_the_discordant_queries(wins: int, losses: int) -> None:
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert significance.mcnemar_exact(np.array([wins]), np.array([losses]))[0] == pytest.approx(expected)


def test_five_net_queries_prove_nothing_and_six_of_174_are_the_least_that_do() -> None:
    assert significance.mcnemar_exact(np.array([5]), np.array([0]))[0] == pytest.approx(0.0625)
    assert significance.mcnemar_exact(np.array([9]), np.array([0]))[0] < 0.05
    assert significance.detectable_hits(174) == pytest.approx(6 / 174)
    assert round(100 * significance.detectable_hits(174), 1) == 3.4
    assert np.isnan(significance.detectable_hits(5))


def test_the_bootstrap_is_near_the_normal_interval_and_the_same_every_time() -> None:
    values = np.random.default_rng(1).normal(0.3, 1.0, (400, 2))
    low, high = significance.bootstrap_interval(values, np.ones(400))
    half = 1.96 * values.std(axis=0) / 20
    assert low == pytest.approx(values.mean(axis=0) - half, abs=0.02)
    assert high == pytest.approx(values.mean(axis=0) + half, abs=0.02)
    again = significance.bootstrap_interval(values, np.ones(400))
    assert np.array_equal(low, again[0])
    assert np.array_equal(high, again[1])


def test_queries_that_go_together_make_the_interval_wider() -> None:
    cluster = np.repeat(np.arange(20), 10)
    values = np.random.default_rng(2).normal(0, 1, 20)[cluster][:, None]
    alone = significance.bootstrap_interval(values, np.ones(200))
    together = significance.bootstrap_interval(values, np.ones(200), cluster)
    assert (together[1] - together[0])[0] > 2 * (alone[1] - alone[0])[0]


def test_the_bootstrap_weighs_queries_by_their_rows() -> None:
    values, weight = np.array([[1.0], [0.0]]), np.array([3.0, 1.0])
    cluster = np.zeros(2, dtype=np.int64)
    low, high = significance.bootstrap_interval(values, weight, cluster)
    assert low.tolist() == high.tolist() == [0.75]


def test_sign_flips_agree_with_the_exact_permutation_test() -> None:
    differences = np.random.default_rng(3).normal(0.4, 1.0, (12, 3))
    ours = significance.sign_flip_test(differences)
    for column, p_value in enumerate(ours):
        exact = stats.permutation_test(
            (differences[:, column],),
            lambda sample, axis: sample.mean(axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        ).pvalue
        assert p_value == pytest.approx(exact, abs=0.02)


def test_no_difference_is_no_evidence() -> None:
    assert significance.sign_flip_test(np.zeros((30, 1))).tolist() == [1.0]
    assert np.isnan(significance.detectable_mean(np.zeros((30, 1)))).all()


def test_holm_steps_down_as_in_a_worked_example() -> None:
    adjusted = significance.holm(np.array([0.01, 0.04, 0.03, 0.005]))
    assert adjusted == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert significance.holm(np.array([])).tolist() == []


def test_a_verdict_needs_the_test_and_the_interval() -> None:
    found = significance.verdicts(
        np.array([0.1, -0.1, 0.1, 0.1, 0.0]),
        np.array([0.05, -0.2, -0.01, 0.05, 0.0]),
        np.array([0.2, -0.05, 0.2, 0.2, 0.0]),
        np.array([0.01, 0.01, 0.01, 0.2, 1.0]),
    )
    assert found.tolist() == [
        "better",
        "worse",
        "not distinguishable",
        "not distinguishable",
        "not distinguishable",
    ]


def test_no_queries_give_defined_results() -> None:
    nothing = np.zeros((0, 2))
    assert significance.sign_flip_test(nothing).tolist() == [1.0, 1.0]
    assert [each.tolist() for each in significance.bootstrap_interval(nothing, np.zeros(0))] == [
        [0, 0],
        [0, 0],
    ]
    assert np.isnan(significance.detectable_hits(0))
