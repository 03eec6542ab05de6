from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.text.sentences import sentence_cuts, sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["It rains.", "We stay!", "Do you?", "Well…", "Yes."],
        ["Dr. Who met Mrs. Jones vs. the rest.", "They left at 3.50 p.m. sharp."],
        ["See e.g. the docs, i.e. this page.", "Pi is 3.14159.", "Version 2.0.1 is out."],
        ['He said "Stop."', "Then he left (at last!).", "Gone."],
        ["J. R. Tolkien wrote it.", "It was 1937.", "Then came No. 2 of it."],
        ["Apples, pears, etc. are fruit.", "Nuts, seeds, etc.", "They are not."],
        ["It was the U.S. army.", "Wait... what?"],
    ],
)
def test_sentences_end_where_a_reader_says(expected: list[str]) -> None:
    assert split(" ".join(expected)) == expected


def test_wide_marks_need_no_space_behind_them() -> None:
    assert split("これは文です。次の文！「はい。」終わり") == [
        "これは文です。",
        "次の文！",
        "「はい。」",
        "終わり",
    ]


def test_blank_lines_and_list_items_end_sentences_but_wrapped_lines_do_not() -> None:
    text = "# Title\n\nA sentence that is\nwrapped. Another\n\n- one\n- two\n1. first\n2. second\n```\ncode"
    assert split(text) == [
        "# Title",
        "A sentence that is\nwrapped.",
        "Another",
        "- one",
        "- two",
        "1. first",
        "2. second",
        "```\ncode",
    ]


def test_whole_sentences_are_packed_and_only_a_longer_one_is_cut() -> None:
    text = "One two. Three four. " + "long " * 12 + "end. Five six. Seven."
    cut = [text[start:end] for start, end, _ in sentence_cuts(text, 30)]
    assert cut == [
        "One two. Three four.",
        "long long long long long long",
        "long long long long long long",
        "end. Five six. Seven.",
    ]


def test_chunks_of_prose_end_with_sentences(corpora: Path) -> None:
    path = corpora / "corpora" / "chunking_evaluation" / "state_of_the_union.md"
    text = path.read_text(encoding="utf-8")
    cuts = sentence_cuts(text, 1000)
    assert max(end - start for start, end, _ in cuts) <= 1000
    assert all(text[end - 1] in '.!?…"”' for _, end, _ in cuts)
    assert sum(end - start for start, end, _ in cuts) / len(cuts) > 800
