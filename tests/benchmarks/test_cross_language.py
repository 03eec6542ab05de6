"""How the cross-language benchmark asks and judges."""

from __future__ import annotations

import numpy as np

from benchmarks.cross_language import Task, judge, queries_of

AID = """
# Museon

## Abstract

Het Museon is een museum in Den Haag dat in 1904 is opgericht. Het heeft drie collecties.

### Geschiedenis

In 1921 nam de gemeente [Den Haag](https://example.org/x) het museum over. Later meer.

Te kort.

## Related Aids

 - Een lange regel die geen vraag is omdat zij na het proza staat.
"""


def test_each_paragraph_of_prose_asks_with_its_first_sentence_and_no_address() -> None:
    assert queries_of(AID) == [
        "Museon. Het Museon is een museum in Den Haag dat in 1904 is opgericht.",
        "In 1921 nam de gemeente Den Haag het museum over.",
    ]


def test_a_hit_is_a_best_chunk_of_the_right_aid_and_ties_count_against_it() -> None:
    task = Task(("x", "y", "z"), ("one", "two", "two"), ("a", "b", "c"), ("one", "two", "two"))
    scores = np.array([[0.9, 0.1, 0.2], [0.5, 0.5, 0.1], [0.9, 0.2, 0.5]])
    figures = judge(task, scores)
    assert figures.hit == 1 / 3
    assert figures.reciprocal == (1 + 1 / 2 + 1 / 2) / 3
