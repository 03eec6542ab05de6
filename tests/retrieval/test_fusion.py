from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.retrieval.fusion import (
    convex,
    fuse_ranks,
    normalized,
    rank_order,
    ranks_of,
    reciprocal_rank_fusion,
)

# Few distinct values, so that there are ties.
ROW = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-3, 3), min_size=n, max_size=n)] * 2)
)


def _ids(order: list[int]) -> list[str]:
    return [f"{at:03}" for at in order]


def test_an_id_gains_only_from_the_rankings_that_hold_it() -> None:
    fused = reciprocal_rank_fusion([["b", "a"], ["a", "c"]])
    assert fused == [("a", 1 / 62 + 1 / 61), ("b", 1 / 61), ("c", 1 / 62)]


def test_ties_are_in_the_order_of_ids() -> None:
    assert [each for each, _ in reciprocal_rank_fusion([["b", "a"], ["a", "b"]])] == ["a", "b"]


def test_nothing_fused_is_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []


def test_order_is_by_falling_score_then_by_ordinal_and_equals_share_a_rank() -> None:
    assert rank_order(np.array([1.0, 3.0, 1.0, 3.0])).tolist() == [1, 3, 0, 2]
    assert ranks_of(np.array([[1.0, 3.0, 1.0], [0.0, -1.0, 2.0]])).tolist() == [[2, 1, 2], [2, 3, 1]]


@settings(max_examples=60)
@given(ROW)
def test_equal_scores_share_the_rank_after_all_better_ones(rows: tuple[list[int], list[int]]) -> None:
    fused = fuse_ranks([np.array(row, dtype=np.float64) for row in rows])
    for place, score in enumerate(fused.tolist()):
        better = [sum(other > row[place] for other in row) for row in rows]
        assert score == sum(1 / (61 + count) for count in better)


@settings(max_examples=60)
@given(st.integers(1, 30).flatmap(lambda n: st.tuples(*[st.permutations(range(n))] * 2)))
def test_fusing_scores_without_ties_is_fusing_their_rankings(rows: tuple[list[int], list[int]]) -> None:
    left, right = (np.array(row, dtype=np.float64) for row in rows)
    naive = reciprocal_rank_fusion([_ids(rank_order(left).tolist()), _ids(rank_order(right).tolist())])
    fused = fuse_ranks((left, right))
    order = rank_order(fused).tolist()
    assert [(identity, score) for identity, score in naive] == list(
        zip(_ids(order), fused[order].tolist(), strict=True)
    )


@settings(max_examples=60)
@given(ROW, st.floats(0, 1))
def test_convex_fusion_equals_its_definition(rows: tuple[list[int], list[int]], weight: float) -> None:
    fused = convex(np.array(rows[0], dtype=np.float64), np.array(rows[1], dtype=np.float64), weight)
    for place, score in enumerate(fused.tolist()):
        parts = []
        for row in rows:
            spread = max(row) - min(row)
            parts.append((row[place] - min(row)) / spread if spread else 0.0)
        assert score == pytest.approx(weight * parts[0] + (1 - weight) * parts[1])


def test_the_whole_weight_gives_the_order_of_one_retriever() -> None:
    first, second = np.array([[2.0, 1.0, 3.0]]), np.array([[1.0, 2.0, 0.0]])
    assert rank_order(convex(first, second, 1.0)).tolist() == rank_order(first).tolist()
    assert rank_order(convex(first, second, 0.0)).tolist() == rank_order(second).tolist()


def test_scores_that_do_not_differ_are_normalised_to_zero() -> None:
    assert normalized(np.array([[2.0, 2.0], [1.0, 3.0]])).tolist() == [[0.0, 0.0], [0.0, 1.0]]
    assert normalized(np.zeros((2, 0))).shape == (2, 0)


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_zero_to_one_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="must be from 0 to 1"):
        convex(np.zeros(2), np.zeros(2), weight)
