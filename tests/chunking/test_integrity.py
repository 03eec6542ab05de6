from __future__ import annotations

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Skip, Span
from chunk_pipeline.chunking.integrity import prove
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


@pytest.mark.parametrize(
    ("format", "body", "expected"),
    [("json", "[1]", True), ("json", "[1", False), ("json", "NaN", False), ("text", "[1", True)],
)
def test_parsing_is_a_question_of_the_format(format: str, body: str, expected: bool) -> None:
    assert parses(format, body) is expected


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="must be one of json"):
        parses("yaml", "a: 1")
