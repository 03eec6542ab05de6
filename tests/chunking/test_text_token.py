from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from forty_sentences import FORTY_SENTENCES

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.text.spring import spring_texts
from chunk_pipeline.chunking.text.strategies import Token
from chunk_pipeline.chunking.text.token import token_cuts
from chunk_pipeline.chunking.text.tokens import TokenRuler
from chunk_pipeline.chunking.tokens import count_tokens

FIXTURE = [
    ({}, [792, 88]),
    ({"size": 100}, [88] * 10),
    ({"size": 100, "minimum_characters": 50}, [88] * 10),
    ({"size": 100, "minimum_characters": 425}, [100, 98, *[88] * 7, 66]),
]


def texts(text: str, **options: int) -> list[str]:
    return [text[start:end] for start, end, _ in token_cuts(text, **options)]


@pytest.mark.parametrize(("options", "tokens"), FIXTURE)
def test_the_fixture_of_the_specification_is_cut_as_it_says_in_both_forms(
    options: dict[str, int], tokens: list[int]
) -> None:
    assert count_tokens(texts(FORTY_SENTENCES, **options)) == tokens
    assert spring_texts(FORTY_SENTENCES, **options) == texts(FORTY_SENTENCES, **options)


def test_every_chunk_of_the_fixture_ends_in_a_full_stop_and_repeats_nothing() -> None:
    cuts = token_cuts(FORTY_SENTENCES, 100)
    assert all(FORTY_SENTENCES[end - 1] == "." for _, end, _ in cuts)
    assert all(left[1] < right[0] for left, right in pairwise(cuts))


def test_characters_are_broken_by_the_literal_form_alone() -> None:
    text = "日本語の長い文章には区切りがないので困ります" * 20
    assert any("\ufffd" in each for each in spring_texts(text, 25, 5))
    assert "".join(texts(text, size=25, minimum_characters=5)) == text


def test_text_is_lost_by_the_literal_form_alone() -> None:
    text = (
        "A long enough sentence stands right here. " * 3
        + "Ok.\nThen comes one that goes on and on without end"
    )
    options = {"size": 9, "minimum_characters": 1}
    assert "".join("".join(spring_texts(text, **options)).split()) != "".join(text.split())
    assert "".join("".join(texts(text, **options)).split()) == "".join(text.split())


def test_a_piece_under_the_minimum_joins_the_chunk_before_if_the_size_allows() -> None:
    text = "one two three. ab"
    assert texts(text, size=5, minimum_characters=3) == ["one two three. ab"]
    assert texts(text, size=4, minimum_characters=3) == ["one two three.", "ab"]


def test_separators_and_the_maximum_of_chunks_are_those_of_the_literal_form() -> None:
    text = "first line here\nsecond line here\nthird line here\n"
    assert spring_texts(text, 4, 2, 1, keep_separators=False)[:2] == ["first line here", "second line here"]
    assert spring_texts(text, 4, 2, 1, maximum_chunks=1) == [
        "first line here",
        "second line here third line here",
    ]


def test_a_blank_stretch_is_in_no_chunk() -> None:
    text = "start." + " \n" * 500 + "end."
    assert texts(text, size=10, minimum_characters=3) == ["start.", "end."]
    assert spring_texts("\n \t", 10) == token_cuts("\n \t", 10) == []


def test_words_are_kept_where_there_is_no_mark() -> None:
    text = " ".join(["untokenisable", "circumlocution"] * 50)
    assert all(
        word in ("untokenisable", "circumlocution") for each in texts(text, size=20) for word in each.split()
    )


def test_no_chunk_of_real_texts_has_more_tokens_than_the_size(corpora: Path) -> None:
    folder = corpora / "corpora"
    paths = [
        *folder.glob("chunking_evaluation/w*.md"),
        *sorted((folder / "kalisio" / "kano").rglob("*.md"))[:20],
    ]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert max(count_tokens(texts(text, size=120)), default=0) <= 120


def test_the_ruler_counts_as_the_encoder_does(corpora: Path) -> None:
    path = corpora / "corpora" / "chunking_evaluation" / "chatlogs.md"
    text = path.read_text(encoding="utf-8")
    ruler = TokenRuler(text)
    starts = [start for start in range(0, len(text) - 700, 311) if not text[start].isspace()]
    stretches = [(start, start + len(text[start : start + 700].rstrip())) for start in starts]
    expected = count_tokens([text[start:end] for start, end in stretches])
    assert [ruler.count(start, end) for start, end in stretches] == expected


def test_the_compatible_form_gives_texts_and_no_spans() -> None:
    literal = Token("spring-ai-2.0.1")
    assert literal.texts(FORTY_SENTENCES) == Token().texts(FORTY_SENTENCES) == spring_texts(FORTY_SENTENCES)
    assert literal.settings != Token().settings
    with pytest.raises(ValueError, match=r"take their texts by Token\.texts"):
        list(literal.cut(Document("r", "a.txt", "text", "text")))
    with pytest.raises(ValueError, match=r"must be 'spring-ai-2\.0\.1' or None"):
        Token("spring")


def test_a_size_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="room for a token"):
        token_cuts("text", 0)
