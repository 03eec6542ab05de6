from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.embedding.packing import Batch, Group, pack

CAPACITY = 64
LENGTHS = st.lists(st.integers(1, CAPACITY), max_size=200)


@given(LENGTHS)
def test_every_sequence_is_in_one_batch_and_none_is_too_full(lengths: list[int]) -> None:
    batches = pack(lengths, CAPACITY)
    assert sorted(number for batch in batches for number in batch.members) == list(range(len(lengths)))
    assert all(sum(lengths[number] for number in batch.members) <= CAPACITY for batch in batches)


@given(LENGTHS)
def test_groups_lie_end_to_end_and_name_the_lengths_of_their_members(lengths: list[int]) -> None:
    for batch in pack(lengths, CAPACITY):
        place, members = 0, list(batch.members)
        for group in batch.groups:
            assert group.start == place
            assert [lengths[members.pop(0)] for _ in range(group.count)] == [group.length] * group.count
            place = group.stop
        assert not members


@given(LENGTHS)
def test_no_two_batches_would_fit_in_one(lengths: list[int]) -> None:
    filled = [sum(lengths[number] for number in batch.members) for batch in pack(lengths, CAPACITY)]
    assert all(left + right > CAPACITY for left, right in pairwise(filled))


def test_takes_the_longest_that_fits_and_keeps_the_order_of_equals() -> None:
    assert pack([3, 10, 4, 3], 10) == [
        Batch((1,), (Group(0, 1, 10),)),
        Batch((2, 0, 3), (Group(0, 1, 4), Group(4, 2, 3))),
    ]


@pytest.mark.parametrize("length", [0, 11])
def test_refuses_what_no_batch_can_hold(length: int) -> None:
    with pytest.raises(ValueError, match=f"sequence 1 has {length} tokens; a batch takes 1 to 10"):
        pack([5, length], 10)
