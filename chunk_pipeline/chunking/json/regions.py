"""A JSON value as regions: what encloses each of its members, written as names and brackets.

A piece from inside ``{"a": {"b": [...]}}`` is opened with ``{"a":{"b":[`` and closed with ``]}}``. Where all
that would leave too little of the limit to the piece itself, the innermost part of it is kept. What does not
belong here: which pieces are made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from chunk_pipeline.chunking.json.tree import Node
from chunk_pipeline.chunking.region_atoms import Region, trim_characters

WRAPPER = 0.5
"""Share of the limit that the enclosing names and brackets of a piece may take."""

REOPENED = 0.25
"""Share of it that they are brought down to where they would take more."""

_BETWEEN = " \t\r\n,"
_OPENED = re.compile(r"[\s\[{]*+")


class Context(NamedTuple):
    """What is open inside a container.

    Attributes:
        outer: The container around it; ``None`` for a document.
        name: How it is called there: the name as written with a colon, or nothing.
        brackets: Its own pair.
        opening: Names and brackets that open it, of all containers around it or of the innermost.
        closing: The brackets that close that.
    """

    outer: Context | None
    name: str
    brackets: tuple[str, str]
    opening: str
    closing: str

    @property
    def size(self) -> int:
        """Characters of opening and closing."""
        return len(self.opening) + len(self.closing)

    def innermost(self, budget: int) -> Context:
        """With no more of the containers around it than fit; always with its own brackets."""
        opening, closing = self.brackets
        level = self
        while level.outer is not None:
            around = level.outer.brackets
            if len(opening) + len(level.name) + len(closing) + len(around) > budget:
                break
            opening, closing = around[0] + level.name + opening, closing + around[1]
            level = level.outer
        return self._replace(opening=opening, closing=closing)


class JsonRegions:
    """Makes the regions of a document.

    Args:
        text: The document.
        limit: Characters that a piece has at most.
    """

    def __init__(self, text: str, limit: int) -> None:
        self._text = text
        self._limit = limit

    def document(self, root: Node) -> Region:
        """A whole JSON text, for the cutter's root or one that stands alone."""
        return Region(root.start, root.end, partial(self._value, root), alone=True)

    def _value(self, root: Node) -> list[Region]:
        if not root.children:
            return [Region(root.start, root.end)]
        brackets = _brackets(root)
        return [self._divisible(root, root.start, Context(None, "", brackets, brackets[0], brackets[1]))]

    def _parts(self, node: Node, context: Context) -> list[Region]:
        """The members or items of a container."""
        parts = []
        room = self._limit - context.size
        for child in node.children:
            start = child.start if child.key_start < 0 else child.key_start
            if child.end - start <= room:
                parts.append(Region(start, child.end))
            elif child.children:
                parts += self._container(child, start, context)
            else:
                parts.append(self._scalar(start, child.end, context))
        return parts

    def _scalar(self, start: int, end: int, context: Context) -> Region:
        """A member that does not fit into all that encloses it; with less of that it may."""
        least = end - start + len(context.brackets)
        if least > self._limit:
            return Region(start, end)
        return _alone(start, end, context.innermost(self._limit - (end - start)))

    def _container(self, node: Node, start: int, context: Context) -> Sequence[Region]:
        """A member to be taken apart, which may have to leave out what encloses it."""
        name = self._text[node.key_start : node.key_end] + ":" if node.key_start >= 0 else ""
        allowed = self._limit * WRAPPER - len(name) - len(_brackets(node))
        if context.size <= allowed:
            return [self._divisible(node, start, _inside(node, name, context))]
        context = context.innermost(int(self._limit * REOPENED))
        if context.size <= allowed:
            region = self._divisible(node, start, _inside(node, name, context))
            return [_alone(start, node.end, context, region)]
        return self._unnamed(node, start, name, context)

    def _unnamed(self, node: Node, start: int, name: str, context: Context) -> Sequence[Region]:
        """A container whose name is too long to be written more than once: the name, then what it names."""
        first, last = node.children[0], node.children[-1]
        opening, closing = brackets = _brackets(node)
        around = context.innermost(self._limit - len(name) - len(brackets))
        head = _alone(start, node.start + 1, around._replace(closing=closing + around.closing))
        inside = Context(context, name, brackets, opening, closing)
        begin = first.start if first.key_start < 0 else first.key_start
        content = Region(begin, last.end, partial(self._parts, node, inside), opening, closing, alone=True)
        return head, content

    def _divisible(self, node: Node, start: int, context: Context) -> Region:
        return Region(start, node.end, partial(self._parts, node, context), context.opening, context.closing)


def trim_between(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the white space and commas at both ends; nothing of brackets only closed or only opened."""
    start, end = trim_characters(text, start, end, _BETWEEN)
    if start < end and text[start] in "[]{}":
        opened = _OPENED.match(text, start, end)
        if text[start] in "]}" or (opened is not None and opened.end() == end):
            return start, start
    return start, end


def _inside(node: Node, name: str, context: Context) -> Context:
    brackets = _brackets(node)
    return Context(
        context, name, brackets, context.opening + name + brackets[0], brackets[1] + context.closing
    )


def _brackets(node: Node) -> tuple[str, str]:
    return ("{", "}") if node.kind == "object" else ("[", "]")


def _alone(start: int, end: int, context: Context, *parts: Region) -> Region:
    return Region(start, end, lambda: parts, context.opening, context.closing, alone=True)
