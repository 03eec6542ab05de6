"""Slices of JSON that parse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chunking_documents import cut, document, kalisio

from chunk_pipeline.chunking.chunk import Chunk, Document, UnparsableError
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.json.syntax import cut_json
from chunk_pipeline.evaluation.leaves import LeafCoverage, Piece, leaf_coverage

NAME = "json_syntax"


def chunks_of(text: str, limit: int = 500) -> list[Chunk]:
    return [each for each in cut_json(text, limit) if isinstance(each, Chunk)]


def written(text: str, limit: int) -> list[str]:
    """Each chunk with what is written around its body set off by bars."""
    return [f"{each.opening}|{each.body}|{each.closing}" for each in chunks_of(text, limit)]


def leaves(source: Document, chunks: list[Chunk]) -> LeafCoverage:
    pieces = [
        Piece(each.passage, True, tuple((span.start, span.end) for span in each.spans)) for each in chunks
    ]
    return leaf_coverage(source.text, pieces)


def assert_whole(source: Document) -> list[Chunk]:
    """Everything that the strategy promises, on one document."""
    chunks, skips = cut(NAME, source)
    proof = prove(source.text, chunks, skips, "json", 500)
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
    assert proof.sizes.over_limit == 0, proof.sizes
    assert proof.repeated == 0
    assert all(each.body == source.text[each.spans[0].start : each.spans[0].end] for each in chunks)
    if not skips:
        coverage = leaves(source, chunks)
        assert coverage.found == coverage.total
    return chunks


def test_a_document_that_fits_is_one_chunk_as_it_is() -> None:
    text = ' {"a": [1, 2.50], "b": "\\u00e9"}\n'
    (chunk,) = chunks_of(text)
    assert (chunk.body, chunk.opening, chunk.closing, chunk.unit) == (text.strip(), "", "", "")


def test_whole_members_are_merged_and_the_comma_between_chunks_is_in_none() -> None:
    assert written('{"a": 1, "b": 2,\n "c": 3, "d": 4}', 20) == ['|{"a": 1, "b": 2|}', '{|"c": 3, "d": 4}|']


def test_a_member_over_the_limit_is_split_at_its_children_under_the_keys_around_them() -> None:
    text = '{"a": {"b": ["one", "two", "three"], "c": true}, "d": null}'
    assert written(text, 30) == [
        '|{"a": {"b": ["one", "two"|]}}',
        '{"a":{"b":[|"three"]|}}',
        '{"a":{|"c": true}|}',
        '{|"d": null}|',
    ]


def test_units_point_to_the_deepest_value_that_a_body_belongs_to() -> None:
    text = (
        '{"a": {"b": ["one", "two", "three"], "c/d": true}, "e": {"f": ["sixteen", "seventeen"]}, "g": [1]}'
    )
    assert [(each.body, each.unit) for each in chunks_of(text, 30)] == [
        ('{"a": {"b": ["one", "two"', "/a"),
        ('"three"]', "/a/b/2"),
        ('"c/d": true}', "/a/c~1d"),
        ('"e": {"f": ["sixteen"', "/e"),
        ('"seventeen"]}', "/e/f/1"),
        ('"g": [1]}', "/g"),
    ]


def test_digits_escapes_spaces_and_repeated_names_are_as_written() -> None:
    members = ['"a" : 1E5', '"a":0.10', '"n": 123456789012345678901234567890', '"\\u0061": "\\ud83d\\ude00"']
    for limit in (12, 40, 60):
        bodies = [each.body for each in chunks_of("{" + ",\t".join(members) + "}", limit)]
        joined = ",\t".join(bodies)
        assert joined == "{" + ",\t".join(members) + "}"


def test_a_scalar_over_the_limit_stays_with_its_name_and_is_marked() -> None:
    text = json.dumps({"before": 1, "long": "x" * 80, "after": {"k": "y" * 30}})
    before, long, after = chunks_of(text, 50)
    assert (long.body, long.metadata.indivisible, long.unit) == (f'"long": "{"x" * 80}"', True, "/long")
    assert [each.metadata.indivisible for each in (before, after)] == [None, None]


def test_keys_that_would_take_half_the_limit_are_left_out_from_the_outside() -> None:
    text = '{"outer_key_one": {"outer_key_two": {"inner": ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccc"]}}}'
    chunks = chunks_of(text, 40)
    assert all(len(each.text) <= 40 for each in chunks)
    assert [each.opening for each in chunks][-1] == '{"inner":['
    assert [json.loads(each.passage) for each in chunks][-1] == {"inner": ["bbbbbbbbbbbb", "cccccccccc"]}


def test_a_scalar_that_fits_with_fewer_keys_around_it_is_within_the_limit() -> None:
    text = json.dumps({"a": {"b": {"c": "x" * 30, "d": 1}}})
    chunks = chunks_of(text, 40)
    assert all(len(each.text) <= 40 for each in chunks)
    assert {"c": "x" * 30} in [json.loads(each.passage) for each in chunks]


def test_a_name_too_long_to_repeat_is_written_once() -> None:
    name = "k" * 30
    text = json.dumps({name: [f"item {index}" for index in range(12)], "z": 0})
    chunks = chunks_of(text, 50)
    assert json.loads(chunks[0].passage) == {name: []}
    assert sum(name in each.text for each in chunks) == 1
    assert [item for each in chunks[1:-1] for item in json.loads(each.passage)] == [
        f"item {index}" for index in range(12)
    ]
    assert json.loads(chunks[-1].passage) == {"z": 0}
    assert chunks[0].unit == f"/{name}"


def test_records_one_a_line_are_never_joined() -> None:
    long = json.dumps({"b": ["x" * 20] * 3})
    text = f'{{"a": 1}}\n{long}\n\n{{}}\n{{"c": 2}}\n'
    assert written(text, 50) == [
        '|{"a": 1}|',
        f'|{{"b": ["{"x" * 20}"|]}}',
        f'{{"b":[|"{"x" * 20}"|]}}',
        f'{{"b":[|"{"x" * 20}"]}}|',
        "|{}|",
        '|{"c": 2}|',
    ]


@pytest.mark.parametrize("text", ["0", '"scalar"', "null", "[[]]", '{"a": {}}', "[{}, [], [{}]]"])
def test_a_small_document_of_any_shape_is_one_chunk(text: str) -> None:
    assert [each.body for each in chunks_of(text)] == [text]


@pytest.mark.parametrize(
    ("text", "skips"),
    [("", []), (" \n", ["blank document"]), ("{}", ["empty document"]), ("[ ]", ["empty document"])],
)
def test_nothing_to_cut_is_a_skip_with_its_reason(text: str, skips: list[str]) -> None:
    chunks, found = cut(NAME, document(text))
    assert (chunks, [each.reason for each in found]) == ([], skips)


@pytest.mark.parametrize("text", ['{"a": NaN}', "\ufeff{}", '{"a": 1,}', "[" * 100_000 + "]" * 100_000])
def test_what_is_not_json_is_quarantined_with_its_place(text: str) -> None:
    with pytest.raises(UnparsableError, match="line 1, column"):
        cut(NAME, document(text))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000 + "7" + "]" * 1_000,
        '{"a":' * 1_000 + '"deep"' + "}" * 1_000,
        json.dumps(
            {"k" * 300 + str(i): {"v" * 300 + str(j): ["w" * 60] * 12 for j in range(3)} for i in range(9)}
        ),
        json.dumps({"k" * 3_000: {"v": ["w" * 60] * 30}, "z": 1}),
        json.dumps({"a": list(range(5_000))}),
        json.dumps([[f"cell {row}.{column}" for column in range(60)] for row in range(60)], indent=40),
        json.dumps({f"key {i}": [i, {"deep": "ü" * 10, "😀": "\u2028"}] for i in range(300)}, indent="\t"),
        json.dumps({"a": {"b": {"c": {"d": ["x" * 490, "y" * 480, "z" * 495, "w" * 496, 1]}}}}),
    ],
    ids=["brackets", "objects", "long keys", "huge key", "numbers", "table", "unicode", "near the limit"],
)
def test_hard_documents_are_whole_and_within_the_limit(text: str) -> None:
    assert assert_whole(document(text))


def test_the_study_corpus_is_whole_and_within_the_limit(corpora: Path) -> None:
    documents = list(kalisio(corpora))
    chunks = [each for source in documents for each in assert_whole(source)]
    assert len(documents) == 60
    assert not any(each.metadata.indivisible for each in chunks)
    # As many as strategies C and D make (1,134), of which a twentieth are too long.
    assert len(chunks) == 1_104


def test_an_items_value_is_found_wherever_the_piece_of_its_list_begins() -> None:
    source = document(json.dumps({"a": list(range(900))}))
    chunks = chunks_of(source.text)
    assert leaves(source, chunks) == LeafCoverage(900, 900, 0)
    assert leaves(source, chunks[1:]).found == 900 - len(json.loads(chunks[0].passage)["a"])


def test_every_case_that_must_parse_is_whole(corpora: Path) -> None:
    files = sorted((corpora / "corpora/bad_inputs/json_test_suite").rglob("y_*.json"))
    assert len(files) > 90
    for file in files:
        assert_whole(document(file.read_bytes().decode("utf-8")))
