"""Atoms of Markdown for the strategies C and D: code fences, and the text between them, under a heading path.

The study's own way of cutting, on exact slices. Its texts have the blank line behind a heading left out; a
slice keeps it, so these are a character longer where there is one. What does not belong here: a parser.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.markdown.lines import Fence, HeadingPath, fence_of, heading_of, lines_of


class Block(NamedTuple):
    """A stretch ``[start, end)`` of a document, without white space at its ends, and its heading path."""

    start: int
    end: int
    path: tuple[str, ...]


def joined_blocks(text: str, size: int) -> Iterator[Block]:
    """Atoms joined while the heading path is the same and the size allows.

    Args:
        text: A Markdown document.
        size: Characters that joined atoms have at most; an atom that is longer stays whole.
    """
    current: Block | None = None
    for atom in _atoms(text):
        if current and current.path == atom.path and atom.end - current.start <= size:
            current = current._replace(end=atom.end)
            continue
        if current:
            yield current
        current = atom
    if current:
        yield current


def _atoms(text: str) -> Iterator[Block]:
    """Fenced code blocks, and whatever is between two of them or two headings; a heading begins an atom."""
    path = HeadingPath()
    titles: tuple[str, ...] = ()
    fence: Fence | None = None
    start = 0
    for line in lines_of(text):
        if fence:
            if fence.is_closed_by(line.content):
                fence = None
                yield from _block(text, start, line.end, titles)
                start = line.end
            continue
        fence = fence_of(line.content)
        heading = None if fence else heading_of(line.content)
        if fence or heading:
            yield from _block(text, start, line.start, titles)
            start = line.start
        if heading:
            path.enter(heading)
            titles = path.titles
    yield from _block(text, start, len(text), titles)


def _block(text: str, start: int, end: int, titles: tuple[str, ...]) -> Iterator[Block]:
    content = text[start:end]
    solid = content.strip()
    if solid:
        start += len(content) - len(content.lstrip())
        yield Block(start, start + len(solid), titles)
