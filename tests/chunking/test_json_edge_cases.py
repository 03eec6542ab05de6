from __future__ import annotations

import json

import pytest
from chunking_documents import NAMES, OURS, bodies, cut, document, proof_of

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.json.tree import parse_json

REFUSED = [
    '{"a": NaN}',
    "[Infinity]",
    '{"a": 1e999}',
    '{"n": ' + "9" * 5_000 + "}",
    r'{"a": "\ud800"}',
    "[" * 10_000 + "]" * 10_000,
    "// comment\n{}",
    '{"a": 1,}',
    "{} {}",
    '["a\x00"]',
]
ACCEPTED = [
    '{"a": 1, "a": 2, "b": {"c": "x", "c": "y"}}',
    '{"n": 123456789012345678901234567890, "f": 0.1000000000000000055511151231257827, "e": 1E5, "z": -0}',
    '"scalar"',
    "null",
    "[1, [2, [3]]]",
    '[[], {}, [[]], {"a": {}}]',
    r'{"a/b": 1, "c~d": {"e.f": "g :: h"}, "": {"": 0}, "line\nbreak": "\u0000", "\"q\"": "\\"}',
    '{"a": "// x :: y", "b": ["// z"]}',
    '{"big": "' + "x" * 190_000 + '"}',
    json.dumps(
        {f"key {index}": [index, {"deep": "ü" * 10}] for index in range(3_000)}, separators=(",", ":")
    ),
    '{"a":' * 1_000 + '"deep"' + "}" * 1_000,
    "[" * 1_000 + "7" + "]" * 1_000,
    '{"a": 1}\r\n{"b": [2]}\r\n',
    '{"emoji": "😀", "escaped": "\\ud83d\\ude00", "sep": "\u2028"}',
]
CATEGORIES = ("schemas_validation", "i18n_translations", "package_tooling", "test_config", "other")


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_not_json_is_quarantined_by_ours(name: str, text: str) -> None:
    for category in CATEGORIES:
        with pytest.raises(UnparsableError, match="line 1, column"):
            cut(name, document(text, category))


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_the_tree_baseline_falls_back_to_text_and_says_so(text: str) -> None:
    chunks, _ = cut("json_recursive_tree", document(text))
    assert chunks
    assert all(chunk.metadata.fallback for chunk in chunks)
    assert [chunk.body for chunk in chunks] == bodies("json_recursive_text", text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ACCEPTED, ids=range(len(ACCEPTED)))
def test_nothing_of_an_odd_document_is_lost(name: str, text: str) -> None:
    for category in CATEGORIES:
        proof = proof_of(name, document(text, category))
        assert proof.holds, (category, proof)
        assert name not in OURS or proof.parsing == proof.chunks


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "empty document"),
        (" [ ] ", "empty document"),
        ("", "blank document"),
        (" \n", "blank document"),
    ],
)
def test_an_empty_document_gives_no_chunk_but_a_reason(name: str, text: str, reason: str) -> None:
    chunks, skips = cut(name, document(text))
    if name == "json_recursive_text" and text.strip():
        assert [chunk.body for chunk in chunks] == [text.strip()]
    else:
        assert (chunks, [skip.reason for skip in skips]) == ([], [reason])


@pytest.mark.parametrize("name", OURS)
def test_both_members_of_one_name_stay_in_the_text(name: str) -> None:
    (body,) = bodies(name, '{"a": 1, "a": 2}')
    assert body == '{"a": 1, "a": 2}'
    (flat,) = bodies(name, '{"a": 1, "a": 2}', "i18n_translations")
    assert [node.key for node in parse_json(flat).children] == ["a", "a"]


def test_the_tree_baseline_lists_what_langchain_overwrites() -> None:
    source = document('{"a": {"b": 1}, "c": 2, "a": 3}')
    chunks, skips = cut("json_recursive_tree", source)
    assert [chunk.body for chunk in chunks] == ['{"a": 3, "c": 2}']
    assert [source.text[skip.span.start : skip.span.end] for skip in skips] == ['"a": {"b": 1}']
    assert skips[0].reason == "overwritten duplicate key"
    assert proof_of("json_recursive_tree", source).holds


def test_the_tree_baseline_is_in_order_though_langchain_moves_what_overwrites() -> None:
    big = json.dumps({f"k{index}": "x" * 100 for index in range(8)})
    assert proof_of("json_recursive_tree", document(f'{{"b": 1, "a": 1, "a": {big}, "b": {big}}}')).holds


@pytest.mark.parametrize(
    "text", ["1", '["' + "0" * 10 + '", 0.1000000000000000055511151231257827]', "[" * 300 + "1" + "]" * 300]
)
def test_the_tree_baseline_never_changes_a_value_quietly(text: str) -> None:
    chunks, _ = cut("json_recursive_tree", document(text))
    assert all(chunk.metadata.fallback for chunk in chunks)


@pytest.mark.parametrize("name", OURS)
def test_digits_are_those_of_the_source(name: str) -> None:
    literal = "123456789012345678901234567890"
    text = f'{{"a": [{literal}, 1E5, 0.10, 1e-400]}}'
    for category in CATEGORIES[:2] + CATEGORIES[3:]:
        joined = "".join(bodies(name, text, category))
        for digits in (literal, "1E5", "0.10", "1e-400"):
            assert digits in joined, category


@pytest.mark.parametrize("name", OURS)
def test_records_one_a_line_are_cut_as_a_list(name: str) -> None:
    source = document('{"a": 1}\n\n{"b": "x"}\n', "test_config")
    chunks, _ = cut(name, source)
    assert [json.loads(chunk.body) for chunk in chunks] == [{"0": {"a": 1}, "1": {"b": "x"}}]
    assert proof_of(name, source).holds


@pytest.mark.parametrize("key", ["a\nb", "a\r\u2028b", "\x85", "::", "", 'q"q'])
def test_a_header_is_one_line_whatever_the_key_holds(key: str) -> None:
    text = json.dumps({key: {"x": 1}})
    (chunk,), _ = cut("json_category_breadcrumb", document(text, "i18n_translations"))
    assert len(chunk.header.splitlines()) == 1
    assert chunk.header.startswith("// shop/data.json :: ")
    assert chunk.text == f"{chunk.header}\n{chunk.body}"
    assert json.loads(chunk.body) == {key: {"x": 1}}


def test_a_value_that_looks_like_a_header_stays_in_the_body() -> None:
    (chunk,), _ = cut("json_category_breadcrumb", document('"// x :: y"'))
    assert (chunk.header, chunk.body) == ("// shop/data.json", '"// x :: y"')


@pytest.mark.parametrize("name", OURS)
def test_a_huge_value_is_not_cut(name: str) -> None:
    value = "x" * 190_000
    chunks, _ = cut(name, document(json.dumps({"properties": {"p": value}}), "schemas_validation"))
    assert [json.loads(chunk.body) for chunk in chunks] == [{"p": value}]
