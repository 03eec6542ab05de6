"""``markdown_syntax``: where it cuts, and that every piece is whole Markdown within the limit."""

from __future__ import annotations

from pathlib import Path

import pyromark
import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.markdown.fences import closing_of_open_fence
from chunk_pipeline.chunking.markdown.syntax import cut_markdown
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.syntax import parses


def _cut(text: str, limit: int = 120) -> list[Chunk]:
    """The chunks, proven; those of a short path have a header of 15 characters at the top."""
    cut = list(cut_markdown(Document("kit", "a.md", text, "markdown"), limit))
    chunks = [each for each in cut if isinstance(each, Chunk)]
    proof = prove(text, chunks, [], "markdown")
    assert proof.holds, proof
    assert proof.parsing == proof.chunks
    assert max(len(chunk.text) for chunk in chunks) <= limit
    return chunks


def test_sections_that_fit_together_are_one_chunk_under_what_is_above_them() -> None:
    text = f"# A\n\n{'Intro. ' * 14}\n\n## B\n\nb\n\n## C\n\nc\n"
    first, second = _cut(text)
    assert (first.unit, first.header) == ("A", "Source: a.md\n")
    assert second.body == "## B\n\nb\n\n## C\n\nc"
    assert (second.unit, second.header) == ("A", "Context: A\nSource: a.md\n")


def test_a_heading_stays_with_what_follows_it() -> None:
    text = f"# A\n\n{'One. ' * 18}\n\n## B\n\n{'Two. ' * 30}\n"
    assert [chunk.body.split("\n")[0][:4] for chunk in _cut(text)] == ["# A", "## B", "Two."]


def test_the_words_of_a_heading_are_in_the_path_without_their_marks() -> None:
    chunks = _cut(f"# The `run` [command](a.md)\n\nUnder *it*\n---\n\n{'Words. ' * 40}\n", limit=200)
    assert chunks[-1].unit == "The run command > Under it"
    assert chunks[-1].header == "Context: The run command > Under it\nSource: a.md\n"


def test_a_fence_is_closed_and_opened_again_between_lines() -> None:
    chunks = _cut("# A\n\n```js title\n" + "call()\n" * 30 + "```\n")
    assert [chunk.opening for chunk in chunks] == ["", *["```js title\n"] * (len(chunks) - 1)]
    assert [chunk.closing for chunk in chunks] == [*["\n```"] * (len(chunks) - 1), ""]
    assert all(chunk.body.replace("call()", "").strip() == "" for chunk in chunks[1:-1])


def test_a_line_of_code_that_is_too_long_is_cut_between_words() -> None:
    chunks = _cut("~~~~\n" + "word " * 60 + "\n~~~~\n")
    assert all(chunk.opening == "~~~~\n" for chunk in chunks[1:])
    assert not any(chunk.body.endswith(("w", "wo", "wor")) for chunk in chunks)


@pytest.mark.parametrize(
    ("text", "opening", "closing"),
    [
        ("> ```py\n" + "> x = 1\n" * 30 + "> ```\n", "> ```py\n", "\n> ```"),
        ("1. a\n\n   ```py\n" + "   x = 1\n" * 30 + "   ```\n", "   ```py\n", "\n   ```"),
        ("- a\n  - b\n    ```py\n" + "    x = 1\n" * 30 + "    ```\n", "- - ```py\n", "\n    ```"),
        ("::: tip\n```py\n" + "x = 1\n" * 30 + "```\n:::\n", "::: tip\n```py\n", "\n```\n:::"),
        ("$$\n" + "x = 1\n" * 60 + "$$\n", "$$\n", "\n$$"),
        ("---\n" + "key: value\n" * 30 + "---\n", "---\n", "\n---"),
        ("+++\n" + "key = 1\n" * 30 + "+++\n", "+++\n", "\n+++"),
        ("| a | b |\n|---|---|\n" + "| c | d |\n" * 30, "| a | b |\n|---|---|\n", ""),
        ("::: tip\n\n" + "Sentence. " * 30 + "\n\n:::\n", "::: tip\n", "\n:::"),
    ],
    ids=["quote", "list", "nested list", "container", "math", "yaml", "toml", "table", "text in container"],
)
def test_a_block_is_opened_and_closed_as_its_place_asks(text: str, opening: str, closing: str) -> None:
    middle = _cut(text)[1]
    assert (middle.opening, middle.closing) == (opening, closing)


