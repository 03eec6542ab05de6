"""The blocks of a Vue component: templates, scripts, styles, custom blocks and comments between them.

A component that parses is read off its syntax tree. Of one that does not, the blocks are found by their tags
as Vue's own compiler does, and each is parsed alone, so that one broken block spoils no other. What does not
belong here: what is in a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.region_atoms import trim_space
from chunk_pipeline.chunking.vue.dialect import without_dots

if TYPE_CHECKING:
    from tree_sitter import Node

ELEMENTS = frozenset({"template_element", "script_element", "style_element", "element"})
"""Node types of elements."""

TAGS = frozenset({"start_tag", "self_closing_tag"})
"""Node types of what opens an element."""

_RAW = ("script", "style")
_BYTE_ORDER_MARK = "\ufeff"
_OPENING = re.compile(r"<([A-Za-z][^\s/>]*)")
_TAG_END = re.compile(r"""(?>[^"'>]++|"[^"]*+"|'[^']*+')*+>""")
_NESTED = re.compile(r"<!--|\{\{|<(/?)template(?=[\s/>])", re.IGNORECASE)
_BLOCK = re.compile(r"^<(?:template|script|style)\b", re.MULTILINE | re.IGNORECASE)
_UNCLOSED = 16
_LANG = re.compile(r"""\slang\s*=\s*["']?([\w-]+)""")


class Block(NamedTuple):
    """A block, or a comment between blocks.

    Attributes:
        start: First character.
        end: Character after the last.
        tag: Name of its tag in lower case; empty for a comment and for what is broken.
        source: The parse that it is from.
        node: Its node there; none for what is broken, and for an empty block that the grammar does not know.
        content: ``[start, end)`` of what is between its tags.
        broken: Why it cannot be cut by what it is made of; empty if it can.
    """

    start: int
    end: int
    tag: str = ""
    source: Source | None = None
    node: Node | None = None
    content: tuple[int, int] = (0, 0)
    broken: str = ""

    @property
    def name(self) -> str:
        """What a reader calls it: ``template``, ``script setup``, ``style``, ``i18n``."""
        return "script setup" if self.tag == "script" and "setup" in self.attributes else self.tag

    @property
    def attributes(self) -> Mapping[str, str]:
        """The plain attributes of its tag; those without a value have an empty one."""
        if self.node is None or self.source is None or not self.tag:
            return {}
        return dict(_attributes(self.node.children[0], self.source))

    @property
    def lang(self) -> str:
        """Its language as it says, in lower case; empty if it does not."""
        return self.attributes.get("lang", "").lower()


def blocks_of(text: str) -> list[Block]:
    """The blocks of a component, in order and disjoint; what is between them is white space."""
    blocks: list[Block] = []
    place = 0
    for block in [*_sound_or_alone(text), None]:
        start, end = trim_space(text, place, block.start if block else len(text))
        if start < end and text[start:end] != _BYTE_ORDER_MARK:
            reason = f"line {line_of(text, start)}: text between blocks is no part of a Vue component"
            blocks.append(Block(start, end, broken=reason))
        if block:
            blocks.append(block)
            place = block.end
    return blocks


def line_of(text: str, place: int) -> int:
    """The number of a character's line, from 1."""
    return text.count("\n", 0, place) + 1


def _sound_or_alone(text: str) -> list[Block]:
    """The blocks of a component that parses, or of one that does not, each parsed alone."""
    known = without_dots(text)
    # The grammar looks for the end of each comment anew: a text of many that never end would take minutes.
    if text.rfind("<!--") <= text.rfind("-->"):
        source = Source(known, 0, len(known), "vue")
        if not source.root.has_error:
            return list(_read(source))
    return [block for start, end, why in _stretches(text) for block in _alone(known, start, end, why)]


def _read(source: Source) -> Iterator[Block]:
    for node in source.root.children:
        start, end = source.place(node.start_byte), source.place(node.end_byte)
        if node.type in ELEMENTS:
            yield _element(source, node, start, end)
        elif node.type == "comment":
            yield Block(start, end, "", source, node)


def _element(source: Source, node: Node, start: int, end: int) -> Block:
    children = node.children
    tag = children[0]
    inside = source.place(tag.end_byte)
    closed = len(children) > 1 and children[-1].type == "end_tag"
    content = (inside, source.place(children[-1].start_byte) if closed else end)
    return Block(start, end, source.of(tag.children[1]).lower(), source, node, content)


def _attributes(tag: Node, source: Source) -> Iterator[tuple[str, str]]:
    for each in tag.children:
        if each.type == "attribute":
            name, _, value = source.of(each).partition("=")
            yield name.strip().lower(), value.strip().strip("\"'")


def _alone(text: str, start: int, end: int, why: str) -> Iterator[Block]:
    """A stretch of a component that does not parse as a whole."""
    tag = _OPENING.match(text, start)
    name = tag[1].lower() if tag else ""
    source = None if why else Source(text, start, end, "vue")
    if source and not source.root.has_error:
        yield from _read(source)
    elif source and name in _RAW and _closes_itself(text, start, end):
        yield Block(start, end, name, None, None, (end, end))
    else:
        what = why or f"this {name or 'tag'} does not parse as a part of a Vue component"
        yield Block(start, end, broken=f"line {line_of(text, start)}: {what}")


def _closes_itself(text: str, start: int, end: int) -> bool:
    found = _TAG_END.match(text, start)
    return found is not None and found.end() == end and text[end - 2] == "/"


def _stretches(text: str) -> Iterator[tuple[int, int, str]]:
    """Elements, comments and stray tags, each with why it is not whole, or nothing."""
    place, unclosed = 0, 0
    while (begin := text.find("<", place)) >= 0:
        end = _end(text, begin)
        if end is None:
            # What is never closed is looked for to the end of the text, so that is done a few times only.
            unclosed += 1
            block = _BLOCK.search(text, begin + 1) if unclosed < _UNCLOSED else None
            end = block.start() if block else len(text)
            tag = _OPENING.match(text, begin)
            yield begin, end, f"this {tag[1].lower() if tag else 'tag or comment'} is not closed"
        else:
            yield begin, end, ""
        place = end


def _end(text: str, start: int) -> int | None:
    """Where the element, comment or stray tag that begins here ends; nothing if it does not."""
    if text.startswith("<!--", start):
        found = text.find("-->", start + 4)
        return found + 3 if found >= 0 else None
    opening = _OPENING.match(text, start)
    tag = _TAG_END.match(text, start)
    if tag is None:
        return None
    if opening is None or text[tag.end() - 2] == "/":
        return tag.end()
    name, lang = opening[1], _LANG.search(text, start, tag.end())
    if name.lower() == "template" and (lang is None or lang[1].lower() == "html"):
        return _template_end(text, tag.end())
    ending = re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE).search(text, tag.end())
    return ending.end() if ending else None


def _template_end(text: str, place: int) -> int | None:
    """Where a template ends whose content begins here, others nested in it."""
    depth = 1
    while depth:
        found = _NESTED.search(text, place)
        if found is None:
            return None
        if found[0] in ("<!--", "{{"):
            closing = "-->" if found[0] == "<!--" else "}}"
            place = text.find(closing, found.end()) + len(closing)
            if place < found.end():
                return None
            continue
        tag = _TAG_END.match(text, found.start())
        if tag is None:
            return None
        place = tag.end()
        if found[1]:
            depth -= 1
        elif text[place - 2] != "/":
            depth += 1
    return place
