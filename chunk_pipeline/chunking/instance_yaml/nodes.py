"""The nodes of a YAML file: values as they are written, and where they stand.

No value is resolved: ``NO`` is two letters and ``01234`` five digits, since YAML 1.1 would read a country as
false and a number as another one. What does not belong here: making nodes (``compose``) and what they mean
(``slots``).
"""

from __future__ import annotations

from typing import NamedTuple

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Scalar(NamedTuple):
    """A value that holds no other.

    Attributes:
        start: Its first character in the file, anchor and tag included; likewise of the other nodes.
        end: The character after its last.
        line: Line of the file that it begins in, from 1.
        value: Its text, with quotes, folds and escapes read.
        plain: Whether it stands without quotes and is no block.
    """

    start: int
    end: int
    line: int
    value: str
    plain: bool

    @property
    def is_null(self) -> bool:
        """Whether it says that there is no value."""
        return self.plain and self.value in _NULLS


class Entry(NamedTuple):
    """A key of a mapping with its value."""

    key: Node
    value: Node


class Mapping(NamedTuple):
    """Keys and values, in the order of the file; a key may stand twice.

    Attributes:
        flow: Whether it is written in braces.
    """

    start: int
    end: int
    line: int
    entries: tuple[Entry, ...]
    flow: bool


class Sequence(NamedTuple):
    """A list.

    Attributes:
        flow: Whether it is written in brackets.
    """

    start: int
    end: int
    line: int
    items: tuple[Node, ...]
    flow: bool


class Alias(NamedTuple):
    """A reference to a node that stands ahead of it.

    Attributes:
        name: Of the anchor.
        target: The node with the anchor.
    """

    start: int
    end: int
    line: int
    name: str
    target: Scalar | Mapping | Sequence


Node = Scalar | Mapping | Sequence | Alias
"""Any node."""


def resolved(node: Node) -> Scalar | Mapping | Sequence:
    """The node itself, or what it refers to."""
    return node.target if isinstance(node, Alias) else node


def key_text(entry: Entry) -> str:
    """The key as text; empty where it is a list or a mapping."""
    key = resolved(entry.key)
    return key.value if isinstance(key, Scalar) else ""


def repeated_keys(node: Node) -> tuple[tuple[str, int], ...]:
    """Keys that stand twice in one mapping anywhere inside the node, each with the line of its repetition.

    Readers of YAML disagree on which of the two counts; here the first does.
    """
    found: list[tuple[str, int]] = []
    waiting: list[Node] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Sequence):
            waiting.extend(each.items)
        elif isinstance(each, Mapping):
            found.extend(_repeated(each))
            waiting.extend(part for entry in each.entries for part in entry)
    return tuple(sorted(found, key=lambda pair: (pair[1], pair[0])))


def _repeated(mapping: Mapping) -> list[tuple[str, int]]:
    seen: set[str] = set()
    found: list[tuple[str, int]] = []
    for entry in mapping.entries:
        key = key_text(entry)
        # Several merges in one mapping say nothing against each other.
        if key and key != "<<" and key in seen:
            found.append((key, entry.key.line))
        seen.add(key)
    return found
