"""What a block is made of, by its language: the one place that knows them all.

What does not belong here: how each language is taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.javascript.regions import ScriptRegions
from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.javascript.units import Units
from chunk_pipeline.chunking.json.regions import JsonRegions
from chunk_pipeline.chunking.json.tree import parse_json
from chunk_pipeline.chunking.regions import Region
from chunk_pipeline.chunking.syntax import SCRIPTS
from chunk_pipeline.chunking.vue.around import joined, listed
from chunk_pipeline.chunking.vue.lines import LineRegions, lines_of, paragraphs
from chunk_pipeline.chunking.vue.sfc import Block, line_of
from chunk_pipeline.chunking.vue.styles import StyleRegions, items_of
from chunk_pipeline.chunking.vue.template import TemplateRegions

_BRACED = frozenset({"", "css", "scss", "less", "postcss", "pcss"})
_INDENTED_STYLES = frozenset({"sass", "stylus", "styl"})
_YAML = frozenset({"yaml", "yml"})
_JSON = frozenset({"", "json", "json5"})
_FIRST_GRAMMAR = {"ts": "typescript", "tsx": "tsx"}


class Edges(Enum):
    """What need not be in a piece at its ends."""

    SPACE = "white space"
    BLANK_LINES = "white space, but for the indentation of the first line"
    COMMAS = "white space, and the commas and closing brackets of JSON"


Naming = Callable[[int, int, str], tuple[str, str]]
"""``(start, end, label)`` of a piece to what is in it: as a locator, and for its header.

The label is of what it begins in.
"""


class Content(NamedTuple):
    """A block's content.

    Attributes:
        region: Its region, counted from ``offset``.
        naming: Names a piece; asked when all are cut.
        offset: A character of the document.
        edges: What its pieces need not hold.
        broken: Why it cannot be taken apart; empty if it can.
    """

    region: Region
    naming: Naming
    offset: int = 0
    edges: Edges = Edges.SPACE
    broken: str = ""


def content_of(text: str, block: Block, limit: int) -> Content:
    """What is in a block.

    Args:
        text: The document.
        block: A block that parses as a part of a component, with a tag.
        limit: Characters that a piece has at most, the block's tags not counted.
    """
    if block.tag == "script":
        return _script(text, block, limit)
    if block.tag == "style":
        return _style(text, block, limit)
    if block.tag == "template":
        return _template(text, block, limit)
    return _custom(text, block, limit)


def _script(text: str, block: Block, limit: int) -> Content:
    first = _FIRST_GRAMMAR.get(block.lang, "javascript")
    for grammar in (first, *(each for each in SCRIPTS if each != first)):
        source = Source(text, *block.content, grammar)
        if not source.root.has_error:
            return _parsed_script(source, limit)
    reason = f"line {line_of(text, block.start)}: the script does not parse as JavaScript or TypeScript"
    return _plain(text, block, limit)._replace(broken=reason)


def _parsed_script(source: Source, limit: int) -> Content:
    regions = ScriptRegions(source, limit)
    region = regions.root()
    units = cache(lambda: Units(source, regions.elements))

    def naming(start: int, end: int, label: str) -> tuple[str, str]:
        unit, own = units().called(start, end, regions.scopes[label])
        return unit, joined(label, own)

    return Content(region, naming)


def _template(text: str, block: Block, limit: int) -> Content:
    if block.lang in ("pug", "jade"):
        return _indented(text, block, limit, True)
    if block.lang not in ("", "html") or block.source is None or block.node is None:
        return _plain(text, block, limit)
    regions = TemplateRegions(block.source, limit)
    naming = _named(regions.outline.named)
    return Content(regions.root(block.node), naming)


def _style(text: str, block: Block, limit: int) -> Content:
    if block.lang in _INDENTED_STYLES:
        return _indented(text, block, limit, False)
    if block.lang not in _BRACED:
        return _plain(text, block, limit)
    items = items_of(text, *block.content, block.lang in ("scss", "less"))
    if items is None:
        reason = f"line {line_of(text, block.start)}: the braces of the style do not match"
        return _plain(text, block, limit)._replace(broken=reason)
    regions = StyleRegions(text, limit)
    naming = _named(regions.outline.named)
    return Content(regions.root(items, *block.content), naming)


def _custom(text: str, block: Block, limit: int) -> Content:
    start, end = block.content
    if block.lang in _YAML:
        return _indented(text, block, limit, False)
    if block.lang in _JSON and text[start:end].lstrip()[:1] in ("{", "["):
        inside = text[start:end]
        try:
            tree = parse_json(inside)
        except UnparsableError:
            return _plain(text, block, limit)
        if any(leaf.end - leaf.start > limit // 2 for _, leaf in tree.leaves()):
            return _plain(text, block, limit)
        region = JsonRegions(inside, limit).document(tree)
        return Content(region, _nameless, start, Edges.COMMAS)
    return _plain(text, block, limit)


def _indented(text: str, block: Block, limit: int, brackets: bool) -> Content:
    regions = LineRegions(text, limit)
    naming = _named(regions.outline.named)
    region = regions.root(lines_of(text, *block.content, brackets), *block.content)
    return Content(region, naming, edges=Edges.BLANK_LINES)


def _plain(text: str, block: Block, limit: int) -> Content:
    return Content(paragraphs(text, *block.content, limit), _nameless)


def _nameless(start: int, end: int, label: str) -> tuple[str, str]:
    return label, label


def _named(names: Callable[[int, int, str], Sequence[str]]) -> Naming:
    def naming(start: int, end: int, label: str) -> tuple[str, str]:
        path = joined(label, listed(names(start, end, label)))
        return path, path

    return naming
