"""The blocks of Markdown as plain values: as they are found, and as the parser alone finds them."""

from __future__ import annotations

from unittest.mock import patch

from chunk_pipeline.chunking.markdown import blocks as markdown_blocks
from chunk_pipeline.chunking.markdown.blocks import MarkdownBlocks

Tree = list[tuple[int, str, int, int, int, tuple[str, ...]]]
"""Depth, kind, start, last solid character, level and titles of each block, each ahead of those inside it."""


def tree(text: str) -> Tree:
    """All blocks of a document."""
    blocks = MarkdownBlocks(text)
    found: Tree = []
    stack = [(blocks.document, 0)]
    while stack:
        block, depth = stack.pop()
        last = len(text[: block.end].rstrip())
        found.append((depth, block.kind, block.start, last, block.level, block.titles))
        stack += [(child, depth + 1) for child in reversed(blocks.children(block))]
    return found


def parsed_tree(text: str) -> Tree:
    """The same without a look at the lines: all is left to the parser."""
    with patch.object(markdown_blocks, "top_headings", lambda *_: None):
        return tree(text)


def is_told_by_lines(text: str) -> bool:
    """Whether the headings are found without the parser."""
    masks = markdown_blocks.mask(markdown_blocks.parsable(text))
    return markdown_blocks.top_headings(masks.text, masks.containers) is not None
