"""What is open around a node of a script, and the parts that a node is taken apart into.

What does not belong here: grammar (``javascript.wrappers``) and how nodes are taken apart.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from chunk_pipeline.chunking.javascript.names import Name
from chunk_pipeline.chunking.javascript.wrappers import GUARD, GUARDED, Wrap
from chunk_pipeline.chunking.regions import Region

if TYPE_CHECKING:
    from tree_sitter import Node


class Open(NamedTuple):
    """What is open around a node.

    Attributes:
        opening: Written ahead of a piece that begins there.
        closing: Written behind one that ends there.
        expression: Whether an expression is expected, not a statement.
        scope: The declarations that it is in, outermost first.
    """

    opening: str = ""
    closing: str = ""
    expression: bool = False
    scope: tuple[Name, ...] = ()

    @property
    def size(self) -> int:
        """Characters that a piece spends on it."""
        return len(self.opening) + len(self.closing)

    def into(self, wrap: Wrap, kind: str = "", name: Name | None = None) -> Open:
        """What is open inside a part of a node of that kind, with that name if it has one."""
        opening = wrap.opening
        if kind in GUARDED and not self.expression and opening:
            opening = GUARD + opening
        if opening == GUARD and self.opening.endswith(GUARD):
            opening = ""
        expression = wrap.expression or (self.expression and not wrap.opening)
        scope = (*self.scope, name) if name and name not in self.scope[-1:] else self.scope
        return Open(self.opening + opening, wrap.closing + self.closing, expression, scope)

    def as_region(self, start: int, end: int, parts: Parts) -> Region:
        """The region at ``[start, end)`` of these parts, between which this is open."""
        opening, closing = self.opening, self.closing
        if not parts.literal:
            opening += "\n" if opening.endswith(("{", "(", "[")) else ""
            closing = f"\n{closing}" if closing else ""
        return Region(start, end, partial(list, parts.regions), opening, closing, self.label)

    @property
    def label(self) -> str:
        """The signatures of the declarations that it is in."""
        return " › ".join([each.signature for each in self.scope])


class Part(NamedTuple):
    """A node and what is open around it."""

    node: Node
    around: Open


class Parts(NamedTuple):
    """What a node is made of.

    Attributes:
        regions: Disjoint, in order.
        inside: What is open between them.
        literal: Whether they are text of one token, so that white space must not be added between them.
        kind: The type of the node, if they are rows in its brackets.
        outer: What is open around them together, if what stands ahead of them and behind may not be cut off
            as one of them from another.
        stand_in: Then, the shortest that may stand for them.
    """

    regions: list[Region]
    inside: Open
    literal: bool = False
    kind: str = ""
    outer: Open | None = None
    stand_in: str = ""
