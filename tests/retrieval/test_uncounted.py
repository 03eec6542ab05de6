"""Only chunks whose postings do not hold are counted again."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.retrieval.bm25 import COUNTED_COLUMNS, postings_of, uncounted


def chunks(**categories: str) -> pa.Table:
    """Chunks by their ids, each with two words, but ``blank``, which has none."""
    ids = list(categories)
    texts = ["..." if each == "blank" else f"{each} word" for each in ids]
    return pa.table({"chunk_id": ids, "text": texts, "category": list(categories.values())})


BEFORE = chunks(a="javascript", b="javascript", blank="javascript", page="website")
KNOWN = postings_of(BEFORE, "s", "r").select(COUNTED_COLUMNS)


def test_new_chunks_and_those_without_a_term_are_counted_and_gone_ones_go() -> None:
    left, stale = uncounted(chunks(b="javascript", blank="javascript", page="website", c="website"), KNOWN)
    assert left["chunk_id"].to_pylist() == ["blank", "c"]
    assert stale == {"a"}


def test_a_chunk_that_is_now_of_the_other_kind_is_counted_again() -> None:
    left, stale = uncounted(chunks(a="website", b="javascript", page="javascript"), KNOWN)
    assert left["chunk_id"].to_pylist() == ["a", "page"]
    assert stale == {"a", "page"}


def test_nothing_known_and_nothing_left_are_no_special_cases() -> None:
    left, stale = uncounted(BEFORE, KNOWN.slice(0, 0))
    assert (left.num_rows, stale) == (4, frozenset())
    left, stale = uncounted(BEFORE.slice(0, 0), KNOWN)
    assert (left.num_rows, stale) == (0, {"a", "b", "page"})
