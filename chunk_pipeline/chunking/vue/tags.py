"""Tags of a template: what elements are called, which go together, and attributes of a tag as regions.

What does not belong here: what is in an element.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.javascript.names import line
from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.regions import Region
from chunk_pipeline.chunking.vue.around import Around

if TYPE_CHECKING:
    from tree_sitter import Node

_LABEL = 40
"""Characters that the name of an element has at most."""

_VALUES = frozenset({"quoted_attribute_value", "attribute_value"})
_NAME = re.compile(r"[^\s/>]+")
_SLOT = re.compile(r"(?:#|v-slot:)([\w.-]+|\[[^\]]*\])")
_ALTERNATIVE = re.compile(r"v-else(?:-if)?(?![\w-])")


def name_of(node: Node, source: Source) -> str:
    """The name of an element's tag as written."""
    return _tag_name(node.children[0], source)


def label_of(node: Node, source: Source) -> str:
    """What a reader calls an element: ``div#app``, ``div.card``, ``template#header``."""
    name, rest = name_of(node, source), ""
    for each in node.children[0].children[2:]:
        text = source.of(each)
        if each.type == "directive_attribute":
            slot = _SLOT.match(text)
            rest = f"#{slot[1]}" if slot else rest
        elif each.type == "attribute":
            key, _, value = text.partition("=")
            words = value.strip("\"' \t\r\n").split()
            if words and key == "id":
                rest = f"#{words[0]}"
            elif words and key == "class" and not rest:
                rest = f".{words[0]}"
    return line(name + rest, _LABEL)


def takes_over(node: Node, source: Source) -> bool:
    """Whether an element is the alternative of the one ahead of it: ``v-else`` or ``v-else-if``."""
    attributes = node.children[0].children[2:]
    return any(
        each.type == "directive_attribute" and _ALTERNATIVE.match(source.of(each)) for each in attributes
    )


def tag_region(tag: Node, around: Around, source: Source, size: int, closed: bool) -> Region:
    """A start tag or a self-closing one, which can be cut between attributes.

    Args:
        tag: The tag.
        around: What is open around its element.
        source: The parse that it is from.
        size: Characters that a slice of a value has at most.
        closed: Whether the element is more than this tag, so that an end tag must close it.
    """
    name = _tag_name(tag, source)
    inside = around.into(f"<{name} ", f" ></{name}>" if closed else " />")
    named = tag.children[1].end_byte
    attributes = [each for each in tag.children[2:] if each.is_named and each.start_byte > named]
    place = source.place
    return inside.region(
        place(tag.start_byte),
        place(tag.end_byte),
        lambda: [_attribute(each, inside, source, size) for each in attributes],
    )


def _tag_name(tag: Node, source: Source) -> str:
    """The name, what is behind a dot included: to the grammar that is an attribute, or a part of one."""
    found = _NAME.match(source.text, source.place(tag.children[1].start_byte), source.place(tag.end_byte))
    return found[0] if found else source.of(tag.children[1])


def _attribute(node: Node, around: Around, source: Source, size: int) -> Region:
    start, end = source.place(node.start_byte), source.place(node.end_byte)
    value = next((each for each in node.children if each.type in _VALUES), None)
    if value is None:
        return Region(start, end)
    first, last = source.place(value.start_byte), source.place(value.end_byte)
    quote = source.text[first] if value.type == "quoted_attribute_value" else ""
    key = source.text[start:first]
    inside = around.into((key if len(key) <= _LABEL else "_=") + quote, quote)
    within = inside.sliced(source.text, first + len(quote), last - len(quote), size)
    return within._replace(start=start, end=end)
