"""What may be concluded from a sample of queries: intervals, paired tests, corrections and verdicts.

Pure functions on arrays; every random one draws from a NumPy generator with a fixed seed, so that a report
is the same on every run. Which pairs are compared belongs in ``comparisons``.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.ranking_metrics import Float

SEED = 20_240_229
RESAMPLES = 10_000
LEVEL = 0.95
ALPHA = 0.05
_CELLS = 4_000_000
"""Numbers drawn at once: bounds the memory whatever the number of queries."""
_COLUMNS = 1000
"""Columns whose resampled means are held at once; each lot draws the same resamples again."""


class Verdict(StrEnum):
    """What a person may conclude from a paired difference."""

    BETTER = "better"
    WORSE = "worse"
    NOT_DISTINGUISHABLE = "not distinguishable"


def wilson_interval(share: Float, n: int) -> tuple[Float, Float]:
    """Wilson score interval of shares of ``n`` trials at 95% (Wilson 1927); [0, 1] without trials.

    Args:
        share: Observed shares, any shape.
        n: Trials.
    """
    share = np.asarray(share, dtype=np.float64)
    if n == 0:
        return np.zeros_like(share), np.ones_like(share)
    z = _deviation(0.5 + LEVEL / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At a share of 0 or 1 the end is exactly there; rounding must not move it inside.
    return np.minimum(centre - half, share).clip(0), np.maximum(centre + half, share).clip(max=1)


def bootstrap_interval(values: Float, weight: Float, cluster: Int | None = None) -> tuple[Float, Float]:
    """Percentile bootstrap interval at 95% of weighted means (Efron 1979), all columns on the same resamples.

    Args:
        values: One row a query, shape (queries, m).
        weight: How much each query counts, shape (queries,).
        cluster: Cluster of each query, from 0; clusters are resampled whole. Each query alone for ``None``.

    Returns:
        (low, high), each shape (m,).
    """
    n_queries, m = values.shape
    if not n_queries:
        return np.zeros(m), np.zeros(m)
    cluster = np.arange(n_queries) if cluster is None else cluster
    n_clusters = int(cluster.max()) + 1
    totals = np.zeros((n_clusters, m))
    np.add.at(totals, cluster, values * weight[:, None])
    weights = np.asarray(np.bincount(cluster, weights=weight, minlength=n_clusters), dtype=np.float64)
    distinct, column = _distinct_columns(totals)
    lots = [distinct[:, first : first + _COLUMNS] for first in range(0, distinct.shape[1], _COLUMNS)]
    ends = np.concatenate([_mean_ends(lot, weights) for lot in lots], axis=1) if lots else np.zeros((2, 0))
    return ends[0, column], ends[1, column]


def mcnemar_exact(wins: Int, losses: Int) -> Float:
    """Two-sided exact McNemar test of paired hits: a binomial test of wins among wins and losses."""
    # Imported here: most processes have nothing to test, and scipy takes a while.
    from scipy import special

    discordant = wins + losses
    tail = special.bdtr(np.minimum(wins, losses), discordant, 0.5)
    return np.minimum(1.0, 2.0 * np.asarray(tail, dtype=np.float64))


def sign_flip_test(differences: Float) -> Float:
    """Two-sided paired permutation test of the mean: the sign of each difference flipped at random.

    Args:
        differences: One row a query, shape (queries, m).

    Returns:
        p-values with the observed assignment counted among the permutations, shape (m,).
    """
    n_queries, m = differences.shape
    if not n_queries:
        return np.ones(m)
    differences, column = _distinct_columns(differences)
    m = differences.shape[1]
    # Sums of the same numbers in another order differ in their last bits.
    observed = np.abs(differences.sum(axis=0)) - 1e-9
    as_far = np.zeros(m, dtype=np.int64)
    generator = np.random.default_rng(SEED)
    for n_drawn in _blocks(max(n_queries, m)):
        signs = generator.integers(0, 2, size=(n_drawn, n_queries), dtype=np.int8) * 2.0 - 1.0
        as_far += (np.abs(signs @ differences) >= observed).sum(axis=0)
    return np.asarray((as_far + 1) / (RESAMPLES + 1), dtype=np.float64)[column]


def holm(p_values: Float) -> Float:
    """Holm's step-down correction of one family of tests (Holm 1979), in the order given."""
    m = len(p_values)
    order = np.argsort(p_values, kind="stable")
    stepped = np.maximum.accumulate(p_values[order] * (m - np.arange(m)))
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1.0, stepped)
    return adjusted