def test_a_quote_that_is_cut_within_a_line_goes_on_as_a_quote() -> None:
    assert {chunk.opening for chunk in _cut("> " + "word " * 60)[1:]} == {"> "}


def test_a_paragraph_is_cut_between_sentences() -> None:
    chunks = _cut("A sentence that is not so short. " * 10)
    assert all(chunk.body.endswith("short.") for chunk in chunks)


def test_a_list_is_cut_between_items_and_keeps_the_indentation_of_nested_ones() -> None:
    text = "- one\n" + "  - two is nested here\n" * 8 + "- three\n"
    assert _cut(text)[1].body.startswith("  - two")


def test_a_sentence_with_a_colon_stays_with_the_code_that_it_introduces() -> None:
    text = f"{'Text. ' * 10}\n\nFor example:\n\n```\n{'x = 1' * 10}\n```\n"
    assert [chunk.body.split("\n")[0][:12] for chunk in _cut(text)] == ["Text. Text. ", "For example:"]


def test_a_fence_that_the_source_leaves_open_is_closed() -> None:
    *_, last = _cut("# A\n\n- x\n\n  ```\n  open\n")
    assert last.closing == "\n  ```"


def test_a_fence_within_an_open_one_is_told() -> None:
    (chunk,) = _cut("```\nforgotten\n\n```js\ncall()\n```\n")
    assert chunk.metadata.fallback == "the source opens a code fence inside one that it has not closed"


def test_a_longer_fence_within_one_is_code() -> None:
    (chunk,) = _cut("~~~md\n```json\n{}\n```\n\n~~~~txt\nNot bare, so it closes nothing.\n~~~\n")
    assert (chunk.closing, chunk.metadata.fallback) == ("", None)
    assert parses("markdown", chunk.passage)
    assert not parses("markdown", "code of a fence\n~~~\n\nText.\n\n~~~js\ncode\n~~~\n")


def test_an_odd_number_of_backticks_in_a_sentence_breaks_nothing() -> None:
    (chunk,) = _cut("Code is surrounded by ``` on both sides.\n")
    assert (chunk.closing, chunk.metadata.fallback) == ("", None)
    assert parses("markdown", chunk.passage)


def test_a_fence_too_long_to_be_repeated_makes_it_cut_as_text() -> None:
    chunks = _cut("`" * 200 + "\n" + "x\n" * 100)
    assert {chunk.metadata.fallback for chunk in chunks} == {
        "a code fence is too long to be closed and opened again"
    }


def test_a_header_takes_a_third_of_the_limit_at_most() -> None:
    titles = "".join(f"{'#' * level} {'Long title ' * 9}\n\n" for level in range(1, 7))
    text = f"{titles}{'Words. ' * 300}\n"
    source = Document("kit", f"{'folder/' * 60}a.md", text, "markdown")
    chunks = [each for each in cut_markdown(source, 1000) if isinstance(each, Chunk)]
    assert max(len(chunk.header) for chunk in chunks) <= 333
    first, last = chunks[-1].header.split("\n")[:2]
    assert first.startswith("Context: Long title")
    assert "… > Long" in first
    assert last.startswith("Source: …")
    assert last.endswith("folder/a.md")


@pytest.mark.parametrize("text", ["> " * 3000 + "x", "- " * 3000 + "x", "*" * 9000, "[" * 9000, "<a " * 3000])
def test_deep_and_long_markup_is_cut_within_the_limit(text: str) -> None:
    assert len(_cut(text, 1000)) > 1


