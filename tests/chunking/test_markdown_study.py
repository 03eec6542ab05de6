"""What the study's four Markdown strategies do with particular documents."""

from __future__ import annotations

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.registry import strategy

NAMES = ("markdown_recursive", "markdown_header", "markdown_structure", "markdown_structure_breadcrumb")
GUIDE = """\
Before all headings.

# Guide

Intro.

```sh
# no heading
make
```

## Install ##

```sh
make install
```

- one
"""


def _cut(name: str, text: str, path: str = "docs/guide.md") -> list[Chunk | Skip]:
    return list(strategy(name).cut(Document("kit", path, text, "markdown")))


def _chunks(name: str, text: str) -> list[Chunk]:
    return [each for each in _cut(name, text) if isinstance(each, Chunk)]


def test_structure_cuts_at_headings_and_joins_code_to_the_text_around_it() -> None:
    assert [(chunk.unit, chunk.body) for chunk in _chunks("markdown_structure", GUIDE)] == [
        ("", "Before all headings."),
        ("Guide", "# Guide\n\nIntro.\n\n```sh\n# no heading\nmake\n```"),
        ("Guide > Install", "## Install ##\n\n```sh\nmake install\n```\n\n- one"),
    ]


def test_the_breadcrumb_names_headings_and_file_above_a_blank_line() -> None:
    first, *_, last = _chunks("markdown_structure_breadcrumb", GUIDE)
    assert last.text.startswith(
        "Context: Guide > Install\nSource: docs/guide.md\n\n## Install ##\n\n```sh\nmake"
    )
    assert first.text == "Source: docs/guide.md\n\nBefore all headings."


@pytest.mark.parametrize("fence", ["````", "~~~", "   ```"])
def test_structure_knows_where_a_fence_ends(fence: str) -> None:
    inner = "```\n# no heading\n```\n" if fence != "   ```" else "# no heading\n"
    text = f"# A\n\n{fence}md\n{inner}{fence}\n\n# B\n"
    assert [chunk.unit for chunk in _chunks("markdown_structure", text)] == ["A", "B"]


def test_structure_keeps_an_atom_whole_that_is_longer_than_the_size() -> None:
    code = "```\n" + "x = 1\n" * 300 + "```"
    bodies = [chunk.body for chunk in _chunks("markdown_structure", f"# A\n\nText.\n\n{code}\n\nMore.\n")]
    assert bodies == ["# A\n\nText.", code, "More."]


def test_structure_closes_a_fence_that_the_source_leaves_open() -> None:
    chunks = _chunks("markdown_structure", "# A\n\n" + "Text. " * 200 + "\n\n~~~js\ncall()\n")
    assert [chunk.passage for chunk in chunks][-1] == "~~~js\ncall()\n~~~"


def test_structure_says_where_the_fences_of_the_source_do_not_pair_up() -> None:
    text = "```\nforgotten\n\n```js\ncall()\n```\n"
    (chunk,) = _chunks("markdown_structure", text)
    assert chunk.metadata.fallback == "the source opens a code fence inside one that it has not closed"


def test_the_header_split_gives_slices_with_the_indentation_that_langchain_takes_away() -> None:
    chunks = _chunks("markdown_header", "# A\n\n```\n  if x:\n      y\n```\n\n\n# B\ntext\n")
    assert [(chunk.unit, chunk.body) for chunk in chunks] == [
        ("A", "# A\n\n```\n  if x:\n      y\n```"),
        ("B", "# B\ntext"),
    ]


def test_the_header_split_says_which_characters_langchain_drops() -> None:
    cut = _cut("markdown_header", "\x00\x01\n# A\u200b\ntext\x07\n")
    reason = "characters that cannot be printed, which LangChain drops"
    assert [each for each in cut if isinstance(each, Skip)] == [
        Skip(Span(0, 3), reason),
        Skip(Span(12, 14), reason),
    ]
    assert [each.body for each in cut if isinstance(each, Chunk)] == ["# A\u200b\ntext"]


@pytest.mark.parametrize("name", NAMES)
def test_a_blank_document_is_skipped_and_an_empty_one_gives_nothing(name: str) -> None:
    assert _cut(name, " \n\t\n") == [Skip(Span(0, 4), "blank document")]
    assert _cut(name, "") == []
