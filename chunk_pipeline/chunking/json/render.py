"""JSON nodes written again as text, without recursion and without touching a number.

Digits and plain strings are sliced from the source; only strings with escapes are decoded and dumped, so
that text is written as ``json.dumps(..., ensure_ascii=False)`` writes it. Spans are merged here as well:
which characters may lie between two of them is a question of JSON's grammar. What does not belong here:
what a chunk holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Span
from chunk_pipeline.chunking.json.tree import Node

_STRUCTURE = re.compile(r"[\s\[\]{}:,]*")


@dataclass(frozen=True, slots=True)
class Style:
    """How containers are written.

    Attributes:
        indented: Two spaces a level as ``json.dumps(indent=2)``, else all on one line.
        lists_as_objects: Arrays become objects with their indices as names, as RecursiveJsonSplitter does.
    """

    indented: bool = False
    lists_as_objects: bool = False


INDENTED = Style(indented=True)
INLINE = Style()
INLINE_OBJECTS = Style(lists_as_objects=True)


def render(node: Node, text: str, style: Style, level: int = 0) -> str:
    """The value as JSON text; ``level`` is how deep it stands, for the indentation of its lines."""
    if not node.children:
        return _childless(node, text, style)
    parts: list[str] = []
    stack: list[str | tuple[Node, int]] = [(node, level)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
        elif item[0].children:
            stack.extend(reversed(_block(item[0], item[1], text, style)))
        else:
            parts.append(_childless(item[0], text, style))
    return "".join(parts)


def render_member(node: Node, text: str, style: Style, level: int = 0) -> str:
    """``"name": value`` of a member."""
    return f"{key_text(node, text)}: {render(node, text, style, level)}"


def indented_object(members: Iterable[str]) -> str:
    """An object of members rendered at level 1, indented by two spaces."""
    return "{\n  " + ",\n  ".join(members) + "\n}"


def key_text(node: Node, text: str) -> str:
    """The member's name as a JSON string."""
    return _string(text[node.key_start : node.key_end])


def merge_spans(text: str, spans: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Join ascending spans with only white space and structural characters between (RFC 8259, section 2)."""
    merged: list[Span] = []
    first = last = -1
    for start, end in spans:
        if first < 0:
            first, last = start, end
        elif start <= last or _gap_end(text, last) >= start:
            last = max(last, end)
        else:
            merged.append(Span(first, last))
            first, last = start, end
    if first >= 0:
        merged.append(Span(first, last))
    return tuple(merged)


def _gap_end(text: str, position: int) -> int:
    match = _STRUCTURE.match(text, position)
    return match.end() if match else position


def _block(node: Node, level: int, text: str, style: Style) -> list[str | tuple[Node, int]]:
    """A container with children as strings to write and child containers still to be written, in order."""
    as_list = node.kind == "array" and not style.lists_as_objects
    prefix, close = ("[", "]") if as_list else ("{", "}")
    between = ", "
    if style.indented:
        line = "\n" + "  " * (level + 1)
        prefix, between, close = prefix + line, "," + line, line[:-2] + close
    block: list[str | tuple[Node, int]] = []
    for index, child in enumerate(node.children):
        if child.key_start >= 0:
            prefix = f"{prefix}{_string(text[child.key_start : child.key_end])}: "
        elif not as_list:
            prefix = f'{prefix}"{index}": '
        if child.children:
            block += (prefix, (child, level + 1))
        else:
            block.append(prefix + _childless(child, text, style))
        prefix = between
    block.append(close)
    return block


def _childless(node: Node, text: str, style: Style) -> str:
    """A scalar or an empty container."""
    if node.kind == "string":
        return _string(text[node.start : node.end])
    if node.kind == "object" or (node.kind == "array" and style.lists_as_objects):
        return "{}"
    return "[]" if node.kind == "array" else text[node.start : node.end]


def _string(literal: str) -> str:
    # A valid literal without a backslash holds nothing that a dump would escape.
    return json.dumps(json.loads(literal), ensure_ascii=False) if "\\" in literal else literal
