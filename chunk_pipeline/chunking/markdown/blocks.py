"""The blocks of a Markdown document with their places, by a CommonMark parse (pulldown-cmark by pyromark).

Of the parsers for Python with positions it is by far the fastest; it gives inline events too, which are left
out here but for the words of headings. What is no CommonMark (front matter, ``:::`` containers, ``$$`` math)
is found by ``markdown.masks`` and hidden from the parser. What does not belong here: cutting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from chunk_pipeline.chunking.markdown.fences import parsable
from chunk_pipeline.chunking.markdown.masks import Masks, mask
from chunk_pipeline.chunking.markdown.outline import TopHeading, top_headings
from chunk_pipeline.chunking.markdown.plain import PlainBlock, plain_blocks, plain_items

_KINDS = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "BlockQuote": "quote",
    "HtmlBlock": "html",
    "List": "list",
    "Item": "item",
    "FootnoteDefinition": "footnote",
    "Table": "table",
}

_NESTING = frozenset({"list", "item", "quote"})
"""Plain blocks that hold others."""


class Block:
    """A block of a document, ``[start, end)`` in characters.

    Attributes:
        kind: ``paragraph``, ``heading``, ``quote``, ``fence``, ``code`` (indented), ``html``, ``list``,
            ``item``, ``footnote``, ``table``, ``rule``, ``front_matter``, ``container``, ``math``,
            ``section`` (a heading and what is under it) or ``document``.
        start: First character, its indentation included where nothing else is ahead of it on its line.
        end: Character after the last; white space may follow the block's own.
        content: First character of the block itself; what is ahead of it on its line are indentation and the
            marks of quotes and list items.
        children: The blocks inside, in order.
        level: Of a heading or a section, from 1 to 6; else 0.
        titles: Of a section, the words of the headings that it is under, its own included.
    """

    __slots__ = ("children", "content", "end", "kind", "level", "start", "titles")

    def __init__(self, kind: str, start: int, end: int, content: int, level: int = 0) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.content = content
        self.level = level
        self.titles: tuple[str, ...] = ()
        self.children: list[Block] = []

    def __repr__(self) -> str:
        return f"Block({self.kind}, {self.start}, {self.end}, {len(self.children)} children)"


class MarkdownBlocks:
    """The blocks of a Markdown document (CommonMark 0.31, with tables and footnotes of GitHub's).

    Where the lines alone tell the headings, what is under them is parsed only when it is asked for.

    Args:
        text: The document.
        small: A block of at most so many characters is given without those inside it.

    Attributes:
        document: Its sections are nested by the levels of their headings. Headings in quotes, lists and
            containers make no section.
    """

    def __init__(self, text: str, small: float = 0) -> None:
        self._masks = masks = mask(parsable(text))
        self._small = small
        self.document = Block("document", 0, len(text), 0)
        headings = top_headings(masks.text, masks.containers)
        self._unread: dict[Block, Block] = {}
        if headings is None:
            blocks = self._parsed(0, len(text))
            for block in blocks:
                if block.level:
                    block.titles = (" ".join("".join(block.titles).split()),)
        else:
            blocks = [_heading(heading) for heading in headings]
        self.document.children = _sections(blocks, len(text))
        if headings is not None:
            self._unread.update((block, block) for block in (self.document, *blocks))

    def children(self, block: Block) -> list[Block]:
        """The blocks inside a block, in order; a section's heading is none of them."""
        if block in self._unread:
            whole = self._unread.pop(block)
            if block.kind == "list":
                block.children = self._plain(plain_items(self._masks.text, block.start, block.end), block)
            elif block.kind == "quote":
                block.children = self._parsed(block.start, block.end)[0].children
            elif block.kind == "item":
                self._read_items(whole)
            else:
                block.children = [*self._first(block), *block.children]
        return block.children

    def _read_items(self, whole: Block) -> None:
        """Parse all items of a list: whether they hold paragraphs depends on the blank lines between them."""
        (parsed,) = self._parsed(whole.start, whole.end)
        for item, known in zip(parsed.children, whole.children, strict=True):
            known.children = item.children
            self._unread.pop(known, None)

    def _first(self, block: Block) -> list[Block]:
        """The blocks of a section, or of the document, ahead of its sections."""
        text, start, end = self._masks.text, block.start, block.end
        if block.children:
            end = block.children[0].start
        if block.level:
            start = text.find("\n", start, end) + 1 or end
        if block.children and end - block.start <= self._small:
            return [Block("text", start, end, start)] if text[start:end].strip() else []
        plain, rest = plain_blocks(text, start, end)
        blocks = self._plain(plain)
        masks = self._masks
        if rest < end:
            blocks += self._nested_blocks(rest, end)
        return _unmasked(blocks, masks) if masks.whole or masks.containers else blocks

    def _plain(self, plain: list[PlainBlock], whole: Block | None = None) -> list[Block]:
        """Blocks that the lines told; what is in them is parsed when asked for, items with their list."""
        text, small = self._masks.text, self._small
        blocks: list[Block] = []
        for kind, start, end in plain:
            block = Block(kind, start, end, start)
            blocks.append(block)
            if kind in _NESTING and end - start > small:
                self._unread[block] = whole or block
                block.content = end - len(text[start:end].lstrip(" "))
        return blocks

    def _parsed(self, start: int, end: int) -> list[Block]:
        """The outermost blocks of a stretch of whole lines that is in no block."""
        masks = self._masks
        blocks = self._nested_blocks(start, end)
        return _unmasked(blocks, masks) if masks.whole or masks.containers else blocks

    def _nested_blocks(self, start: int, end: int) -> list[Block]:
        text = self._masks.text
        return _nested(text, start, _events(text[start:end], self._small))


def _heading(heading: TopHeading) -> Block:
    start, level, title = heading
    block = Block("heading", start, start, start, level)
    block.titles = (title,)
    return block


def _events(text: str, small: float) -> list[Block]:
    """The blocks, each ahead of those inside it, places in characters; titles are words of inline events."""
    from pyromark import events_with_range

    found: list[Block] = []
    heading: Block | None = None
    passed = 0
    # Inline events are many times as many as blocks: what is done for each of them decides the speed.
    event: Any
    for event, place in events_with_range(text, options=_options()):
        if "Start" in event:
            start = place["start"]
            kind, level = _kind(event["Start"]) if start >= passed else ("", 0)
            if kind:
                end = place["end"]
                found.append(Block(kind, start, end, start, level))
                heading = found[-1] if level else None
                passed = end if end - start <= small else passed
        elif event == "Rule":
            if place["start"] >= passed:
                found.append(Block("rule", place["start"], place["end"], place["start"]))
        elif heading and type(event) is dict:
            heading.titles += tuple(event[name] for name in ("Text", "Code") if name in event)
    if not text.isascii():
        _count_characters(text, found)
    return found


@cache
def _options() -> Any:
    from pyromark import Options

    return Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES


def _kind(start: str | dict[str, Any]) -> tuple[str, int]:
    """The kind of a block, and a heading's level; an empty one for anything else that starts."""
    if isinstance(start, str):
        return _KINDS.get(start, ""), 0
    name, detail = next(iter(start.items()))
    if name == "Heading":
        return "heading", int(detail["level"][1])
    if name == "CodeBlock":
        return ("fence" if isinstance(detail, dict) else "code"), 0
    return _KINDS.get(name, ""), 0


def _nested(text: str, base: int, blocks: list[Block]) -> list[Block]:
    """The outermost of the blocks of a stretch, with those inside them; their places become the text's."""
    outermost: list[Block] = []
    stack: list[Block] = []
    for block in blocks:
        content = block.content + base
        block.content = content
        block.end += base
        while stack and stack[-1].end <= content:
            stack.pop()
        siblings = stack[-1].children if stack else outermost
        floor = siblings[-1].end if siblings else stack[-1].start if stack else base
        line = text.rfind("\n", floor, content) + 1
        block.start = max(floor, line)
        siblings.append(block)
        stack.append(block)
    return outermost


def _count_characters(text: str, blocks: list[Block]) -> None:
    source = text.encode()
    characters = passed = 0
    places: dict[int, int] = {}
    for place in sorted({place for block in blocks for place in (block.content, block.end)}):
        characters += len(source[passed:place].decode())
        places[place] = characters
        passed = place
    for block in blocks:
        block.start = block.content = places[block.content]
        block.end = places[block.end]


def _unmasked(blocks: list[Block], masks: Masks) -> list[Block]:
    """The blocks with the thematic breaks that were put into the text turned into what they stand for."""
    outermost = Block("document", 0, 0, 0)
    outermost.children = blocks
    stack = [outermost]
    while stack:
        block = stack.pop()
        ends: list[tuple[int, int]] = []
        children: list[Block] = []
        for child in block.children:
            children.append(child)
            if child.kind != "rule":
                stack.append(child)
                continue
            child.kind = masks.whole.get(child.start, child.kind)
            if child.start in masks.containers:
                ends.append((masks.containers[child.start], len(children) - 1))
            while ends and ends[-1][0] < child.start:
                ends.pop()
            if ends and ends[-1][0] == child.start:
                place = ends.pop()[1]
                children[place:] = [_container(children[place:])]
        block.children = children
    return outermost.children


def _container(blocks: Sequence[Block]) -> Block:
    """The container whose first and last lines are the first and the last of the blocks."""
    container = Block("container", blocks[0].start, blocks[-1].end, blocks[0].content)
    container.children = list(blocks[1:-1])
    return container


def _sections(blocks: Iterable[Block], end: int) -> list[Block]:
    """The blocks with every heading turned into a section that holds what is under it."""
    outermost: list[Block] = []
    stack: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            (stack[-1].children if stack else outermost).append(block)
            continue
        while stack and stack[-1].level >= block.level:
            stack.pop().end = block.start
        above = stack[-1].titles if stack else ()
        block.kind, block.end = "section", end
        block.titles = (*above, *block.titles)
        (stack[-1].children if stack else outermost).append(block)
        stack.append(block)
    return outermost
