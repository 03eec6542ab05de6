"""Titles, symbols and sections: the counts of the reference study, and answers that hold what was asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import blocks, lead, section
from chunk_pipeline.evaluation.gold.markdown_link import MarkdownLink, slug
from chunk_pipeline.evaluation.gold.markdown_section import MarkdownSection
from chunk_pipeline.evaluation.gold.markdown_symbol import MarkdownSymbol
from chunk_pipeline.evaluation.gold.markdown_title import MarkdownTitle
from chunk_pipeline.evaluation.gold.mining import mine
from chunk_pipeline.evaluation.gold.query import GoldQuery, gold_queries
from tests.evaluation.gold.documents import answers, file, mined

STUDY = (MarkdownTitle(), MarkdownSymbol(), MarkdownSection())

PAGE = """---
title: In front
---
# Berths

## Overview

Ask for a berth.
It is granted by the control room.

## Moving a vessel

- **`moveVessel(berth)`** moves it.
- nothing

```js
const moved = moveVessel(7)
const query = 1
```

| name | about |
| --- | --- |
| `moveVessel` | the same |

### Deeper down

Text.
"""


@pytest.fixture(scope="module")
def pages(corpora: Path) -> list[Document]:
    """The 139 Markdown files of the study."""
    root = corpora / "corpora" / "kalisio" / "kdk"
    found = sorted((root / "docs").rglob("*.md"))
    return [file(each.relative_to(root).as_posix(), each.read_text("utf-8-sig"), "kdk") for each in found]


@pytest.fixture(scope="module")
def study(pages: list[Document]) -> list[GoldQuery]:
    return gold_queries(mine(pages, STUDY))


def test_the_real_pages_give_the_gold_of_the_study(study: list[GoldQuery]) -> None:
    assert Counter(each.route for each in study) == {
        "markdown_title": 112,
        "markdown_symbol": 266,
        "markdown_section": 61,
    }
    assert len({each.query.lower() for each in study}) == 439


def test_every_real_answer_holds_the_query_word_for_word(
    study: list[GoldQuery], pages: list[Document]
) -> None:
    for query in study:
        assert query.target == query.query
        for found in answers(query, pages):
            assert query.query.lower() in found.replace("`", "").replace("*", "").lower()


def test_a_title_is_answered_by_its_heading_and_what_is_said_first() -> None:
    page = file("a.md", PAGE)
    (query,) = mined(MarkdownTitle(), page)
    assert query.query == "Berths"
    (found,) = answers(query, [page])
    assert found.startswith("# Berths\n\n## Overview")
    assert found.endswith("by the control room.")


def test_a_page_without_a_first_heading_has_the_title_of_its_front_matter() -> None:
    page = file("a.md", '---\ntitle: "Port dues"\n---\ntext\n')
    (query,) = mined(MarkdownTitle(), page)
    assert (query.query, answers(query, [page])) == ("Port dues", ["Port dues"])


def test_pages_with_the_title_or_a_section_of_that_name_answer_together() -> None:
    pages = [file("a.md", "# Tides here\n"), file("b.md", "# Other\n\n## tides here\n\nText.\n\n## End\n")]
    query = next(each for each in mined(MarkdownTitle(), *pages) if each.query == "Tides here")
    assert answers(query, pages) == ["# Tides here", "## tides here\n\nText."]


def test_a_symbol_is_answered_by_every_block_that_names_it_as_code() -> None:
    page = file("a.md", PAGE + "\nPlain moveVessel is prose.\n")
    queries = {each.query: each for each in mined(MarkdownSymbol(), page)}
    assert set(queries) == {"moveVessel", "moved"}
    assert answers(queries["moveVessel"], [page]) == [
        "- **`moveVessel(berth)`** moves it.",
        "```js\nconst moved = moveVessel(7)\nconst query = 1\n```",
        "| `moveVessel` | the same |",
    ]


def test_sections_that_every_page_has_are_not_asked_for() -> None:
    page = file("a.md", PAGE)
    queries = {each.query: each for each in mined(MarkdownSection(), page)}
    assert set(queries) == {"Moving a vessel", "Deeper down"}
    assert answers(queries["Deeper down"], [page]) == ["### Deeper down\n\nText."]


def test_blocks_have_exact_spans_whatever_the_line_ends() -> None:
    text = "# A\r\n\r\nüber\r\nmore\r\n\r\n~~~\r\n# no heading\r\n~~~\r\nTitle\r\n===\r\n"
    assert [(each.kind, text[each.start : each.end]) for each in blocks(text)] == [
        ("heading", "# A"),
        ("text", "über\r\nmore"),
        ("fence", "~~~\r\n# no heading\r\n~~~"),
        ("heading", "Title\r\n==="),
    ]


@pytest.mark.parametrize(
    "text", ["", "\n", "```", "---\n", "#", "# \n", "```js\nlet aaaa", "- \n\t\x00", "===\n"]
)
def test_odd_pages_give_nothing_and_do_not_crash(text: str) -> None:
    assert mine([file("a.md", text)], (*STUDY, MarkdownLink())).num_rows <= 1


def test_a_section_ends_at_the_next_heading_of_its_level_and_a_lead_at_any() -> None:
    parsed = blocks("# A\n## B\ntext\n### C\nmore\n## D\n")
    assert section(parsed, 1)[1] == parsed[4].end
    assert [each.text for each in lead(parsed, 0)] == ["text"]


def test_a_link_is_asked_for_in_the_words_that_its_target_lacks() -> None:
    pages = [
        file(
            "docs/a.md",
            "Harbour masters settle overdue payments with [dues](./b.md#port-dues) every Monday.\n",
        ),
        file("docs/b.md", "# Money\n\nText.\n\n## Port dues\n\nDues are paid on Monday.\n"),
    ]
    (query,) = mined(MarkdownLink(), *pages)
    assert query.query == "Harbour masters settle overdue payments"
    assert answers(query, pages) == ["## Port dues\n\nDues are paid on Monday."]
    assert query.lexical_overlap == 0.0


def test_a_link_from_the_root_of_the_site_is_found_below_the_folders_above() -> None:
    pages = [
        file("docs/guide/a.md", "Harbour masters settle overdue payments [there](/money/b).\n"),
        file("docs/money/b.md", "# Money\n\nText.\n"),
    ]
    (query,) = mined(MarkdownLink(), *pages)
    assert query.relevant[0].path == "docs/money/b.md"


@pytest.mark.parametrize(
    ("heading", "anchor"), [("Base item (`KItem`)", "base-item-kitem"), ("Store", "store"), ("A & B", "a--b")]
)
def test_anchors_are_those_that_sites_make(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor
