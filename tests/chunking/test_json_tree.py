from __future__ import annotations

from decimal import Decimal

import pytest

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.json.tree import join_pointer, parse_json, split_pointer


def test_every_node_knows_its_place_in_characters() -> None:
    text = '{ "é": [1, "b"], "c": {"d": null} }'
    root = parse_json(text)
    first, second = root.children
    assert text[root.start : root.end] == text
    assert (first.key, text[first.key_start : first.key_end]) == ("é", '"é"')
    assert text[first.start : first.end] == '[1, "b"]'
    span = second.member_span()
    assert text[span.start : span.end] == '"c": {"d": null}'
    assert [(pointer, text[leaf.start : leaf.end]) for pointer, leaf in root.leaves()] == [
        ("/é/0", "1"),
        ("/é/1", '"b"'),
        ("/c/d", "null"),
    ]


def test_items_and_the_root_have_no_key() -> None:
    root = parse_json("[true]")
    assert (root.key, root.key_start, root.children[0].key, root.children[0].key_start) == (
        None,
        -1,
        None,
        -1,
    )
    assert root.children[0].member_span() == root.children[0].member_span()
    assert (root.children[0].member_span().start, root.children[0].member_span().end) == (1, 5)


def test_keys_are_decoded_and_escaped_in_pointers() -> None:
    text = r'{"a/b~c": {"": {"line\nbreak \"q\" A": 1}}}'
    (pointer, _), *rest = parse_json(text).leaves()
    assert pointer == '/a~1b~0c//line\nbreak "q" A'
    assert rest == []
    assert join_pointer(split_pointer(pointer)) == pointer
    assert split_pointer("") == ()
    with pytest.raises(ValueError, match="RFC 6901"):
        split_pointer("a")


def test_duplicate_keys_are_separate_members() -> None:
    text = '{"a": 1, "a": 2}'
    root = parse_json(text)
    assert [(node.key, node.value(text)) for node in root.children] == [("a", 1), ("a", 2)]
    assert root.value(text) == {"a": 2}


def test_numbers_are_exact() -> None:
    literals = [
        "123456789012345678901234567890",
        "0.1000000000000000055511151231257827",
        "1E+2",
        "-0.0",
        "1e-400",
    ]
    text = f"[{', '.join(literals)}]"
    values = parse_json(text).value(text)
    assert values[0] == 123456789012345678901234567890
    assert values[1:] == [Decimal(literal) for literal in literals[1:]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("NaN", "line 1, column 1"),
        ("[1,\n  Infinity]", "line 2, column 3"),
        ('{"a": 1e999}', "infinity"),
        ("9" * 5000, "infinity"),
        (r'"\ud800"', "surrogate"),
        ('"\ud800"', "surrogate"),
        ("// c\n{}", "line 1, column 1"),
        ("[1,]", "line 1, column 3"),
        ("[1] 2", "after document"),
        ('"a\x00"', "control character"),
        ("[" * 10_000 + "]" * 10_000, "too deep"),
        ("[" * 1_025 + "]" * 1_025, "too deep"),
        ("[1e-99999999999999999999]", "exponent"),
    ],
)
def test_what_is_not_json_is_refused_with_line_column_and_reason(text: str, reason: str) -> None:
    with pytest.raises(UnparsableError, match=reason) as caught:
        parse_json(text)
    assert "line " in str(caught.value)
    assert "column " in str(caught.value)


def test_depth_up_to_the_oracles_limit_is_read_without_recursion() -> None:
    text = "[" * 1_024 + "]" * 1_024
    root = parse_json(text)
    assert (root.start, root.end) == (0, 2_048)
    assert list(root.leaves()) == []
    deep = '{"a":' * 1_000 + "1" + "}" * 1_000
    ((pointer, leaf),) = parse_json(deep).leaves()
    assert pointer == "/a" * 1_000
    assert leaf.value(deep) == 1


def test_white_space_around_a_document_is_no_part_of_it() -> None:
    text = "\n" * 100_000 + " 7\t" + " " * 200_000
    root = parse_json(text)
    assert (root.start, root.end, root.value(text)) == (100_001, 100_002, 7)
