from __future__ import annotations

from pathlib import Path

import pytest
from forty_sentences import FORTY_SENTENCES

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.text.recursive import recursive_chunks, recursive_cuts, recursive_spans
from chunk_pipeline.chunking.text.tokens import TokenRuler
from chunk_pipeline.chunking.tokens import count_tokens


def bodies(text: str, size: int, overlap: int = 0) -> list[str]:
    return [text[start:end] for start, end, _ in recursive_cuts(text, size, overlap)]


def test_the_fixture_of_the_specification_is_cut_as_it_says() -> None:
    spans = recursive_spans(FORTY_SENTENCES, 400, 80)
    assert len(spans) == 14
    assert max(len(span) for span, _ in spans) == 395
    assert [overlap > 0 for _, overlap in spans] == [False] + [True] * 13
    assert FORTY_SENTENCES[spans[1][0].start :].startswith("for item 3 and states th")


def test_the_fixture_made_here_is_the_one_of_the_corpora(corpora: Path) -> None:
    assert (corpora / "fixtures" / "forty_sentences.txt").read_text(encoding="utf-8") == FORTY_SENTENCES


def test_what_has_no_separator_is_cut_at_the_limit_and_repeats_nothing() -> None:
    assert [(end - start, overlap) for start, end, overlap in recursive_cuts("x" * 900, 400, 80)] == [
        (400, 0),
        (400, 0),
        (100, 0),
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a b. c d\n\ne f\ng h. i j k l", "a b. c d"),
        ("a b. c d\ne f. i j k l m n o", "a b. c d"),
        ('a b. c d." e f i j k l m n o', 'a b. c d."'),
        ("a b c d e f g h i j k l m n o", "a b c d e f g h"),
        ("a b。c def。e f g h i j k l m n", "a b。c def。"),
        ("a b c d e\r\n\r\ne f\r\ng h i j k l", "a b c d e"),
        ("a b c de\n  \t\ne f\ng h i j k l", "a b c de"),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnop"),
    ],
)
def test_a_chunk_ends_at_the_coarsest_boundary_that_fits(text: str, first: str) -> None:
    assert bodies(text, 16)[0] == first


def test_a_coarse_boundary_near_the_beginning_gives_way_to_a_finer_one() -> None:
    text = "# T\n\n" + "word " * 30
    assert bodies(text, 60)[0] == "# T\n\n" + ("word " * 11).strip()


def test_a_short_part_before_a_long_word_stays_whole() -> None:
    assert bodies("ab " + "x" * 50 + " cd", 40) == ["ab", "x" * 40, "x" * 10 + " cd"]


def test_a_word_is_not_cut_for_the_sake_of_the_overlap() -> None:
    long = "x" * 35
    text = f"one two three four five six {long} seven"
    assert bodies(text, 40, 12)[1] == long


@pytest.mark.parametrize("whole", ["e\u0301\u0323", "👩‍👩‍👧", "🇫🇷", "👍🏽", "한", "\u1112\u1161\u11ab"])
def test_no_grapheme_is_cut(whole: str) -> None:
    text = whole * 40
    for size in range(len(whole), 3 * len(whole) + 1):
        assert all(len(body) % len(whole) == 0 for body in bodies(text, size)), size


def test_a_grapheme_that_is_longer_than_the_limit_is_cut_all_the_same() -> None:
    assert bodies("e" + "\u0301" * 30, 10) == ["e" + "\u0301" * 9, "\u0301" * 10, "\u0301" * 10, "\u0301"]


def test_token_limits_hold_and_are_used(corpora: Path) -> None:
    text = (corpora / "corpora" / "chunking_evaluation" / "state_of_the_union.md").read_text(encoding="utf-8")
    cuts = recursive_cuts(text, 100, 20, TokenRuler)
    sizes = count_tokens([text[start:end] for start, end, _ in cuts])
    assert max(sizes) <= 100
    assert sum(sizes) / len(sizes) > 70
    assert sum(overlap > 0 for *_, overlap in cuts) > 0.9 * len(cuts)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_a_size_that_leaves_no_room_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="size must be 1 or more"):
        recursive_cuts("text", size, overlap)


def test_a_stretch_of_a_document_keeps_the_document_s_offsets_and_the_reason() -> None:
    text = "head\n" + "word " * 100 + "\ntail"
    chunks = [
        each
        for each in recursive_chunks(text, 50, "it does not parse", 5, len(text) - 5)
        if isinstance(each, Chunk)
    ]
    assert all(chunk.body == text[chunk.spans[0].start : chunk.spans[0].end] for chunk in chunks)
    assert {chunk.metadata.fallback for chunk in chunks} == {"it does not parse"}
    assert (chunks[0].spans[0].start, chunks[-1].spans[0].end) == (5, 504)
    assert [chunk.overlap for chunk in chunks][:2] == [0, 9]


def test_a_blank_document_is_a_skip_and_an_empty_one_nothing() -> None:
    assert list(recursive_chunks(" \n\t", 10)) == [Skip(Span(0, 3), "blank document")]
    assert list(recursive_chunks("", 10)) == []
    for name in ("recursive", "token", "sentence", "semantic"):
        assert list(strategy(name).cut(Document("r", "a.txt", "\u3000\n", "text"))) == [
            Skip(Span(0, 2), "blank document")
        ]


def test_the_strategy_cuts_real_markdown_within_its_limit(corpora: Path) -> None:
    recursive = strategy("recursive")
    for path in sorted((corpora / "corpora" / "kalisio" / "kdk").rglob("*.md"))[:40]:
        document = Document("kdk", path.name, path.read_text(encoding="utf-8"), "markdown")
        pieces = list(recursive.cut(document))
        chunks = [each for each in pieces if isinstance(each, Chunk)]
        assert prove(document.text, chunks, [], "text").holds
        assert max(len(chunk.text) for chunk in chunks) <= recursive.limit


def test_text_strategies_leave_json_to_those_that_know_it() -> None:
    for name in ("recursive", "token", "sentence", "semantic"):
        assert [strategy(name).takes(*kind) for kind in [("markdown", "markdown"), ("text", "rst")]] == [
            True,
            True,
        ]
        assert [strategy(name).takes(*kind) for kind in [("other", "json"), ("vue", "vue")]] == [False, False]
        assert strategy(name).takes("other", "yaml")


def test_settings_say_what_decides_the_cut() -> None:
    assert strategy("recursive").settings == "limit=1000 overlap=200"
    assert "size=800" in strategy("token").settings
    assert "percentile=90 encoder=hashing-blake2b-512x4" in strategy("semantic").settings
