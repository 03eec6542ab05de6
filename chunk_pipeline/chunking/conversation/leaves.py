"""The scalars of a tree, in the order of the source."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_pipeline.chunking.json.tree import Node


def leaves(root: Node) -> Iterator[Node]:
    """Every node that is neither object nor array. As ``Node.leaves``, without the pointers."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_container:
            stack.extend(reversed(node.children))
        else:
            yield node


def members(node: Node) -> dict[str, Node]:
    """An object's members by name; the last of several of one name, as in ``json.loads``."""
    return {child.key or "": child for child in node.children} if node.kind == "object" else {}
