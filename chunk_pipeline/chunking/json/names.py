"""Names that stand twice in one object: RFC 8259 allows them, and readers disagree on which one counts.

The strategies keep both in the text. What does not belong here: what is done about it (a check warns).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.json.tree import Node, pointer_to


class Repetition(NamedTuple):
    r"""A member whose name stands ahead of it in the same object.

    Attributes:
        pointer: JSON Pointer of the object and the name.
        name: The name, decoded: ``"a"`` and ``"\u0061"`` are one.
        start: Its opening quote in the source.
    """

    pointer: str
    name: str
    start: int


def repeated_names(root: Node) -> Iterator[Repetition]:
    """The second and each further member of a name, objects ahead of those inside them."""
    level = [("", root)]
    for pointer, node in level:
        if node.kind == "object" and len({child.key for child in node.children}) < len(node.children):
            yield from _repeated(pointer, node)
        below = (each for each in node.named_children() if each[1].children)
        level += [(pointer_to(pointer, name), child) for name, child in below]


def _repeated(pointer: str, node: Node) -> Iterator[Repetition]:
    seen: set[str] = set()
    for child in node.children:
        name = child.key or ""
        if name in seen:
            yield Repetition(pointer_to(pointer, name), name, child.key_start)
        seen.add(name)
