"""Headers of scripts' chunks."""

from __future__ import annotations

import pytest

from chunk_pipeline.chunking.javascript.chunks import header

NAME = "repository/src/app/file.js"


def test_a_header_that_fits_is_written_out() -> None:
    assert header(NAME, "class Foo › run ()", 80) == f"// {NAME} :: class Foo › run ()"
    assert header(NAME, "", 80) == f"// {NAME}"


@pytest.mark.parametrize(
    ("longest", "shortened"),
    [
        (36, "// …/src/app/file.js :: clas … un ()"),
        (50, f"// {NAME} :: class F … run ()"),
        (70, f"// {NAME} :: class FooFooFooFo … ooFooFoo › run ()"),
    ],
)
def test_a_shortened_header_has_one_space_on_each_side_of_its_colons(longest: int, shortened: str) -> None:
    assert header(NAME, f"class {'Foo' * 30} › run ()", longest) == shortened


def test_what_would_break_a_header_is_escaped_before_it_is_shortened() -> None:
    assert header(NAME, "a\n" + "b" * 60 + "\x85", 70).partition(" :: ")[2].startswith("a\\u000ab")
    assert header("a\nb.js", "", 20) == "// a\\u000ab.js"
