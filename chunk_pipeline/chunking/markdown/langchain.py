"""LangChain's MarkdownHeaderTextSplitter as it is, with exact spans put beside what it gives.

It keeps every character that can be printed, but not the lines as they stand: they are stripped of white
space and of what cannot be printed, blank lines go, and paragraphs are joined by two spaces and a line break.
So its texts are no slices, and are found again by counting characters that it keeps. What does not belong
here: anything that LangChain does not do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from langchain_text_splitters import MarkdownHeaderTextSplitter

from chunk_pipeline.chunking.chunk import Span
from chunk_pipeline.chunking.langchain_spans import recursive_spans_langchain

HEADERS = (("#", "h1"), ("##", "h2"), ("###", "h3"))
"""Marks of the headings that it splits at, and what its metadata call them."""


def header_spans_langchain(text: str, size: int, overlap: int) -> Iterator[tuple[Span, str]]:
    """Cut by MarkdownHeaderTextSplitter, headings kept, and each of its texts by recursive characters.

    Args:
        text: The document.
        size: Characters that a text of LangChain's has at most; the slice has the indentation and the blank
            lines besides, so it may be longer.
        overlap: Characters that a text may repeat of the one before.

    Yields:
        (the slice of the source from the first to the last character of a chunk, the titles that it is under
        joined by `` > ``), in order. What stands between two slices is white space or cannot be printed.
    """
    places = [place for place, character in enumerate(text) if _is_kept(character)]
    splitter = MarkdownHeaderTextSplitter(list(HEADERS), strip_headers=False)
    base = 0
    for section in splitter.split_text(text):
        content = section.page_content
        path = " > ".join(section.metadata[name] for _, name in HEADERS if name in section.metadata)
        kept = [place for place, character in enumerate(content) if _is_kept(character)]
        for span in recursive_spans_langchain(content, size, overlap):
            first = bisect_left(kept, span.start)
            last = bisect_left(kept, span.end) - 1
            if first <= last:
                yield Span(places[base + first], places[base + last] + 1), path
        base += len(kept)


def _is_kept(character: str) -> bool:
    return character.isprintable() and character != " "
