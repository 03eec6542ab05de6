from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.corpus.paths import escape_path, is_pruned, suffix, unescape_path


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=20) | st.lists(st.sampled_from([b"\\", b"x", b"ff", b"\xff", b"a"])).map(b"".join))
def test_any_bytes_survive_as_text(raw: bytes) -> None:
    text = escape_path(raw)
    assert unescape_path(text.encode("utf-8").decode("utf-8")) == raw


def test_a_literal_escape_and_the_byte_it_names_stay_apart() -> None:
    assert escape_path(b"a\xff.json") == "a\\xff.json"
    assert escape_path(rb"a\xff.json") == r"a\\xff.json"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.JSON", ".json"),
        ("archive.tar.gz", ".gz"),
        (".env", ""),
        (".eslintrc.js", ".js"),
        ("Makefile", ""),
        ("x.", ""),
        ("a.d/Makefile", ""),
    ],
)
def test_the_suffix_is_the_last_and_in_lower_case(path: str, expected: str) -> None:
    assert suffix(path) == expected


def test_directories_are_pruned_by_exact_name_at_any_depth() -> None:
    assert is_pruned("a/dist/b.js", {"dist"})
    assert is_pruned("dist/b.js", {"dist"})
    assert not is_pruned("a/dist", {"dist"})
    assert not is_pruned("a/Dist/b.js", {"dist"})
    assert not is_pruned("a/distant/b.js", {"dist"})


def test_the_sub_path_itself_is_never_pruned() -> None:
    assert not is_pruned("docs/guide/a.md", {"docs"}, "docs/guide")
    assert is_pruned("docs/guide/docs/a.md", {"docs"}, "docs/guide")
