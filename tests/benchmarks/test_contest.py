"""What the contest counts of pieces, on cutters that err in known ways."""

from __future__ import annotations

import pytest

from benchmarks._contest import Contender, Piece, judge, race
from benchmarks._peers import ours
from chunk_pipeline.chunking.chunk import Document

TEXT = "# Title\n\none two\n\nthree four\n"
DOCUMENT = Document("shop", "a.md", TEXT, "markdown")


def contender(*pieces: tuple[str, int | None]) -> Contender:
    made = [Piece(text, text, text, start) for text, start in pieces]
    return Contender("made", False, lambda: lambda document: made, lambda document: made)


def test_pieces_that_say_where_they_stand_are_held_to_it() -> None:
    judged = judge(contender(("# Title", 0), ("one two", 8), ("three four", 18)), [DOCUMENT], "text", 9, len)
    assert (judged.pieces, judged.over, judged.placed, judged.exact, judged.found) == (3, 1, 3, 2, 3)
    assert judged.covered == judged.characters == 21


def test_pieces_without_a_place_are_found_in_order_and_rewritten_ones_are_not() -> None:
    judged = judge(contender(("# Title", None), ("one  two", None)), [DOCUMENT], "text", 100, len)
    assert (judged.placed, judged.exact, judged.found) == (0, 0, 1)
    assert judged.covered == 6


def test_pieces_are_asked_whether_they_parse() -> None:
    judged = judge(contender(("```\na", None), ("b\n```", None), ("c", None)), [DOCUMENT], "markdown", 9, len)
    assert judged.whole == 1


def test_a_strategy_of_ours_is_exact_and_covers_all() -> None:
    judged = judge(ours("recursive"), [DOCUMENT], "text", 1000, len)
    assert judged.exact == judged.pieces == 1
    assert judged.covered == judged.characters


def test_every_contender_of_a_race_gets_a_time() -> None:
    assert all(seconds >= 0 for seconds in race([contender(), ours("recursive")], [DOCUMENT], rounds=1))


@pytest.mark.parametrize("size", [1, 3])
def test_the_limit_is_in_the_unit_that_is_given(size: int) -> None:
    words = judge(
        contender(("one two three", None)), [DOCUMENT], "text", size, lambda text: len(text.split())
    )
    assert words.over == (size < 3)
