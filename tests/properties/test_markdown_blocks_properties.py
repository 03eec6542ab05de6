"""What lines tell of Markdown is what the parser tells, however odd the document."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.chunking.markdown_trees import parsed_tree, tree

HEADINGS = [
    "# A [a] b",
    "#",
    "##\t x ##",
    "####### no",
    "#no",
    "  # in",
    "    # code",
    "- # h",
    "> # h",
    "---",
    "===",
    "  ---",
]
LISTS = [
    "- one",
    "-",
    "* * *",
    "***",
    "_ _ _",
    "1) x",
    "2. y",
    "10. z",
    "* star",
    "-  two",
    "- - n",
    "- **b**",
    "- ***",
    "- *",
]
INSIDE = ["  two", "   three", "    four", "\ttab", " one", "", "", "", " "]
WORDS = [
    "**bold** t",
    "*it*",
    "_it_",
    "`code` x",
    "``c``",
    "[a](b) x",
    "2 apples",
    "2.5 is",
    "12",
    "a\\",
    "\u00a0",
    "\x0c",
    "é",
    "word",
]
REFERENCES = ['[a]: /x "t', 'title"', "[foo", "bar]: /u", "[^1]: f", "[a]:"]
TABLES = ["| a \\| b |", "|:-:|", "|---|---|", "a | b", "--- | ---", "| a |"]
HTML = [
    "<b>x</b>",
    "<div>",
    "</div>",
    "<pre>",
    "</pre>",
    "<!-- x -->",
    "<!--",
    "-->",
    "<?php",
    "?>",
    "<!X",
    "<![CDATA[",
    "]]>",
]
FENCES = [
    "```",
    "~~~",
    "~~~~txt",
    "```a`b",
    "  ```",
    "   ~~~",
    "    ```",
    "- ```",
    "> ```",
    "::: x",
    ":::",
    "  ::: y",
    "$$",
]
LINES = st.sampled_from([*HEADINGS, *LISTS, *INSIDE, *WORDS, *REFERENCES, *TABLES, *HTML, *FENCES])
TEXTS = st.tuples(st.lists(LINES, max_size=20), st.sampled_from(["\n", "\n", "\r\n", "\r"]))


@settings(max_examples=300, deadline=None)
@given(parts=TEXTS)
def test_blocks_are_those_of_the_parser(parts: tuple[list[str], str]) -> None:
    text = parts[1].join(parts[0])
    assert tree(text) == parsed_tree(text)
