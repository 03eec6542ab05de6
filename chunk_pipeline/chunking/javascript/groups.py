"""Parts of a row of statements, members or elements, each with its comments and decorators.

Comments above belong to what follows, a comment behind on the same line to what precedes. What does not
belong here: taking parts apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from chunk_pipeline.chunking.javascript.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment", "html_comment"})
"""Node types of comments."""

_AHEAD = COMMENTS | {"decorator"}


TRAILING = 200
"""Bytes that a comment has at most to belong to what it stands behind."""


class Group(NamedTuple):
    """A part of a row.

    Attributes:
        start: Its first character, comments and decorators included.
        end: Character after its last.
        node: The part itself; none where only comments are left.
        comments: The comments and decorators ahead of it.
        comment_size: Bytes of these.
    """

    start: int
    end: int
    node: Node | None
    comments: Sequence[Node] = ()
    comment_size: int = 0


_tuple = tuple.__new__
"""Makes groups, of which there are many, in half the time that ``Group(…)`` takes."""


def groups_of(children: Iterable[Node], source: Source) -> list[Group]:
    """Group the children of a node; tokens between them (commas, brackets) are in no group."""
    place = source.place
    groups: list[Group] = []
    group: tuple[int, int, Node, Sequence[Node], int]
    ahead: list[Node] = []
    before: Node | None = None
    for child in children:
        if not child.is_named:
            before = child
        elif child.type in _AHEAD:
            if ahead or not _trails(child, before):
                ahead.append(child)
            else:
                before = child
        else:
            begin, end = child.start_byte, place(child.end_byte)
            if ahead:
                first = ahead[0].start_byte
                group = (place(first), end, child, ahead, begin - first)
                ahead = []
            else:
                group = (place(begin), end, child, (), 0)
            groups.append(_tuple(Group, group))
            before = child
    if ahead:
        start, end = place(ahead[0].start_byte), place(ahead[-1].end_byte)
        groups.append(Group(start, end, None, ahead, end - start))
    return groups


def _trails(comment: Node, before: Node | None) -> bool:
    """Whether a comment stands on the line that the node before it ends on."""
    if before is None or comment.end_byte - comment.start_byte > TRAILING:
        return False
    return comment.start_point[0] == before.end_point[0]
