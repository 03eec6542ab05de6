"""The tuned weight: no query judges a weight that it helped to choose."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from evaluation_tables import chunk_row, chunk_table, gold_of
from numpy.typing import NDArray

from chunk_pipeline.evaluation.weights import NEUTRAL, Tuning, tune_convex

N = 12
QUERIES = [f"query {n:02}" for n in range(N)]
IDS = [f"c{n:02}" for n in range(N)]


def fuse(left: NDArray[np.floating], right: NDArray[np.floating], weight: float) -> NDArray[np.floating]:
    return weight * left + (1 - weight) * right


def no_scores(block: slice) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    raise AssertionError(f"nothing should be scored, but {block} was asked for")


def gold(n_files: int = N) -> pa.Table:
    return pa.concat_tables(
        gold_of({query: [(f"{n:02}.json", 0, 10)]}, path=f"{n % n_files:02}.json")
        for n, query in enumerate(QUERIES)
    )


def tuned(bm25: NDArray[np.floating], dense: NDArray[np.floating], n_files: int = N) -> Tuning:
    chunks = chunk_table(chunk_row(each, f"{n:02}.json", [(0, 10)]) for n, each in enumerate(IDS))
    return tune_convex(
        gold(n_files),
        chunks.take(list(range(N))[::-1]),
        IDS,
        QUERIES,
        lambda block: (bm25[block], dense[block]),
        fuse,
    )


RIGHT = np.eye(N)
WRONG = np.roll(np.eye(N), -1, axis=1)


def test_the_leg_that_finds_everything_gets_the_weight() -> None:
    lexical, semantic = tuned(RIGHT, WRONG), tuned(WRONG, RIGHT)
    assert lexical.weight > 0.5 > semantic.weight
    assert lexical.held_out.tolist() == semantic.held_out.tolist() == [1.0] * N
    assert lexical.in_sample == 1.0


def test_a_query_is_ranked_with_the_weight_of_the_other_folds() -> None:
    odd = np.arange(N) == 0
    bm25, dense = np.where(odd[:, None], WRONG, RIGHT), np.where(odd[:, None], RIGHT, WRONG)
    tuning = tuned(bm25, dense)
    assert tuning.weights[0] > 0.5
    assert tuning.held_out[0] == 0.5
    assert dict(tuning.by_weight()).keys() == set(tuning.weights.tolist())
    assert sorted(query for _, queries in tuning.by_weight() for query in queries) == QUERIES


def test_queries_of_one_file_are_in_one_fold() -> None:
    tuning = tuned(RIGHT, WRONG, n_files=4)
    for file in range(4):
        assert len(set(tuning.folds[file::4].tolist())) == 1
    assert len(set(tuning.folds.tolist())) == 4


def test_ties_go_to_the_earlier_chunk_and_say_nothing_about_the_weight() -> None:
    tuning = tuned(np.zeros((N, N)), np.zeros((N, N)))
    assert tuning.weight == NEUTRAL
    assert tuning.held_out == pytest.approx(1 / np.arange(1, N + 1))


def test_tuning_is_the_same_every_time() -> None:
    generator = np.random.default_rng(5)
    bm25, dense = generator.random((N, N)) + RIGHT / 2, generator.random((N, N)) + RIGHT / 3
    first, again = tuned(bm25, dense), tuned(bm25, dense)
    assert first.weights.tolist() == again.weights.tolist()
    assert first.held_out.mean() <= first.in_sample + 1e-12


def test_nothing_to_tune_on_leaves_the_weight_neutral() -> None:
    tuning = tune_convex(gold_of({}), chunk_table([]), [], [], no_scores, fuse)
    assert (tuning.weight, tuning.in_sample, list(tuning.by_weight())) == (NEUTRAL, 0.0, [])


def test_queries_and_chunks_of_another_run_are_refused() -> None:
    chunks = chunk_table([chunk_row("x", "00.json", [(0, 10)])])
    with pytest.raises(ValueError, match="no gold query"):
        tune_convex(gold(), chunks, ["x"], ["unknown"], no_scores, fuse)
    with pytest.raises(ValueError, match="build the index again"):
        tune_convex(gold(), chunks, ["y"], QUERIES[:1], no_scores, fuse)
