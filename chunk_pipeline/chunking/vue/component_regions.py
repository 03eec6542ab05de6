"""A run of a component's blocks as regions: whole blocks, and each block in its own tags.

What does not belong here: what blocks are made of (``vue.content``), and proving pieces.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial

from chunk_pipeline.chunking.region_atoms import Region, trim_blank_lines, trim_characters, trim_space
from chunk_pipeline.chunking.vue.around import LARGE, SLICE, Around, Frame, joined, listed
from chunk_pipeline.chunking.vue.content import Content, Edges, content_of
from chunk_pipeline.chunking.vue.sfc import Block
from chunk_pipeline.chunking.vue.tags import tag_region

FRAME = 60
"""Characters of a start tag that is written again as it is; of a longer one what its content needs."""

_NEEDED = ("lang", "setup", "scoped", "module")
_COMMAS = " \t\r\n,"


class BlockRegions:
    """Takes a block apart, as far as it is asked.

    Args:
        text: The document.
        block: A block that parses; a comment is one.
        limit: Characters of a chunk.
        forbidden: Characters at which no region but a first one may begin; may grow.

    Attributes:
        block: The block.
        content: What it is made of.
    """

    def __init__(self, text: str, block: Block, limit: int, forbidden: set[int]) -> None:
        self.block = block
        self._text = text
        self._slice = max(1, int(limit * SLICE))
        self._large = int(limit * LARGE)
        opening, closing = self._tags()
        self.content: Content | None = None
        if block.tag and block.content[0] < block.content[1]:
            self.content = content_of(text, block, max(1, limit - len(opening) - len(closing)))
        self._frame = Frame(text, opening, closing, block.name, forbidden)

    @property
    def broken(self) -> str:
        """Why the block cannot be taken apart; empty if it can."""
        return self.block.broken or (self.content.broken if self.content else "")

    @property
    def edges(self) -> Edges:
        """What pieces of its content need not hold."""
        return self.content.edges if self.content else Edges.SPACE

    def region(self, start: int) -> Region:
        """The block's region, which may begin with comments ahead of it."""
        block = self.block
        if not block.tag:
            around = Around("<!--", "-->")
            return around.sliced(self._text, block.start + 4, block.end - 3, self._slice)._replace(
                start=start, end=block.end
            )
        inner = self._frame.framed(self.content.region, self.content.offset) if self.content else None
        opening, closing = (inner.opening, inner.closing) if inner else ("", "")
        return Region(start, block.end, partial(self._parts, inner), opening, closing, block.name)

    def _parts(self, inner: Region | None) -> Sequence[Region]:
        """The start tag, if it is large, and what is between the tags."""
        block, parts = self.block, list(inner.parts()) if inner else []
        if block.node is None or block.source is None:
            return parts
        size = block.content[0] - block.start
        if size > self._large or (not parts and size):
            closed = block.node.children[-1].type == "end_tag"
            tag = tag_region(block.node.children[0], Around(), block.source, self._slice, closed)
            parts.insert(0, tag._replace(label=block.name))
        return parts

    def _tags(self) -> tuple[str, str]:
        """The tags that are written around what is in the block."""
        block = self.block
        head = self._text[block.start : block.content[0]]
        if not block.tag or len(head) <= FRAME:
            return f"{head}\n", f"\n</{block.tag}>"
        attributes = block.attributes
        needed = [(key, attributes[key]) for key in _NEEDED if key in attributes]
        kept = [f'{key}="{value}"' if value else key for key, value in needed]
        return f"<{' '.join((block.tag, *kept))}>\n", f"\n</{block.tag}>"


class RunRegions:
    """Blocks that follow each other.

    Args:
        text: The document.
        blocks: Blocks that can be taken apart, in order.
        start: First character of the run.
        end: Character after the last.
        limit: Characters of a chunk.
    """

    def __init__(self, text: str, blocks: Sequence[BlockRegions], start: int, end: int, limit: int) -> None:
        self._text = text
        self._blocks = blocks
        self._starts = [each.block.start for each in blocks]
        self._span = (start, end)
        self._large = int(limit * LARGE)

    def root(self) -> Region:
        """The region of the run."""
        return Region(*self._span, self._parts, alone=True)

    def trim(self, text: str, start: int, end: int) -> tuple[int, int]:
        """The stretch without what its block says that pieces need not hold."""
        first, last = self._edges(start), self._edges(max(start, end - 1))
        if first is Edges.COMMAS and last is Edges.COMMAS:
            start, end = trim_characters(text, start, end, _COMMAS)
            return (start, start) if start < end and text[start] in "]}" else (start, end)
        if first is Edges.BLANK_LINES:
            return trim_blank_lines(text, start, end)
        start, end = trim_space(text, start, end)
        if last is Edges.COMMAS:
            end = start + len(text[start:end].rstrip(_COMMAS))
        return start, end

    def called(self, start: int, end: int, label: str) -> tuple[str, str]:
        """What a piece is called as a locator and in its header; nothing if it is all of the run."""
        first = max(0, bisect_right(self._starts, start) - 1)
        touched = [each for each in self._blocks[first:] if each.block.start < end and each.block.tag]
        touched = [each for each in touched if each.block.end > start]
        if len(touched) != 1:
            whole = len(touched) == sum(bool(each.block.tag) for each in self._blocks)
            names = listed(each.block.name for each in touched)
            return ("", "") if whole else (names, names)
        block, content = touched[0].block, touched[0].content
        if content is None or (start <= block.start and end >= block.end):
            return block.name, block.name
        inner = label.removeprefix(block.name).removeprefix(" › ")
        begin = start if start > block.start else self._solid(block.content[0], end)
        unit, word = content.naming(begin, end, inner)
        return joined(block.name, unit), joined(block.name, word)

    def _solid(self, start: int, end: int) -> int:
        return trim_space(self._text, start, end)[0] if start < end else start

    def _parts(self) -> list[Region]:
        """The blocks, small comments with what follows them."""
        regions: list[Region] = []
        begin: int | None = None
        for place, each in enumerate(self._blocks):
            block = each.block
            start = block.start if begin is None else begin
            small = not block.tag and block.end - start <= self._large
            begin = start if small and place + 1 < len(self._blocks) else None
            if begin is None:
                regions.append(each.region(start))
        return regions

    def _edges(self, place: int) -> Edges:
        index = bisect_right(self._starts, place) - 1
        if index < 0:
            return Edges.SPACE
        each = self._blocks[index]
        start, end = each.block.content
        return each.edges if start <= place < end else Edges.SPACE
