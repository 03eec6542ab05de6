"""Headings of pages and documents ask; their sections, and nothing beyond them, answer."""

from __future__ import annotations

import json
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.conversion.placed import placed_items
from chunk_pipeline.evaluation.gold.document_section import PER_FILE, DocumentSection
from chunk_pipeline.evaluation.gold.markdown_blocks import plain
from chunk_pipeline.evaluation.gold.query import GoldQuery
from tests.evaluation.gold.documents import answers, mined

PAGE = """<html><head><title>Salt | Home</title></head><body>
<nav><h2>Where to go now</h2><p>Here.</p></nav>
<h1>Salt &amp; Sons</h1><p>Lead.</p>
<h2>How  we <em>boil</em> salt</h2><p>In pans.</p><h3>Fuel of the pans</h3><p>Peat.</p>
<h2>Hours</h2><p>Nine to five.</p><script>x()</script>
<h2>Nothing under this one</h2>
<h2>Map</h2><p>Four letters are asked for.</p>
<footer><h2>Terms of the site</h2><p>None.</p></footer>
</body></html>"""

MARKDOWN = """# Guide

Lead.

## Where the papers lie

In the cellar.

```
## not a heading at all
```

### Papers of the guilds

On the shelf.

## Fees

A scan costs a penny.
"""


def page(text: str, path: str = "a.html") -> Document:
    return Document("r", path, text, "website")


def aid(text: str, path: str = "a.md") -> Document:
    return Document("r", path, text, "document")


def converted(*texts: tuple[str, str]) -> Document:
    """A document of the given (label, text) in the order given; ``page_footer`` stands aside of the body."""
    items = [
        {
            "self_ref": f"#/texts/{place}",
            "label": label.rstrip("2"),
            "text": text,
            **({"level": 2 if label.endswith("2") else 1} if "section" in label else {}),
            "content_layer": "furniture" if label == "page_footer" else "body",
            "prov": [{"page_no": 1}],
        }
        for place, (label, text) in enumerate(texts)
    ]
    body = {"children": [{"$ref": item["self_ref"]} for item in items]}
    structure = json.dumps({"texts": items, "body": body})
    return Document("r", "a.docx", placed_items(structure)[0], "document", structure=structure)


def by_words(*documents: Document) -> dict[str, list[str]]:
    return {query.query: answers(query, documents) for query in mined(DocumentSection(), *documents)}


def test_a_section_of_a_page_ends_at_the_next_heading_that_is_not_below_it() -> None:
    found = by_words(page(PAGE))
    assert set(found) == {"How we boil salt", "Fuel of the pans", "Hours: Salt & Sons"}
    (boil,) = found["How we boil salt"]
    assert boil.startswith("How  we <em>boil")
    assert boil.endswith("Peat.")
    assert found["Hours: Salt & Sons"] == ["Hours</h2><p>Nine to five."]


def test_a_section_of_markdown_knows_fences_and_levels() -> None:
    found = by_words(aid(MARKDOWN))
    assert set(found) == {"Where the papers lie", "Papers of the guilds", "Fees: Guide"}
    (papers,) = found["Where the papers lie"]
    assert papers.startswith("## Where")
    assert papers.endswith("On the shelf.")


def test_a_section_of_a_converted_document_leaves_out_what_stands_aside() -> None:
    document = converted(
        ("title", "Guide"),
        ("text", "Lead."),
        ("section_header", "Where the papers lie"),
        ("text", "In the cellar."),
        ("section_header2", "Papers of the guilds"),
        ("text", "On the shelf."),
        ("page_footer", "Page 1"),
        ("section_header", "Fees"),
        ("list_item", "A scan costs a penny."),
    )
    assert by_words(document) == {
        "Where the papers lie": [
            "Where the papers lie\n\nIn the cellar.\n\nPapers of the guilds\n\nOn the shelf."
        ],
        "Papers of the guilds": ["Papers of the guilds\n\nOn the shelf."],
        "Fees: Guide": ["Fees\n\n- A scan costs a penny."],
    }


def test_equal_headings_of_a_file_ask_once_and_each_section_answers() -> None:
    twice = aid("# T\n\n## Rules of the room\n\nNo pens.\n\n## rules of the room\n\nNo bags.\n")
    assert by_words(twice) == {
        "Rules of the room": ["## Rules of the room\n\nNo pens.", "## rules of the room\n\nNo bags."]
    }


def test_a_heading_that_several_files_have_is_asked_with_the_title_of_each() -> None:
    one = aid("# Mill\n\n## How to get there\n\nBy boat.\n", "a.md")
    other = aid("# Kiln\n\n## How to get there\n\nOn foot.\n", "b.md")
    assert set(by_words(one, other)) == {"How to get there: Mill", "How to get there: Kiln"}
    assert set(by_words(one)) == {"How to get there"}


def test_copies_of_a_text_ask_once_and_both_answer_but_not_over_categories() -> None:
    files = [aid(MARKDOWN, "a.md"), aid(MARKDOWN, "b.md"), page("<h1>Guide</h1><h2>Fees</h2><p>None.")]
    fees = [each for each in mined(DocumentSection(), *files) if each.query == "Fees: Guide"]
    assert sorted((each.category, len(each.relevant)) for each in fees) == [("document", 2), ("website", 1)]


def test_a_file_gives_so_many_headings_evenly_over_it() -> None:
    text = "# T\n\n" + "".join(f"## Heading of number {n}\n\nText.\n\n" for n in range(3 * PER_FILE))
    found = [span.unit for query in mined(DocumentSection(), aid(text)) for span in query.relevant]
    assert sorted(found) == sorted(f"Heading of number {3 * n}" for n in range(PER_FILE))


@pytest.mark.parametrize(
    ("heading", "asked"), [("abc", False), ("1648 – 1717", False), ("abcd", True), ("x" * 81, False)]
)
def test_only_headings_that_say_something_are_asked_for(heading: str, asked: bool) -> None:
    assert bool(by_words(aid(f"# T\n\n## {heading}\n\nText.\n"))) is asked


@pytest.mark.parametrize(
    "document",
    [
        aid(""),
        aid("# T"),
        page(""),
        page('{"a": 1}'),
        Document("r", "a.docx", "T", "document", structure="{"),
        Document("r", "a.docx", "T", "document", structure='{"body": {"children": [1]}}'),
        Document("r", "a.docx", "T", "document", structure='{"body": {}, "texts": []}'),
    ],
)
def test_what_cannot_be_read_gives_nothing(document: Document) -> None:
    assert mined(DocumentSection(), document) == []


def test_every_section_of_the_real_files_begins_with_its_heading(corpora: Path) -> None:
    heritage = corpora / "corpora" / "heritage"
    documents = [
        Document(folder, each.name, each.read_text(encoding="utf-8"), category)
        for folder, pattern, category in (
            ("research_aids", "*.md", "document"),
            ("html_real", "*.html", "website"),
            ("synthetic", "*.html", "website"),
        )
        for each in sorted((heritage / folder).glob(pattern))
    ]
    found: list[GoldQuery] = mined(DocumentSection(), *documents)
    assert Counter(each.repository for each in found) == {"research_aids": 61, "synthetic": 6}
    for query in found:
        for words in answers(query, documents):
            shown = unescape(plain(words)).lstrip("# ")
            assert shown.casefold().startswith(query.target.casefold()), query
    assert found == mined(DocumentSection(), *documents[::-1])
