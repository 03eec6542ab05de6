"""The sections of web pages and documents, as the routes read them: heading, title and span.

A section goes from its heading to the next heading of the same or a higher level, those below it included.
Headings of pages are those of the tree, not Docling's: gold must not depend on what a strategy reads with.
What does not belong here: which headings are asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.website.chrome import reasons
from chunk_pipeline.chunking.website.page import Page, read_page
from chunk_pipeline.conversion.placed import placed_items
from chunk_pipeline.evaluation.gold.markdown_blocks import blocks, front_title, plain

_HEADING = re.compile(r"h([1-6])")


class HeadedSection(NamedTuple):
    """A section that says something under its heading.

    Attributes:
        heading: Text of the heading, its white space made single.
        start: First character of the heading in the document's text.
        end: Behind the last character of the section.
    """

    heading: str
    start: int
    end: int


class Headed(NamedTuple):
    """A document by its headings.

    Attributes:
        title: Its title, or its first heading; empty where it has none.
        sections: Its sections in order; the title opens none of them.
    """

    title: str
    sections: tuple[HeadedSection, ...]


class _Heading(NamedTuple):
    text: str
    level: int
    start: int
    end: int


def headed_sections(document: Document) -> Headed:
    """The sections of a page or a document; none of one that does not parse."""
    try:
        if document.category == "website":
            return _of_page(document.text)
        return _of_items(document) if document.structure else _of_markdown(document.text)
    except UnparsableError:
        return Headed("", ())


def _of_page(text: str) -> Headed:
    page = read_page(text)
    why = reasons(page)
    shown = [
        node
        for node, owner in enumerate(page.owners)
        if page.first[node] < page.behind[node] and not why[owner]
    ]
    headings = list(_page_headings(page, why, shown))
    ends = [int(page.reading.ends[page.behind[node] - 1]) for node in shown]
    return _headed(headings, ends, _title(page, headings))


def _page_headings(page: Page, why: Sequence[str], shown: Sequence[int]) -> Iterator[_Heading]:
    """Headings that are content and hold text, by the tree."""
    for number, element in enumerate(page.elements):
        found = _HEADING.fullmatch(element.tag)
        if found is None or why[number]:
            continue
        first, behind = page.nodes[number]
        # Of the element's own nodes those that are shown: bisect, as there may be very many.
        own = shown[bisect_right(shown, first - 1) : bisect_right(shown, behind - 1)]
        if own:
            start = int(page.reading.starts[page.first[own[0]]])
            end = int(page.reading.ends[page.behind[own[-1]] - 1])
            yield _Heading(page.text_of(number), int(found[1]), start, end)


def _title(page: Page, headings: Sequence[_Heading]) -> str:
    """The first heading of the first level, which is shorter than the window's title; else that."""
    own = next((each.text for each in headings if each.level == 1), "")
    titles = (page.text_of(number) for number, each in enumerate(page.elements) if each.tag == "title")
    return own or next(titles, "")


def _of_items(document: Document) -> Headed:
    """DOCX and PDF: items of the body; headers, footers and notes are in no section."""
    try:
        text, items = placed_items(document.structure)
    except (ValueError, TypeError, KeyError, AttributeError):  # As ``chunking.document.items`` has it.
        return Headed("", ())
    if text != document.text:
        return Headed("", ())
    body = [item for item in items if item.layer == "body"]
    headings = [_Heading(each.raw, each.level, each.start, each.end) for each in body if each.is_heading]
    titles = [each.raw for each in body if each.is_heading and each.label == "title"]
    return _headed(headings, [each.end for each in body], titles[0] if titles else "")


def _of_markdown(text: str) -> Headed:
    found = blocks(text)
    headings = [
        _Heading(plain(each.text), each.level, each.start, each.end)
        for each in found
        if each.kind == "heading"
    ]
    return _headed(headings, [each.end for each in found], front_title(text))


def _headed(headings: Sequence[_Heading], ends: Sequence[int], title: str) -> Headed:
    """Sections out of headings and the ends of all that is said, both ascending."""
    named = " ".join((title or (headings[0].text if headings else "")).split())
    closes = _closes(headings)
    found = []
    for heading, close in zip(headings, closes, strict=True):
        behind = bisect_right(ends, close) if close >= 0 else len(ends)
        end = ends[behind - 1] if behind else heading.end
        text = " ".join(heading.text.split())
        if end > heading.end and text.casefold() != named.casefold():
            found.append(HeadedSection(text, heading.start, end))
    return Headed(named, tuple(found))


def _closes(headings: Sequence[_Heading]) -> list[int]:
    """Where the next heading of the same or a higher level begins; -1 where there is none."""
    found = [-1] * len(headings)
    open_ones: list[int] = []
    for place, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            found[open_ones.pop()] = heading.start
        open_ones.append(place)
    return found
