from __future__ import annotations

import sys

import pytest

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.gaps import Gaps
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.rebuilding import rebuilt
from chunk_pipeline.chunking.significance import solid
from chunk_pipeline.chunking.syntax import parses

TEXT = '{"a": 1, "bc": [true, "d e"]}'


def _slice(start: int, end: int, text: str = TEXT) -> Chunk:
    return Chunk(text[start:end], (Span(start, end),))


def test_a_whole_document_in_one_chunk_holds() -> None:
    proof = prove(TEXT, [_slice(0, len(TEXT))], [], "json")
    assert (proof.cover, proof.holds, proof.chunks, proof.exact, proof.parsing) == (1.0, True, 1, 1, 1)
    # "a" 1 "bc" true "d e", quotes counted, the space inside a string not.
    assert proof.characters == 3 + 1 + 4 + 4 + 4


def test_structural_characters_count_in_text_but_not_in_json() -> None:
    assert prove(TEXT, [], [], "text").characters == len(TEXT.replace(" ", ""))
    assert prove("{a: 1}", [], [], "json").characters == len("{a:1}")
    assert prove('{"{,}": []}', [], [], "json").characters == len('"{,}"')


def test_what_is_in_no_chunk_is_shown() -> None:
    start = TEXT.index('"bc"')
    proof = prove(TEXT, [Chunk('{"a": 1}', (Span(1, 7),))], [], "json")
    assert not proof.holds
    assert [stretch.span.start for stretch in proof.uncovered] == [
        start,
        TEXT.index("true"),
        TEXT.index('"d'),
    ]
    assert proof.uncovered[1].excerpt == "true"
    assert proof.covered == 4


def test_a_skip_covers_what_it_lists() -> None:
    skip = Skip(Span(TEXT.index('"bc"'), len(TEXT) - 1), "left out")
    assert prove(TEXT, [Chunk('{"a": 1}', (Span(1, 7),))], [skip], "json").holds


def test_a_dumped_body_must_be_made_of_values_in_its_spans() -> None:
    span = (Span(1, 7),)
    for body in ('{"a": 1}', '{"a":1.0e0}', '{"x": 1}'):
        assert prove(TEXT, [Chunk(body, span)], [], "json").exact == 1, body
    for body in ('{"a": 2}', '{"a": 1, "b": 1}', '{"a": "1"}', '{"a": true}', "{a", "a: 1"):
        proof = prove(TEXT, [Chunk(body, span)], [], "json")
        assert proof.exact == 0, body
        assert proof.inexact[0].reason
        assert proof.inexact[0].span == span[0]


def test_a_dumped_body_must_hold_every_value_of_its_spans() -> None:
    fault = prove(TEXT, [Chunk("{}", (Span(1, 7),))], [], "json").inexact[0]
    assert "lacks: '1'" in fault.reason


def test_a_span_behind_the_end_of_the_text_is_a_fault() -> None:
    proof = prove("abc", [Chunk("abc", (Span(0, 4),))], [], "text")
    assert not proof.holds
    assert "behind the text" in proof.disordered[0].reason


def test_a_text_body_must_be_the_slice() -> None:
    assert prove("a b c", [_slice(0, 3, "a b c"), _slice(2, 5, "a b c")], [], "text").repeated == 1
    proof = prove("a b c", [Chunk("a c", (Span(0, 1), Span(4, 5))), Chunk("b", (Span(3, 4),))], [], "text")
    assert (proof.exact, [fault.ordinal for fault in proof.inexact]) == (0, [0, 1])


def test_order_is_shown_where_it_breaks() -> None:
    backwards = prove(
        "a b c d", [_slice(6, 7, "a b c d"), _slice(2, 3, "a b c d"), _slice(0, 1, "a b c d")], [], "text"
    )
    # The first chunk may gather what stands anywhere, so only the third is out of order.
    assert [fault.ordinal for fault in backwards.disordered] == [2]
    crossing = prove("abc", [Chunk("abc", (Span(1, 3), Span(0, 2)))], [], "text")
    assert crossing.disordered[0].reason == "spans are not ascending and disjoint"


def test_a_document_without_content_is_covered() -> None:
    assert prove(" {} ", [], [], "json").cover == 1.0


def test_only_the_worst_rows_are_kept() -> None:
    text = "\n".join("x" * size + ' "' for size in range(1, 31))
    proof = prove(f"[{text}]", [Chunk("?", (Span(0, 1),)) for _ in range(12)], [], "text")
    assert (len(proof.inexact), proof.exact) == (10, 0)
    (stretch,) = proof.uncovered
    assert stretch.characters == proof.characters - 1


WORDS = "one two three four"


def _word(start: int, end: int, overlap: int = 0) -> Chunk:
    return Chunk(WORDS[start:end], (Span(start, end),), overlap=overlap)


def test_an_overlap_is_what_the_chunks_before_hold_white_space_included() -> None:
    proof = prove(WORDS, [_word(0, 7), _word(3, 13, overlap=4), _word(14, 18)], [], "text")
    assert proof.holds
    assert (proof.overlap, proof.shared, proof.repeated, proof.joined) == (4, 4, 3, 3)


@pytest.mark.parametrize(("declared", "held"), [(0, 3), (2, 3), (4, 3), (-1, 3)])
def test_an_overlap_that_is_not_shared_is_a_fault(declared: int, held: int) -> None:
    proof = prove(WORDS, [_word(0, 7), _word(4, 18, overlap=declared)], [], "text")
    assert not proof.holds
    assert (proof.joined, proof.overlap, proof.shared) == (1, declared, held)
    assert [(each.ordinal, each.reason) for each in proof.misjoined] == [
        (1, f"overlap is {declared}, the chunks before hold {held} characters of it")
    ]


def test_a_chunk_may_share_with_more_than_the_one_before() -> None:
    chunks = [_word(0, 13), _word(4, 7, overlap=3), _word(8, 18, overlap=5)]
    assert prove(WORDS, chunks, [], "text").holds
    assert rebuilt(len(WORDS), chunks) == WORDS


def test_the_first_chunk_may_stand_behind_the_second_but_not_inside_it() -> None:
    proof = prove(WORDS, [_word(14, 18), _word(0, 7), _word(8, 13)], [], "text")
    assert proof.holds
    proof = prove(WORDS, [_word(8, 13), _word(0, 18)], [], "text")
    assert [each.reason for each in proof.misjoined] == [
        "holds characters of the first chunk behind its overlap"
    ]


def test_a_chunk_of_several_spans_has_no_overlap() -> None:
    gathered = Chunk('{"a": 1}', (Span(1, 4), Span(6, 7)), overlap=1)
    (found,) = prove(TEXT, [gathered], [], "json").misjoined
    assert "several spans" in found.reason


def test_gaps_are_counted_by_what_is_in_them() -> None:
    text = "aa  bb  cc  dd"
    chunks = [_slice(0, 2, text), _slice(4, 5, text), _slice(12, 14, text)]
    proof = prove(text, chunks, [Skip(Span(8, 10), "left out")], "text")
    assert proof.left_out.gaps == Gaps(blank=1, skipped=0, lost=1)
    proof = prove(text, chunks, [Skip(Span(5, 6), "x"), Skip(Span(8, 10), "left out")], "text")
    assert proof.left_out.gaps == Gaps(blank=1, skipped=1, lost=0)
    assert proof.holds
    assert prove("  ", [], [Skip(Span(0, 2), "blank")], "text").left_out.gaps == Gaps(0, 1, 0)
    assert prove("", [], [], "text").left_out.gaps == Gaps(0, 0, 0)


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        (Span(12, 15), "the skip ends behind the text's 14 characters"),
        (Span(1, 4), "chunks hold 1 characters of the skip"),
        (Span(5, 9), "other skips hold 1 characters of the skip"),
    ],
)
def test_a_skip_is_inside_the_text_and_beside_chunks_and_other_skips(span: Span, reason: str) -> None:
    text = "aa  bb  cc  dd"
    skips = [Skip(Span(4, 6), "x"), Skip(Span(8, 10), "y"), Skip(Span(12, 14), "z")]
    assert prove(text, [_slice(0, 2, text)], skips, "text").holds
    skips[2 if span.start == 12 else 1] = Skip(span, "moved")
    proof = prove(text, [_slice(0, 2, text)], skips, "text")
    assert not proof.holds
    assert reason in {each.reason for each in proof.left_out.misplaced}


def test_texts_over_the_limit_are_counted_apart_from_those_that_nothing_can_cut() -> None:
    indivisible = Chunk(WORDS[8:18], (Span(8, 18),), metadata=ChunkMetadata(indivisible=True))
    headed = Chunk(WORDS[0:3], (Span(0, 3),), header="// words")
    chunks = [headed, _word(4, 7), indivisible]
    sizes = prove(WORDS, chunks, [], "text", limit=8).sizes
    assert (sizes.over_limit, sizes.indivisible) == (1, 1)
    assert [(each.ordinal, each.size) for each in sizes.longest] == [(0, 12)]
    assert prove(WORDS, chunks, [], "text", limit=12).sizes.over_limit == 0
    assert prove(WORDS, chunks, [], "text").sizes.over_limit == 0


def test_why_chunks_were_cut_in_another_way_is_counted() -> None:
    fallen = [ChunkMetadata(fallback=reason) for reason in ("b", "a", "b")]
    chunks = [Chunk("x", (Span(0, 1),), metadata=each) for each in (*fallen, ChunkMetadata())]
    assert prove("x", chunks, [], "text").fallbacks == (("b", 2), ("a", 1))


def test_what_is_put_around_a_body_is_in_no_span_and_counts_where_it_must_parse() -> None:
    start = TEXT.index("true")
    wrapped = Chunk("true", (Span(start, start + 4),), header="# bc", opening="[", closing="]")
    proof = prove(TEXT, [wrapped], [], "json")
    assert (proof.exact, proof.parsing, proof.covered) == (1, 1, 4)
    assert prove(TEXT, [Chunk("true", wrapped.spans, opening="[")], [], "json").parsing == 0


def test_a_document_is_rebuilt_from_its_chunks() -> None:
    chunks = [_word(0, 7), _word(4, 13, overlap=3), _word(14, 18)]
    assert rebuilt(len(WORDS), chunks) == WORDS
    assert rebuilt(20, chunks, lambda gap: f"<{gap.start}-{gap.end}>") == "one two three<13-14>four<18-20>"
    assert rebuilt(3, []) == "   "


@pytest.mark.parametrize(
    ("chunks", "reason"),
    [
        ([_word(0, 7), _word(4, 18)], "chunk 1 .* adds"),
        ([_word(0, 7), _word(3, 6, overlap=4)], "chunk 1 .* adds"),
        ([Chunk("four!", (Span(14, 19),))], r"not in \[0, 18\]"),
        ([Chunk("one", (Span(0, 1), Span(2, 4)))], "has 2 spans"),
    ],
)
def test_what_is_not_a_row_of_slices_is_not_rebuilt(chunks: list[Chunk], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        rebuilt(len(WORDS), chunks)


def test_white_space_is_what_python_takes_for_it() -> None:
    text = "".join(map(chr, range(sys.maxunicode + 1)))
    assert solid(text).tolist() == [not character.isspace() for character in text]


@pytest.mark.parametrize(
    ("format", "body", "expected"),
    [("json", "[1]", True), ("json", "[1", False), ("json", "NaN", False), ("text", "[1", True)],
)
def test_parsing_is_a_question_of_the_format(format: str, body: str, expected: bool) -> None:
    assert parses(format, body) is expected


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="must be one of json"):
        parses("toml", "a = 1")
