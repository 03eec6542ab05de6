"""Blocks that the lines alone tell are those that the parser finds, and doubt is left to the parser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chunking.markdown_trees import is_told_by_lines, parsed_tree, tree

PLAIN = """\
---
title: Harbour
---
# Harbour `map` of *Brest*

Intro with a [link](a.md),
over two lines.
- one
- **two**

  in two parts
  ```js
  # no heading
  ```

~~~sh
# no heading
~~~

1. first
2. second

::: tip
Look.
:::

| a | b |
|---|:-:|
| 1 | 2 |

***

## Quays ##

> quoted
"""


def test_an_ordinary_page_is_told_by_its_lines_as_the_parser_tells_it() -> None:
    assert is_told_by_lines(PLAIN)
    assert tree(PLAIN) == parsed_tree(PLAIN)
    kinds = {kind for _, kind, *_ in tree(PLAIN)}
    assert kinds >= {"front_matter", "paragraph", "list", "fence", "container", "table", "rule", "quote"}


def test_titles_are_words_without_marks() -> None:
    titles = [
        titles[-1] for _, kind, *_, titles in tree("# A `b` \\#\n\n## c  #d ##\n\n#\n") if kind == "section"
    ]
    assert titles == ["A b #", "c #d", ""]


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=====\n",
        "Words\n---\n",
        "- item\n\n  # in the item\n",
        "   # indented\n",
        "<!--\n# no heading\n-->\n",
        "<div>\n# no heading\n\n# heading\n",
        "  ```\n# heading or code\n```\n",
        "::: tip\n# in a container\n:::\n",
        "# [a]\n\n[a]: /a\n",
    ],
    ids=["setext 1", "setext 2", "item", "indented", "comment", "HTML", "fence", "container", "reference"],
)
def test_where_lines_leave_a_doubt_the_parser_decides(text: str) -> None:
    assert not is_told_by_lines(text)
    assert tree(text) == parsed_tree(text)


@pytest.mark.parametrize(
    "text",
    [
        "- one\n- two\nlazy\n",
        "- one\n\n  1. inner\n\n     text\n\n- two\n\nafter\n",
        "* one\n\n* * *\n\n* two\n",
        "- one\n\n    - four in\n\n- two\n",
        "1. one\n10. ten\n\n    text of ten\n",
        "- a\n- b\n\n [x]: /x\n",
        "a | b\n--- | ---\n1 | 2\n",
        "| a | b |\n|---|\n",
        "Text\n| a |\n|---|\n",
        "Text\n1986. A year\n",
        "```a`b\nno fence\n",
        "~~~\n~~~~txt\n~~~\ntext\n",
        "[a]: /a 'title\nover lines'\n\ntext\n",
        "[^1]: note\n\n    more of it\n\n# heading\n",
        "\u00a0\n===\n",
        "text\r\n\r\n- one\r\n\r\n```\r\ncode\r\n```\r\n",
    ],
)
def test_what_is_odd_is_as_the_parser_tells_it(text: str) -> None:
    assert tree(text) == parsed_tree(text)


def test_the_blocks_of_real_files_are_those_of_the_parser(corpora: Path) -> None:
    paths = sorted((corpora / "corpora/kalisio").rglob("*.md"))
    texts = [path.read_bytes().decode() for path in paths]
    assert sum(map(is_told_by_lines, texts)) / len(texts) > 0.9
    assert [path for path, text in zip(paths, texts, strict=True) if tree(text) != parsed_tree(text)] == []
