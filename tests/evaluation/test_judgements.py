"""Judgements against an implementation that counts characters one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from evaluation_tables import chunk_row, chunk_table, gold_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.evaluation.intervals import Intervals, overlaps, union_lengths
from chunk_pipeline.evaluation.judgements import judge

PATHS = ("a.json", "b.json", "c.json")


def disjoint(points: Sequence[int]) -> list[tuple[int, int]]:
    """Spans between every other pair of ascending points; some may be empty."""
    ordered = sorted(points)
    return list(zip(ordered[::2], ordered[1::2], strict=False))


span_lists = st.lists(st.integers(0, 40), min_size=2, max_size=6).map(disjoint)
chunk_lists = st.lists(st.tuples(st.sampled_from(PATHS), span_lists), max_size=8)
answers = st.lists(
    st.tuples(st.sampled_from(PATHS), st.integers(0, 40), st.integers(0, 20)).map(
        lambda drawn: (drawn[0], drawn[1], drawn[1] + drawn[2])
    ),
    max_size=3,
)


def naive(spans: Sequence[tuple[int, int]], answer: tuple[int, int]) -> bool:
    held = {character for start, end in spans for character in range(start, end)}
    wanted = set(range(*answer))
    shared = len(held & wanted)
    return shared > 0 and 2 * shared >= min(len(held), len(wanted))


@settings(max_examples=150, deadline=None)
@given(chunk_lists, st.lists(answers, min_size=1, max_size=4))
def test_judgements_agree_with_counting_characters(
    chunks: list[tuple[str, list[tuple[int, int]]]], rows: list[list[tuple[str, int, int]]]
) -> None:
    gold = gold_of({f"query {place}": spans for place, spans in enumerate(rows)})
    table = chunk_table(chunk_row(str(n), path, spans) for n, (path, spans) in enumerate(chunks))
    judgements = judge(gold, table)
    ranking = np.tile(np.arange(len(chunks), dtype=np.int64), (gold.num_rows, 1))
    by_chunk = judgements.relevant_chunks(ranking)
    by_file = judgements.relevant_files(ranking)
    for row, query in enumerate(gold["relevant"].to_pylist()):
        for n, (path, spans) in enumerate(chunks):
            found = [(each["start"], each["end"]) for each in query if each["path"] == path]
            assert by_file[row, n] == bool(found)
            assert by_chunk[row, n] == any(naive(spans, answer) for answer in found)
    assert (judgements.n_relevant_chunks() == by_chunk.sum(axis=1)).all()


def test_half_of_the_smaller_is_enough_and_less_is_not() -> None:
    gold = gold_of({"words": [("a.json", 10, 20)]})
    spans = {"half": [(0, 15)], "less": [(0, 14)], "inside": [(12, 13)], "apart": [(20, 30)], "no": [(0, 0)]}
    table = chunk_table(chunk_row(name, "a.json", each) for name, each in spans.items())
    relevant = judge(gold, table).relevant_chunks(np.arange(5)[None, :])[0]
    assert dict(zip(spans, relevant.tolist(), strict=True)) == {
        "half": True,
        "less": False,
        "inside": True,
        "apart": False,
        "no": False,
    }


def test_spans_of_a_chunk_count_together() -> None:
    gold = gold_of({"words": [("a.json", 0, 10)]})
    table = chunk_table([chunk_row("x", "a.json", [(0, 2), (4, 7), (50, 90)])])
    assert judge(gold, table).relevant_chunks(np.array([[0]])).all()


def test_files_of_two_repositories_with_one_path_are_two_files() -> None:
    gold = gold_of({"words": [("a.json", 0, 10)]})
    table = chunk_table([chunk_row("x", "a.json", [(0, 10)], repository="other")])
    judgements = judge(gold, table)
    assert not judgements.relevant_files(np.array([[0]])).any()
    assert not judgements.relevant_chunks(np.array([[0]])).any()


def test_no_chunks_and_no_gold_are_judged_without_a_crash() -> None:
    assert judge(gold_of({}), chunk_table([])).n_rows == 0
    empty = judge(gold_of({"words": [("a.json", 0, 10)]}), chunk_table([]))
    assert not empty.relevant_chunks(np.full((1, 3), -1)).any()
    assert not empty.relevant_files(np.full((1, 3), -1)).any()


intervals = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(0, 10)), max_size=12).map(
    lambda drawn: Intervals(
        np.array([owner for owner, _, _ in drawn], dtype=np.int64),
        np.array([start for _, start, _ in drawn], dtype=np.int64),
        np.array([start + size for _, start, size in drawn], dtype=np.int64),
    )
)


@settings(max_examples=100, deadline=None)
@given(intervals)
def test_union_lengths_count_each_character_once(drawn: Intervals) -> None:
    held: list[set[int]] = [set() for _ in range(4)]
    for owner, start, end in zip(drawn.owner, drawn.start, drawn.end, strict=True):
        held[owner] |= set(range(start, end))
    assert union_lengths(drawn, 4).tolist() == [len(each) for each in held]


@settings(max_examples=100, deadline=None)
@given(intervals, intervals)
def test_overlaps_find_every_pair_that_shares_characters(left: Intervals, right: Intervals) -> None:
    expected = {
        (i, j): shared
        for i in range(len(left.start))
        for j in range(len(right.start))
        if (shared := min(left.end[i], right.end[j]) - max(left.start[i], right.start[j])) > 0
    }
    i, j, shared = overlaps(left, right)
    assert dict(zip(zip(i.tolist(), j.tolist(), strict=True), shared.tolist(), strict=True)) == expected
