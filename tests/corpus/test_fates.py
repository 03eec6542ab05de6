from __future__ import annotations

import pytest

from chunk_pipeline.corpus.entry import Entry, Kind
from chunk_pipeline.corpus.fates import is_lfs_pointer, reason_before_reading, reason_by_text
from chunk_pipeline.corpus.profiles import BUILT_IN

DEFAULT = BUILT_IN["default"]
RAG = BUILT_IN["js_vue_rag"]


def early(path: str, size: int = 10, kind: Kind = "file") -> str | None:
    return reason_before_reading(Entry(path, size, kind, "x"), DEFAULT)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("package.json", "excluded_filename"),
        ("deep/down/LICENSE", "excluded_filename"),
        ("yarn.lock", "excluded_filename"),
        ("other.lock", "binary_or_non_text"),
        ("Photo.PNG", "binary_or_non_text"),
        (".min.png", "binary_or_non_text"),
        ("Makefile", "no_extension"),
        (".foo", "no_extension"),
        (".eslintrc.js", "pattern_match"),
        ("app.min.js", "pattern_match"),
        ("app.bundle.js", "pattern_match"),
        ("7.chunk.css", "pattern_match"),
        ("my-lock.json", "pattern_match"),
        ("app.min.js.txt", None),
        ("admin.js", None),
        ("License.md", None),
    ],
)
def test_names_are_judged_by_the_first_rule(path: str, reason: str | None) -> None:
    assert early(path) == reason


def test_name_rules_go_before_size() -> None:
    assert early("package.json", 10**9) == "excluded_filename"
    assert early("x.min.js", 10**9) == "pattern_match"


@pytest.mark.parametrize(("size", "reason"), [(99_999, None), (100_000, None), (100_001, "file_too_large")])
def test_the_cap_itself_is_kept(size: int, reason: str | None) -> None:
    assert early("a.json", size) == reason


@pytest.mark.parametrize("kind", ["symlink", "submodule", "special"])
def test_what_is_no_file_is_dropped_as_what_it_is(kind: Kind) -> None:
    assert early("package.json", 0, kind) == kind


def test_an_empty_file_needs_no_reading() -> None:
    assert early("a.json", 0) == "empty"
    assert early("a.json", 0, "unreadable") is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_may_have_exactly_the_limit(end: str) -> None:
    assert reason_by_text("x" * 10_000 + end + "y" * 10_000, "a.js", RAG) is None
    assert reason_by_text("x" * 10_001 + end + "y", "a.js", RAG) == "long_line_minified_or_data"


def test_a_long_line_goes_before_the_whitelist() -> None:
    assert reason_by_text("x" * 10_001, "a.md", RAG) == "long_line_minified_or_data"
    assert reason_by_text("x", "a.md", RAG) == "extension_not_in_whitelist"
    assert reason_by_text("x", "a.md", DEFAULT) is None


def test_white_space_of_any_script_is_empty() -> None:
    assert reason_by_text(" \n\t\u2003\u00a0", "a.js", RAG) == "empty"


def test_a_pointer_to_large_file_storage_is_known_by_its_first_line() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    assert is_lfs_pointer(pointer)
    assert not is_lfs_pointer(b"see " + pointer)
    assert not is_lfs_pointer(pointer + b"x" * 1024)