def detectable_hits(n: int) -> float:
    """Smallest gain in hits that ``n`` queries can show: wins without a loss at which McNemar's p ≤ .05.

    Not a number where even a win on every query would prove nothing.
    """
    wins = np.arange(1, n + 1)
    enough = np.flatnonzero(mcnemar_exact(wins, np.zeros_like(wins)) <= ALPHA)
    return float(wins[enough[0]] / n) if len(enough) else float("nan")


def detectable_mean(differences: Float) -> Float:
    """Smallest mean difference that would be significant at 5%, given the spread observed (normal theory).

    Args:
        differences: One row a query, shape (queries, m).

    Returns:
        Shape (m,); not a number where there is no spread to go by.
    """
    n_queries, m = differences.shape
    if n_queries < 2:
        return np.full(m, np.nan)
    error = differences.std(axis=0, ddof=1) / np.sqrt(n_queries)
    found = _deviation(1 - ALPHA / 2) * error
    return np.where(error > 0, found, np.nan)


def verdicts(difference: Float, low: Float, high: Float, p_adjusted: Float) -> NDArray[np.object_]:
    """The verdict on each difference.

    It is beyond noise when the corrected p is at most .05 **and** the interval clustered by file leaves zero
    out: the test counts queries as independent, the interval does not.
    """
    beyond = (p_adjusted <= ALPHA) & ((low > 0) | (high < 0))
    found = np.where(difference > 0, Verdict.BETTER.value, Verdict.WORSE.value).astype(object)
    found[~beyond] = Verdict.NOT_DISTINGUISHABLE.value
    return found


def _distinct_columns(values: Float) -> tuple[Float, Int]:
    """The columns without repeats, and where each column is among them.

    Many are alike: strategies that find the same, a metric in which nothing differs.
    """
    seen: dict[bytes, int] = {}
    lines = np.ascontiguousarray(values.T)
    place = np.array([seen.setdefault(line.tobytes(), len(seen)) for line in lines], dtype=np.int64)
    _, first = np.unique(place, return_index=True)
    return values[:, first], place


def _mean_ends(totals: Float, weights: Float) -> Float:
    """(low, high) of the means of some columns over all resamples of clusters, shape (2, columns)."""
    means = np.empty((totals.shape[1], RESAMPLES))
    filled = 0
    for drawn in _resamples(len(weights)):
        # One line of memory a column: its quantiles are sought there.
        means[:, filled : filled + len(drawn)] = (totals.T @ drawn.T) / (drawn @ weights)
        filled += len(drawn)
    ends = np.quantile(means, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2], axis=1, overwrite_input=True)
    return np.asarray(ends, dtype=np.float64)


def _resamples(n: int) -> Iterator[Float]:
    """How often each of ``n`` items is drawn in each resample, in blocks of shape (drawn, n)."""
    generator = np.random.default_rng(SEED)
    for n_drawn in _blocks(n):
        drawn = generator.integers(0, n, size=(n_drawn, n)) + np.arange(n_drawn)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=n_drawn * n)
        yield counts.reshape(n_drawn, n).astype(np.float64)


def _blocks(width: int) -> Iterator[int]:
    """Sizes of the blocks that ``RESAMPLES`` draws of this width are made in."""
    size = max(1, _CELLS // max(width, 1))
    for first in range(0, RESAMPLES, size):
        yield min(size, RESAMPLES - first)


def _deviation(share: float) -> float:
    """Below how many standard deviations a share of a normal distribution lies."""
    from scipy import special

    return float(special.ndtri(share))
