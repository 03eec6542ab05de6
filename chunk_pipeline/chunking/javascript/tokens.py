"""Long tokens of a script in slices, templates with their substitutions, and JSX elements.

What does not belong here: where text may be cut (``javascript.literals``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.javascript.literals import class_slices, pattern_slices, slices
from chunk_pipeline.chunking.javascript.maker import RegionMaker
from chunk_pipeline.chunking.javascript.open import Open, Parts
from chunk_pipeline.chunking.javascript.wrappers import Wrap
from chunk_pipeline.chunking.regions import Region

if TYPE_CHECKING:
    from tree_sitter import Node

JSX = frozenset({"jsx_element", "jsx_opening_element", "jsx_self_closing_element"})
"""Node types of elements and their opening tags."""


def token_parts(node: Node, around: Open, maker: RegionMaker) -> Parts | None:
    """The slices of a string, comment, JSX text, regular expression or template; none for another node."""
    source = maker.source
    start, end = source.place(node.start_byte), source.place(node.end_byte)
    match node.type:
        case "string":
            quote = source.text[start]
            return _sliced(start, end - 1, around.into(Wrap(quote, quote)), maker, escapes=True)
        case "comment" | "html_comment":
            block = source.text.startswith("/*", start)
            wrap = Wrap("/*", "*/\n") if block else Wrap("// ", "\n" if around.closing else "")
            return _sliced(start, end - 2 if block else end, around.into(wrap), maker)
        case "jsx_text":
            return _sliced(start, end, around, maker)
        case "template_string":
            return _template(node, around, maker)
        case "regex":
            return _regex(start, end, around, maker)
    return None


def jsx_parts(node: Node, around: Open, maker: RegionMaker) -> Parts:
    """An element's opening tag, if it is large, and its children; or a tag's attributes."""
    tag = node.child_by_field_name("open_tag") if node.type == "jsx_element" else node
    named = tag.child_by_field_name("name") if tag else None
    name = maker.source.of(named) if named else ""
    if node.type != "jsx_element":
        inside = around.into(Wrap(f"<{name or '_'} ", "/>"))
        return Parts([maker.node(each, inside) for each in node.children_by_field_name("attribute")], inside)
    inside = around.into(Wrap(f"<{name}>", f"</{name}>"))
    regions = [maker.node(each, inside) for each in node.children[1:-1]]
    if tag and tag.end_byte - tag.start_byte > maker.heavy:
        regions.insert(0, maker.node(tag, around))
    return Parts(regions, inside)


def _sliced(start: int, end: int, inside: Open, maker: RegionMaker, escapes: bool = False) -> Parts:
    cuts = slices(maker.source.text, start, end, maker.slice, escapes)
    return Parts([Region(first, last) for first, last in cuts], inside, True)


def _template(node: Node, around: Open, maker: RegionMaker) -> Parts:
    place = maker.source.place
    inside = around.into(Wrap("`", "`"))
    regions: list[Region] = []
    start = place(node.start_byte)
    for child in node.children:
        if child.type == "template_substitution":
            regions += _sliced(start, place(child.start_byte), inside, maker, escapes=True).regions
            regions.append(maker.node(child, inside))
            start = place(child.end_byte)
    regions += _sliced(start, place(node.end_byte) - 1, inside, maker, escapes=True).regions
    return Parts(regions, inside, True)


def _regex(start: int, end: int, around: Open, maker: RegionMaker) -> Parts:
    """The pattern in slices; a long character class in slices of its own."""
    text, inside = maker.source.text, around.into(Wrap("/_", "/"))
    regions = []
    for first, last, large in pattern_slices(text, start + 1, text.rindex("/", start, end), maker.slice):
        if large:
            regions.append(maker.lazy(first, last, partial(_members, first, last, around, maker)))
        else:
            regions.append(Region(first, last))
    return Parts(regions, inside, True)


def _members(start: int, end: int, around: Open, maker: RegionMaker) -> Parts:
    cuts = class_slices(maker.source.text, start, end, maker.slice)
    return Parts([Region(*each) for each in cuts], around.into(Wrap("/[", "]/")), True)
