"""What grammars nest and readers see as a row: ``a.b(c).d(e)``, ``a + b + c``, ``if … else if … else``.

What does not belong here: what is written around the links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

_ACCESS = frozenset({"call_expression", "member_expression", "subscript_expression", "non_null_expression"})
_OPERATORS = frozenset({"binary_expression", "union_type", "intersection_type"})

CHAINS = _ACCESS | _OPERATORS
"""Node types that may be a chain."""


class Link(NamedTuple):
    """A link of a chain.

    Attributes:
        start: Its first byte, or white space ahead of it.
        node: What may be large in it: arguments, an index, an operand.
        holder: The node of the syntax tree that has ``node`` as its child; at the chain's head, ``node``.
    """

    start: int
    node: Node
    holder: Node


def links_of(node: Node) -> list[Link]:
    """The links of a chain, from left to right; at least one."""
    links: list[Link] = []
    family = _ACCESS if node.type in _ACCESS else frozenset({node.type})
    while node.type in family:
        left, right = _sides(node)
        if left is None:
            # A union that begins with its operator.
            return [Link(node.start_byte, right or node.children[0], node), *reversed(links)]
        if right is not None:
            links.append(Link(left.end_byte, right, node))
        node = left
    return [Link(node.start_byte, node, node), *reversed(links)]


def _sides(node: Node) -> tuple[Node | None, Node | None]:
    """The node that the chain goes on in, to the left, and what may be large to the right of it."""
    match node.type:
        case "call_expression":
            return node.child_by_field_name("function"), node.child_by_field_name("arguments")
        case "member_expression":
            return node.child_by_field_name("object"), None
        case "subscript_expression":
            return node.child_by_field_name("object"), node.child_by_field_name("index")
        case "non_null_expression":
            return node.children[0], None
        case "binary_expression":
            return node.child_by_field_name("left"), node.child_by_field_name("right")
    named = node.named_children
    return (named[0], named[-1]) if len(named) > 1 else (None, named[-1] if named else None)


class Branch(NamedTuple):
    """An alternative.

    Attributes:
        start: Its first byte: that of ``else`` or a colon, but for the first.
        holder: The node that it is of.
        first: Its first child there that is not the word or token ahead.
        last: The child after its last.
    """

    start: int
    holder: Node
    first: int
    last: int


def branches_of(node: Node) -> list[Branch]:
    """The alternatives of an ``if``, a ternary or a conditional type, or the sides of an assignment.

    Those of its last one, if that is another of the kind, are among them.
    """
    branches: list[Branch] = []
    kind, start = node.type, node.start_byte
    while True:
        children = node.children
        other = node.child_by_field_name("right" if kind == "assignment_expression" else "alternative")
        if other is None:
            return [*branches, Branch(start, node, 0, len(children))]
        inner, cut = other, children.index(other)
        if kind == "if_statement":
            inner = other.named_children[-1]
        elif kind != "assignment_expression":
            cut = next(place for place, each in enumerate(children) if each.type == ":")
        branches.append(Branch(start, node, 0, cut))
        start = children[cut].start_byte
        if inner.type != kind:
            return [*branches, Branch(start, node, cut, len(children))]
        node = inner
