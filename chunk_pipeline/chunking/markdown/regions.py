"""The blocks of a Markdown document as regions: where each may be cut, and what opens and closes it there.

A fence, front matter and math are closed and opened again between two lines, a container between two blocks;
a table has its head again, a quote its marks. What does not belong here: the parse, and which places are
taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise, zip_longest
from typing import NamedTuple

from chunk_pipeline.chunking.markdown.blocks import Block, MarkdownBlocks
from chunk_pipeline.chunking.markdown.fences import container_prefix
from chunk_pipeline.chunking.markdown.lines import fence_of, lines_of
from chunk_pipeline.chunking.regions import Region, trim_blank_lines, trim_space
from chunk_pipeline.chunking.text.recursive import recursive_spans

SMALL = 0.4
"""Share of the limit up to which a block is never taken apart: it fits, whatever is glued to it."""
LONE_TEXT = 0.2
"""Share of the limit from which text beside a container's blocks is a region of its own."""

CODE_INDENT = 4
"""Columns of indentation that make a line code (CommonMark 0.31, 4.4)."""
DEEPEST = 60
"""Characters of indentation or of quotes' marks that are written again."""
LONGEST_LINE = 100
"""Characters of a line that opens a fence or a container, up to which it is repeated whole."""

_GLANCE = 64
"""Characters at the end of a part that are looked at first."""
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]*_`]*\s+|[。！？][”’」』）]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?! )|\t)?")
_CONTAINERS = " \t\r>"
_LINE_END = re.compile(r"\r\n|\r|\n")
_MATH = "$$"
_LED = frozenset({"fence", "code", "list", "table", "math", "quote", "html"})
"""Blocks that a paragraph with a colon at its end introduces: they are not parted where that can be."""


class Frame(NamedTuple):
    """What holds at the places inside a block.

    Attributes:
        opening: See ``Region``.
        closing: See ``Region``.
        label: See ``Region``.
        prefix: What a line in the block begins with, being in quotes; empty outside of any.
        indent: Columns that a line in the block is indented by, being in lists and not in quotes.
    """

    opening: str = ""
    closing: str = ""
    label: str = ""
    prefix: str = ""
    indent: int = 0

    @property
    def first(self) -> str:
        """What a line that opens a block again begins with.

        Behind four spaces it would be code, so it is put into as many lists as make its lines belong to it.
        """
        if self.prefix or self.indent < CODE_INDENT:
            return self.rest
        return "- " * (self.indent // 2) + " " * (self.indent % 2)

    @property
    def rest(self) -> str:
        """What the lines behind it begin with, and that which closes it."""
        return self.prefix or " " * self.indent


class MarkdownRegions:
    """Makes the regions of one document.

    Args:
        text: The document.
        blocks: Its blocks.
        limit: Characters that a piece has at most, what ``label`` asks for included.
        label: Gives the label under these headings.
        room: Gives the characters that a label asks for.
    """

    def __init__(
        self,
        text: str,
        blocks: MarkdownBlocks,
        limit: int,
        label: Callable[[tuple[str, ...]], str],
        room: Callable[[str], int],
    ) -> None:
        self._text = text
        self._source = blocks
        self._limit = limit
        self._label = label
        self._room = room
        self._small = limit * SMALL
        self._lone = limit * LONE_TEXT

    def root(self) -> Region:
        """The whole document."""
        return self._region(self._source.document, Frame())

    def trim(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Without blank lines at the start and white space at the end; see ``regions.Trim``.

        The first line keeps its indentation, unless that would take more than a quarter of the limit.
        """
        if start < end and not text[start].isspace():  # The way of most parts.
            tail = text[max(start, end - _GLANCE) : end]
            kept = tail.rstrip()
            if kept:
                return start, end - len(tail) + len(kept)
        start, end = trim_blank_lines(text, start, end)
        solid = trim_space(text, start, end)[0]
        return (start if solid - start <= self._limit // 4 else solid), end

    def _region(self, block: Block, outer: Frame) -> Region:
        if block.kind == "fence" and self._is_all_fence(block):
            return Region(block.start, block.end)
        frame = self._frame(block, outer)
        return self._made(block, frame)

    def _is_all_fence(self, block: Block) -> bool:
        """Whether pieces that are closed by as many marks would hold next to nothing else."""
        marks = self._text[block.content : block.content + self._limit // 2]
        return len(marks) * 2 >= self._limit - 1 and marks == marks[0] * len(marks)

    def _frame(self, block: Block, outer: Frame) -> Frame:
        """What holds inside a block; what would take more than a quarter of the limit is left out."""
        if block.kind in ("section", "document"):
            return Frame(label=self._label(block.titles))  # They are in no other block.
        if block.kind in ("quote", "item"):
            return self._contained(block, outer)
        opening, closing = self._marks(block, outer)
        if not opening and not outer.opening:
            return outer
        if len(opening) + len(closing) + len(outer.opening) + len(outer.closing) > self._limit // 4:
            return outer._replace(opening=opening, closing=closing)
        return outer._replace(opening=outer.opening + opening, closing=closing + outer.closing)

    def _contained(self, block: Block, outer: Frame) -> Frame:
        """What holds inside a quote or a list item."""
        ahead = self._text[self._line_start(block.content) : block.content]
        if len(ahead) > DEEPEST:
            return outer
        if block.kind == "quote":
            return outer._replace(prefix=container_prefix(ahead + "> "))
        marker = _ITEM.match(self._text, block.content)
        if outer.prefix or not marker:
            return outer
        return outer._replace(indent=len((ahead + marker[0]).expandtabs(CODE_INDENT)))

    def _marks(self, block: Block, outer: Frame) -> tuple[str, str]:
        """What opens a block again between two of its parts, and what closes it there."""
        if block.kind == "math":
            return f"{_MATH}\n", f"\n{_MATH}"
        if block.kind not in ("fence", "front_matter", "container", "table"):
            return "", ""
        lines = _LINE_END.split(self._text[block.content : block.end], 2)
        first = lines[0].strip()
        if block.kind == "table":
            head = f"{outer.first}{first}\n{outer.rest}{lines[1].strip(_CONTAINERS)}\n"
            return (head, "") if len(head) <= self._limit // 4 else ("", "")
        if block.kind == "front_matter":
            return f"{first}\n", f"\n{first}"
        if block.kind == "container":
            return f"{_short(first)}\n", f"\n{first[: len(first) - len(first.lstrip(':'))]}"
        fence = fence_of(first)
        marks = fence.mark * fence.length if fence else "```"
        return f"{outer.first}{_short(first)}\n", f"\n{outer.rest}{marks}"

    def _blocks(self, block: Block, frame: Frame) -> Sequence[Region]:
        """The blocks inside, and the text beside them if there is much of it."""
        kind = "lines" if block.kind in ("section", "document", "container") else "text"
        children = self._source.children(block)
        fits, small = self._fits(frame), 0 if frame.opening else self._small
        regions: list[Region] = []
        place = block.start
        previous: Block | None = None
        for child, following in zip_longest(children, children[1:]):
            if child.start - place > self._lone and self._is_long(place, child.start):
                regions.append(self._region(Block(kind, place, child.start, place), frame))
            start = child.start
            if previous and child.kind in _LED and self._is_lead(previous):
                start = regions.pop().start
            # What is glued to the first part and to the last is not known here.
            size, most = (
                (following.start - start, fits) if regions and following else (child.end - start, small)
            )
            region = Region(start, child.end) if size <= most else self._region(child, frame)
            regions.append(region if region.start == start else region._replace(start=start))
            previous, place = child, child.end
        if not regions or self._is_long(place, block.end):
            regions.append(self._region(Block(kind, place, block.end, place), frame))
        return regions

    def _fits(self, frame: Frame) -> int:
        """Characters up to which a part is never taken apart that has others on both sides."""
        return self._limit - self._room(frame.label) - len(frame.opening) - len(frame.closing)

    def _is_long(self, start: int, end: int) -> bool:
        return end - start > self._lone and len(self._text[start:end].strip()) > self._lone

    def _is_lead(self, block: Block) -> bool:
        """Whether a paragraph only introduces what follows it."""
        return (
            block.kind == "paragraph"
            and block.end - block.start <= 2 * self._lone
            and self._text[block.start : block.end].rstrip(" \t\r\n*_").endswith((":", "："))
        )

    def _lines(self, block: Block, frame: Frame) -> Sequence[Region]:
        inner = frame._replace(opening=frame.opening + frame.prefix)
        return [
            self._leaf(line.start + block.start, line.end + block.start, inner)
            for line in lines_of(self._text[block.start : block.end])
            if line.content.strip()
        ]

    def _rows(self, block: Block, frame: Frame) -> Sequence[Region]:
        return self._lines(block, frame)[2:]

    def _sentences(self, block: Block, frame: Frame) -> Sequence[Region]:
        if frame.prefix:
            return self._lines(block, frame)
        ends = [match.end() for match in _SENTENCE.finditer(self._text, block.start, block.end)]
        places = [block.start, *(end for end in ends if end < block.end), block.end]
        return [self._leaf(start, end, frame) for start, end in pairwise(places) if start < end]

    def _leaf(self, start: int, end: int, frame: Frame) -> Region:
        if end - start <= self._small / 2:
            return Region(start, end)
        return self._made(Block("leaf", start, end, start), frame)

    def _made(self, block: Block, frame: Frame) -> Region:
        parts = partial(_PARTS.get(block.kind, MarkdownRegions._blocks), self, block, frame)
        return Region(block.start, block.end, parts, frame.opening, frame.closing, frame.label)

    def _words(self, block: Block, frame: Frame) -> Sequence[Region]:
        size = self._limit - self._room(frame.label) - len(frame.opening) - len(frame.closing)
        spans = recursive_spans(self._text[block.start : block.end], max(1, size))
        return [Region(block.start + span.start, block.start + span.end) for span, _ in spans]

    def _line_start(self, place: int) -> int:
        line = self._text.rfind("\n", 0, place) + 1
        return max(line, self._text.rfind("\r", line, place) + 1)


# Not held by each instance: its bound methods would be a cycle, which only the collector frees.
_PARTS: Mapping[str, Callable[[MarkdownRegions, Block, Frame], Sequence[Region]]] = {
    **dict.fromkeys(("fence", "front_matter", "math", "code", "html", "lines"), MarkdownRegions._lines),
    **dict.fromkeys(("paragraph", "heading", "text"), MarkdownRegions._sentences),
    "table": MarkdownRegions._rows,
    **dict.fromkeys(("rule", "leaf"), MarkdownRegions._words),
}


def _short(line: str) -> str:
    """A line that opens a block, without all that follows its first word where it is long."""
    return line if len(line) <= LONGEST_LINE else line.split(None, 1)[0][:LONGEST_LINE]
