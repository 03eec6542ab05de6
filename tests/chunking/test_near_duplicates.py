"""Pairs that are nearly the same are told with their exact similarity; copies and strangers are not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from test_deduplication import PAGE

from chunk_pipeline.chunking.deduplication import Candidate
from chunk_pipeline.chunking.near_duplicates import (
    MOST_ALIKE,
    NearDuplicate,
    near_duplicates,
    shingles_of,
    similarity,
)

WORDS = [f"woord{number}" for number in range(104)]


def chunk(number: int, words: list[str], strategy: str = "website") -> Candidate:
    return replace(PAGE, chunk_id=f"{number:04}", text=" ".join(words), strategy=strategy)


def test_a_pair_is_told_with_its_exact_similarity() -> None:
    changed = ["anders", *WORDS[1:]]
    # One word of the first shingle differs: 99 of 101 shingles are shared.
    assert near_duplicates([chunk(2, changed), chunk(1, WORDS)]) == (
        NearDuplicate("0001", "0002", round(99 / 101, 6)),
    )


def test_copies_strategies_and_texts_that_differ_are_not_told() -> None:
    upside = WORDS[::-1]
    others = [chunk(1, WORDS), chunk(2, WORDS), chunk(3, upside), chunk(4, ["x", *WORDS], "document")]
    assert near_duplicates(others) == ()


def test_a_pair_below_the_threshold_is_not_told() -> None:
    # Each change of a word far from others costs five shingles: 85 of 115 are shared.
    changed = [f"ander{place}" if place in (10, 30, 50) else word for place, word in enumerate(WORDS)]
    assert similarity(shingles_of(" ".join(WORDS)), shingles_of(" ".join(changed))) == 85 / 115
    assert near_duplicates([chunk(1, WORDS), chunk(2, changed)]) == ()


def test_the_order_does_not_matter_and_the_smaller_id_is_first() -> None:
    chunks = [chunk(number, [f"eigen{number}", *WORDS[number:]]) for number in range(9)]
    pairs = near_duplicates(chunks)
    shuffled = list(chunks)
    Random(1).shuffle(shuffled)
    assert near_duplicates(shuffled) == pairs
    assert pairs
    assert all(pair.chunk_id < pair.other_id and pair.similarity >= 0.8 for pair in pairs)


def test_many_texts_that_are_alike_give_bounded_pairs_and_each_is_in_one() -> None:
    chunks = [chunk(number, [*WORDS, f"nummer{number}"]) for number in range(120)]
    pairs = near_duplicates(chunks)
    assert {each for pair in pairs for each in pair[:2]} == {each.chunk_id for each in chunks}
    assert len(pairs) <= 120 * (MOST_ALIKE + 1)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("een", 1), ("een twee drie vier", 1), ("a b c d e f", 2)]
)
def test_a_short_text_is_one_shingle(text: str, count: int) -> None:
    assert len(shingles_of(text)) == count