def test_a_list_so_deep_that_its_indentation_is_over_the_limit_is_cut_between_items() -> None:
    chunks = _cut("".join(f"{'  ' * depth}- x\n" for depth in range(120)))
    assert {chunk.metadata.fallback for chunk in chunks} == {None}


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_other_line_ends_are_understood(line_end: str) -> None:
    text = ("# A\n\n```js\n" + "call()\n" * 40 + "```\n").replace("\n", line_end)
    assert _cut(text)[1].opening == "```js\n"


def test_text_that_utf8_cannot_hold_keeps_its_places() -> None:
    chunks = _cut("# \ud800 é\n\n" + "Wörter\ud800. " * 40)
    assert chunks[-1].unit == "\ufffd é"


def test_a_blank_document_is_skipped_and_an_empty_one_gives_nothing() -> None:
    assert list(cut_markdown(Document("kit", "a.md", "\n \n", "markdown"), 100)) == [
        Skip(Span(0, 3), "blank document")
    ]
    assert list(cut_markdown(Document("kit", "a.md", "", "markdown"), 100)) == []


def test_on_real_files_nothing_is_lost_all_is_whole_and_none_is_too_long(corpora: Path) -> None:
    for path in sorted((corpora / "corpora/kalisio").rglob("*.md")):
        text = path.read_bytes().decode()
        cut = strategy("markdown_syntax").cut(Document("kalisio", path.name, text, "markdown"))
        chunks = [each for each in cut if isinstance(each, Chunk)]
        proof = prove(text, chunks, [], "markdown")
        assert proof.holds, (path, proof)
        assert proof.repeated == 0
        for chunk in chunks:
            assert len(chunk.text) <= 1000
            assert not chunk.metadata.fallback
            assert chunk.passage.count("```") % 2 == 0
            assert not closing_of_open_fence(chunk.passage)


def test_what_looks_like_a_fence_in_html_is_none() -> None:
    (chunk,) = _cut("<div>\n```\n\n```")
    assert chunk.closing == "\n```"


def test_the_code_of_real_files_is_the_code_of_their_pieces(corpora: Path) -> None:
    for path in sorted((corpora / "corpora/kalisio/kdk").rglob("*.md")):
        text = path.read_bytes().decode()
        cut = strategy("markdown_syntax").cut(Document("kdk", path.name, text, "markdown"))
        pieces = [_code(each.passage) for each in cut if isinstance(each, Chunk)]
        assert "".join(pieces) == _code(text), path


def _code(text: str) -> str:
    """What stands in the fenced code blocks of a text, without white space."""
    found: list[str] = []
    inside = False
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES):
        if isinstance(event, dict) and "CodeBlock" in (event.get("Start"), event.get("End")):
            inside = False
        elif isinstance(event, dict) and isinstance(event.get("Start"), dict):
            inside = isinstance(event["Start"].get("CodeBlock"), dict) or inside
        elif isinstance(event, dict) and inside:
            found += event.get("Text", "").split()
    return "".join(found)


def test_only_the_piece_that_cannot_be_made_whole_is_cut_as_text() -> None:
    wide = "| " + "name".ljust(900) + " |\n| " + "-" * 900 + " |\n| one |\n"
    text = f"# Title\n\n{'Before it. ' * 60}\n\n## Table\n\n{wide}\n## After\n\n{'Behind it. ' * 60}\n"
    cut = cut_markdown(Document("r", "a.md", text, "markdown"), 1000)
    chunks = [each for each in cut if isinstance(each, Chunk)]
    fallen = [chunk for chunk in chunks if chunk.metadata.fallback]
    assert fallen
    assert all("name" in chunk.body or "---" in chunk.body or "one" in chunk.body for chunk in fallen)
    assert {"Before it.", "Behind it."} <= {
        chunk.body[-10:].strip() for chunk in chunks if not chunk.metadata.fallback
    }
    proof = prove(text, chunks, (), "markdown", 1000)
    assert proof.holds
    assert proof.sizes.over_limit == 0
