"""The sections of Markdown without Docling: by our own parse of its blocks.

For what Docling cannot read; it gives headings and what is under them, no rows and no list items. What does
not belong here: when it is used.
"""

from __future__ import annotations

from chunk_pipeline.chunking.markdown.blocks import Block, MarkdownBlocks
from chunk_pipeline.conversion.placed import PlacedItem


def plain_items(text: str) -> tuple[PlacedItem, ...]:
    """A heading, and one text, for each section; and the text ahead of the first heading."""
    headings = sorted(_sections(text), key=lambda section: section.start)
    if not headings:
        return ()
    found = [_item("text", 0, 0, headings[0].start, "")] if text[: headings[0].start].strip() else []
    ends = [*(section.start for section in headings), len(text)][1:]
    for section, end in zip(headings, ends, strict=True):
        line = text.find("\n", section.start, end) + 1 or end
        found.append(_item("section_header", section.level, section.start, line, section.titles[-1]))
        if text[line:end].strip():
            found.append(_item("text", 0, line, end, text[line:end]))
    return tuple(found)


def _sections(text: str) -> list[Block]:
    found: list[Block] = []
    waiting = [MarkdownBlocks(text).document]
    while waiting:
        block = waiting.pop()
        if block.kind == "section":
            found.append(block)
        waiting.extend(block.children)
    return found


def _item(label: str, level: int, start: int, end: int, raw: str) -> PlacedItem:
    return PlacedItem(start, end, label, level, 0, "body", raw, "")
