"""Every member below a value as one-line text, with the size that RecursiveJsonSplitter would measure.

Splitting asks for the size of each member and then for its text; both are made in one pass from the leaves
up. Text is kept only where a piece could take the member whole, so nothing is copied more often than a piece
is deep. What does not belong here: which member goes into which piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from chunk_pipeline.chunking.json.render import INLINE_OBJECTS, key_text, render
from chunk_pipeline.chunking.json.tree import Node

COLON = len(": ")
COMMA = len(", ")
BRACES = len("{}")

Member = tuple[str | None, int]
"""``"name": value`` (``None`` where it is too long to be kept) and the length of its ASCII dump."""


def members_below(top: Iterable[tuple[str, Node]], text: str, longest: int) -> dict[int, Member]:
    """The members of these names and all below them, arrays as objects, by the node's ``id``.

    Args:
        top: (Name, node) of the outermost members.
        text: The document.
        longest: Size from which a container's text is not kept.
    """
    order = [(label_of(name, node, text), node) for name, node in top]
    for _, node in order:
        if node.kind == "object":
            order += [(key_text(child, text), child) for child in node.children]
        elif node.children:
            order += [(f'"{index}"', child) for index, child in enumerate(node.children)]
    members: dict[int, Member] = {}
    for label, node in reversed(order):
        value: str | None
        if node.children:
            value, size = _container([members[id(child)] for child in node.children], longest)
        else:
            value = render(node, text, INLINE_OBJECTS)
            size = _scalar_size(value) if node.kind == "number" else literal_size(value)
        members[id(node)] = (
            None if value is None else f"{label}: {value}",
            literal_size(label) + COLON + size,
        )
    return members


def label_of(name: str, node: Node, text: str) -> str:
    """A member's name, or an item's index, as a JSON string."""
    return key_text(node, text) if node.key_start >= 0 else f'"{name}"'


def literal_size(literal: str) -> int:
    """Length of the ASCII dump of a value that ``json.dumps(..., ensure_ascii=False)`` writes like this."""
    if literal.isascii() and "\x7f" not in literal:
        return len(literal)
    return len(json.dumps(json.loads(literal)))


def _container(members: list[Member], longest: int) -> tuple[str | None, int]:
    size = BRACES + COMMA * (len(members) - 1) + sum([size for _, size in members])
    if size >= longest:
        return None, size
    return "{" + ", ".join([member for member, _ in members if member is not None]) + "}", size


def _scalar_size(number: str) -> int:
    # Other than whole numbers are written by LangChain as Python writes a float.
    return len(number) if number.isdigit() else len(json.dumps(json.loads(number)))
