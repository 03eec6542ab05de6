"""Pieces of so many tokens: a partition, within the maximum, overlaps real, cut where a reader pauses."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.text.graphemes import whole_before
from chunk_pipeline.chunking.token_pieces import Piece, Size, cut_by_tokens
from chunk_pipeline.chunking.tokens import count_tokens

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
GRAPHEMES = ["a", "Ab", " ", "\n", "\n\n", ". ", "! B", "é", "e\u0301", FAMILY, "中。", "क\u0903", "🇳🇱"]
ALPHABET = st.sampled_from(GRAPHEMES)
TEXTS = st.lists(ALPHABET, max_size=120).map("".join)


def words(text: str) -> int:
    return len(re.findall(r"\S+", text))


def tokens(text: str) -> int:
    return count_tokens([text])[0]


def framed(text: str) -> int:
    """As a model counts that puts two tokens around a text."""
    return tokens(text) + 2


SIZES: dict[str, Size] = {"characters": len, "tokens": tokens, "framed": framed}


def shown(text: str, pieces: list[Piece]) -> list[str]:
    return [text[piece.start : piece.end] for piece in pieces]


@given(
    text=TEXTS,
    name=st.sampled_from(sorted(SIZES)),
    target=st.integers(1, 40),
    more=st.integers(0, 40),
    overlap=st.integers(0, 30),
    data=st.data(),
)
@settings(max_examples=300, deadline=None)
def test_pieces_partition_the_text_within_the_maximum_and_repeat_what_they_say(
    text: str, name: str, target: int, more: int, overlap: int, data: st.DataObject
) -> None:
    breaks = data.draw(st.none() | st.lists(st.integers(-1, len(text) + 1), max_size=8))
    size, maximum = SIZES[name], target + more
    pieces = cut_by_tokens(text, size, target, maximum, overlap, breaks)
    assert "".join(text[piece.start + piece.overlap : piece.end] for piece in pieces) == text
    for before, piece in pairwise(pieces):
        assert piece.start + piece.overlap == before.end
        assert before.start + before.overlap < piece.start
        assert size(text[piece.start : before.end]) - size("") <= overlap
    for piece in pieces:
        assert piece.start + piece.overlap < piece.end
        over = size(text[piece.start : piece.end]) > maximum
        assert not over or piece.end - piece.start == 1 or size("") >= maximum


@given(text=TEXTS, target=st.integers(7, 30), more=st.integers(0, 20))
@settings(max_examples=200, deadline=None)
@example(text=FAMILY * 9, target=7, more=0)
@example(text="e\u0301" * 40, target=7, more=2)
def test_no_piece_tears_a_grapheme_that_fits_into_it(text: str, target: int, more: int) -> None:
    for piece in cut_by_tokens(text, len, target, target + more)[:-1]:
        torn = whole_before(text, piece.end, piece.start + 1) != piece.end
        assert not torn, text[piece.start : piece.end + 8]


def test_a_paragraph_in_the_second_half_ends_a_piece() -> None:
    text = "One two three four.\n\nFive six seven. Eight nine."
    assert shown(text, cut_by_tokens(text, words, 6, 9)) == [
        "One two three four.\n\n",
        "Five six seven. Eight nine.",
    ]


def test_a_sentence_over_the_target_stays_whole_up_to_the_maximum() -> None:
    text = "All of it. One two three four five six. So be it."
    pieces = cut_by_tokens(text, words, 4, 8)
    assert shown(text, pieces) == ["All of it. ", "One two three four five six. ", "So be it."]


def test_a_sentence_over_the_maximum_is_cut_at_lines_then_words() -> None:
    text = "one two three four\nfive six seven eight nine ten eleven"
    assert shown(text, cut_by_tokens(text, words, 5, 5)) == [
        "one two three four\n",
        "five six seven eight nine ",
        "ten eleven",
    ]


def test_the_overlap_is_whole_sentences_else_words() -> None:
    text = "One two three. Four five. Six seven eight nine ten eleven."
    pieces = cut_by_tokens(text, words, 6, 8, overlap=3)
    assert shown(text, pieces) == [
        "One two three. Four five. ",
        "Four five. Six seven eight nine ten eleven.",
    ]
    assert pieces[1].overlap == len("Four five. ")
    text = "one two three four five six seven eight nine"
    assert shown(text, cut_by_tokens(text, words, 4, 4, overlap=1)) == [
        "one two three four ",
        "four five six seven ",
        "seven eight nine",
    ]


def test_rows_are_cut_and_repeated_only_at_their_ends() -> None:
    rows = ["a b. c\n", "d e. f\n", "g h. i\n", "j kk. l m n o p q\n", "r\n"]
    text = "".join(rows)
    breaks = [sum(map(len, rows[: count + 1])) for count in range(len(rows))]
    pieces = cut_by_tokens(text, words, 6, 8, overlap=3, breaks=breaks)
    assert shown(text, pieces) == [rows[0] + rows[1], rows[1] + rows[2], rows[3], rows[4]]
    pieces = cut_by_tokens(text, words, 4, 5, overlap=2, breaks=breaks)
    assert shown(text, pieces)[3:] == ["j kk. ", "kk. l m n ", "m n o p q\n", "r\n"]


def test_a_break_that_is_no_pause_is_kept() -> None:
    text = "abcdefghij"
    assert shown(text, cut_by_tokens(text, len, 4, 4, breaks=[3, 6, 0, -2, 99])) == ["abc", "def", "ghij"]


@pytest.mark.parametrize(
    "text", ["x" * 20_000, "\u4e2d\u6587" * 4_000, "ab-" * 6_000, " " * 9_000 + "x", "." * 40_000 + "x"]
)
def test_a_text_without_pauses_is_cut_into_full_pieces(text: str) -> None:
    pieces = cut_by_tokens(text, len, 500, 1000, overlap=100)
    assert len(pieces) <= len(text) / 450 + 1
    assert pieces[-1].end == len(text)


def test_few_tokens_are_counted_for_each_piece() -> None:
    counted = 0

    def size(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return len(text) // 4

    for text in ("x" * 400_000, "One two three, four five. " * 16_000, "a\n\n" * 130_000):
        counted = 0
        cut_by_tokens(text, size, 500, 1000, overlap=100)
        assert counted < 40 * len(text)


def test_a_header_as_large_as_the_maximum_leaves_the_text_whole() -> None:
    assert cut_by_tokens("a b c", lambda text: words(text) + 9, 5, 9, 2) == [Piece(0, 5, 0)]


def test_an_empty_text_has_no_pieces() -> None:
    assert cut_by_tokens("", len, 5, 9) == []


@pytest.mark.parametrize(("target", "maximum", "overlap"), [(0, 5, 0), (6, 5, 0), (5, 5, -1)])
def test_impossible_sizes_are_refused(target: int, maximum: int, overlap: int) -> None:
    with pytest.raises(ValueError, match=r"target must be in \[1, maximum\]"):
        cut_by_tokens("text", len, target, maximum, overlap)
