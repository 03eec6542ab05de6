"""Hostile text in Markdown, rendered with every extension and raw HTML let through: nothing is active."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pyromark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.evaluation.report import render_markdown
from chunk_pipeline.warehouse.markdown import markdown_cell, markdown_line, markdown_table
from chunk_pipeline.warehouse.plain_text import plain_text
from tests.evaluation.hostile_report import HOSTILE, hostile_report
from tests.evaluation.test_report import report

pytestmark = pytest.mark.bad_input

OPTIONS = pyromark.Options(0)
for _name in dir(pyromark.Options):
    if _name.startswith("ENABLE_") and "PUNCTUATION" not in _name:
        OPTIONS |= getattr(pyromark.Options, _name)

LINKED = re.compile(r"https?://|www\.|[-.\w+]+@[-\w]+(?:\.[-\w]+)+", re.IGNORECASE)
"""What renderers with GitHub's extensions make links of, wherever it stands in plain text."""


class Rendered(HTMLParser):
    """What a renderer made of Markdown.

    Attributes:
        tags: Elements in order.
        attributes: Attributes, those that align a column apart.
        code: Text inside code spans and blocks.
        text: All text.
        bare: Text outside code, a piece a text node.
    """

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.bare: list[str] = []
        self.text = ""
        self._in_code = 0
        self.feed(pyromark.html(markdown, options=OPTIONS))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [
            (name, value) for name, value in attrs if not (value or "").startswith("text-align")
        ]
        self._in_code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._in_code -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.text += data
        if not self._in_code:
            self.bare.append(data)

    def handle_comment(self, data: str) -> None:
        self.tags.append("comment")


def assert_inactive(rendered: Rendered, tags: set[str]) -> None:
    assert set(rendered.tags) <= tags
    assert rendered.attributes == []
    assert not LINKED.search("".join(rendered.bare))


def test_the_hostile_report_has_the_elements_of_a_harmless_one() -> None:
    hostile, harmless = Rendered(render_markdown(hostile_report())), Rendered(render_markdown(report()))
    assert [tag for tag in hostile.tags if tag != "code"] == [tag for tag in harmless.tags if tag != "code"]
    assert_inactive(hostile, {*harmless.tags, "code"})
    assert "<script>window.pwned=1</script>" in hostile.text
    assert "\\u202egnp.exe" in hostile.text
    assert "\x1b" not in hostile.text


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "![beacon](http://x.example/p.png)",
        "<img src=http://x.example/p.png>",
        "[click](javascript:alert(1))",
        "[click][ref]",
        "[ref]: http://x.example",
        "<http://x.example>",
        "http://x.example/?q=secret",
        "HTTPS://X.example",
        "www.x.example",
        "me@x.example",
        "xmpp:me@x.example",
        "`code` ``<b>`` ```",
        "`http://a\\`|http://b``|`",
        "a\\|b|c\\",
        "http://a\\|b",
        "[^1] [[wiki]] $x$ $$y$$ ~~s~~ H~2~O x^2^",
        "&lt;script&gt; &#60;b&#62;",
        "*bold* _it_ **b** __b__",
        "# heading",
        "- item",
        "1. item",
        "12) item",
        "+ item",
        "> quote",
        "---",
        "===",
        ": definition",
        "```js",
        "~~~",
        "+++",
        "    indented",
        "<!-- comment",
        "<![CDATA[x]]>",
        "<?php x ?>",
        "title {#id .class onclick=x}",
        "[ ] task",
        "\u2028# heading",
    ],
)
def test_text_is_shown_as_it_is_wherever_it_stands(text: str) -> None:
    expected = plain_text(text).strip()
    cell = Rendered(markdown_table([{"a": text, "b": "end"}]))
    assert_inactive(cell, {"table", "thead", "tbody", "tr", "th", "td", "code"})
    assert cell.tags.count("td") == 2
    line = markdown_line(text, 10_000)
    for before, tags in (("", {"p"}), ("- ", {"ul", "li"}), ("## ", {"h2"}), ("- Model: ", {"ul", "li"})):
        shown = Rendered(before + line)
        assert_inactive(shown, {*tags, "code"})
        assert shown.text.strip().removeprefix("Model:").strip() == expected


def test_cells_tell_the_whole_text() -> None:
    for text in ("a|b", "http://a|http://b", "x `|` y", "\\|", "`|`http://a"):
        shown = Rendered(markdown_table([{"a": text}])).text.split("\n")
        assert "".join(shown).removeprefix("a") == text


@settings(deadline=None, max_examples=300)
@given(st.text(st.one_of(st.characters(), st.sampled_from("\\`|*_[](){}<>!#-+=~^%:/@.$&\"' \nw1a"))))
def test_no_text_makes_an_element(text: str) -> None:
    tags = {"table", "thead", "tbody", "tr", "th", "td", "code"}
    cell = Rendered(markdown_table([{"a": text, "b": "end"}]))
    assert_inactive(cell, tags)
    assert (cell.tags.count("td"), cell.tags.count("tr")) == (2, 2)
    line = Rendered(markdown_line(text, 10_000))
    assert_inactive(line, {"p", "code"})
    assert " ".join(line.text.split()) == " ".join(plain_text(text).split())


def test_no_naughty_string_makes_an_element(corpora: Path) -> None:
    path = corpora / "corpora" / "bad_inputs" / "naughty_strings" / "blns.json"
    for text in json.loads(path.read_text(encoding="utf-8")):
        assert_inactive(Rendered(markdown_line(text, 10_000)), {"p", "code"})
        rendered = Rendered(markdown_table([{"a": text, "b": markdown_cell("end")}]))
        assert rendered.tags.count("td") == 2
