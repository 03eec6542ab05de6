"""Which mappings of a YAML file are entities, and which characters are theirs.

What does not belong here: what their slots mean (``slots``), and how a large one is cut (``pieces``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as SequenceType
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.instance_yaml.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    key_text,
    resolved,
)
from chunk_pipeline.chunking.instance_yaml.slots import Slots
from chunk_pipeline.chunking.json.tree import join_pointer

CONTAINERS = frozenset({"instances", "custodians", "entities", "graph", "heritage custodians"})
"""Keys, folded, that hold a list of entities, whatever stands beside them."""

PLAIN_CONTAINERS = frozenset(
    ["institutions", "organisations", "organizations", "items", "records", "data", "members"]
)
"""Keys that do so in a mapping that has no label: an entity may have records of its own."""

_SCHEMA_KEYS = frozenset({"classes", "slots", "enums", "types"})
_SCHEMA_SIGNS = frozenset({"prefixes", "imports", "default_prefix", "default_range"})
_REST_OF_LINE = re.compile(r"[ \t]+#[^\r\n]*")
_COMMENTS_BEHIND = re.compile(r"(?:\s*\n[ \t]*#[^\r\n]*)+")


class Entity(NamedTuple):
    """An instance.

    Attributes:
        node: Its slots.
        start: Its first character.
        end: The character after its last.
        document: YAML document that it stands in, from 0.
        pointer: JSON Pointer (RFC 6901) to it in that document.
        key: Its key, where the entities are the values of a mapping.
        held: The node that stands at its place: its slots, or an alias of them.
    """

    node: Mapping
    start: int
    end: int
    document: int
    pointer: str
    key: str
    held: Node


def entities(text: str, roots: SequenceType[Node], name: str = "") -> list[Entity]:
    """The entities of a file, in its order.

    Args:
        text: The file.
        roots: The roots of its documents.
        name: What to call it in errors; a path.

    Raises:
        UnparsableError: It holds no mapping that is one, or it is a LinkML schema.
    """
    found: list[Entity] = []
    for place, root in enumerate(roots):
        node = resolved(root)
        if isinstance(node, Mapping) and is_schema(node):
            raise UnparsableError(
                f"{name or 'the file'} is a LinkML schema: it says what instances look like and is none; "
                "leave it out of the source"
            )
        found.extend(_of_document(text, root, place))
    if not found:
        what = "is empty" if not text.strip() else "holds no mapping that is an entity"
        raise UnparsableError(f"{name or 'the file'} {what}; an instance is a mapping, or a list of them")
    return found


def is_schema(node: Mapping) -> bool:
    """Whether a mapping is a LinkML schema."""
    keys = {key_text(entry) for entry in node.entries}
    return bool(keys & _SCHEMA_KEYS and keys & _SCHEMA_SIGNS)


def _of_document(text: str, root: Node, place: int) -> Iterator[Entity]:
    node = resolved(root)
    if isinstance(node, Sequence):
        yield from _items(text, node, place, ())
    elif isinstance(node, Mapping) and node.entries:
        containers = [entry for entry in node.entries if _is_container(node, entry)]
        for entry in containers:
            value = resolved(entry.value)
            if isinstance(value, Sequence):
                yield from _items(text, value, place, (key_text(entry),))
            elif isinstance(value, Mapping):
                yield from _members(text, value, place, key_text(entry))
        if not containers:
            start, end = _with_comments(text, node)
            yield Entity(node, start, end, place, "", "", root)


def _is_container(mapping: Mapping, entry: Entry) -> bool:
    value, key = resolved(entry.value), fold(key_text(entry))
    if isinstance(value, Sequence):
        held: tuple[Node, ...] = value.items
        known = key in CONTAINERS or len(mapping.entries) == 1
        known = known or (key in PLAIN_CONTAINERS and Slots(mapping).first("label") is None)
    elif isinstance(value, Mapping):
        held = tuple(each.value for each in value.entries)
        known = key in CONTAINERS
    else:
        return False
    return known and any(isinstance(resolved(each), Mapping) for each in held)


def _items(text: str, node: Sequence, place: int, path: tuple[str, ...]) -> Iterator[Entity]:
    for index, item in enumerate(node.items):
        value = resolved(item)
        if isinstance(value, Mapping) and value.entries:
            pointer = join_pointer((*path, str(index)))
            yield Entity(value, item.start, rest_of_line(text, item.end), place, pointer, "", item)


def _members(text: str, node: Mapping, place: int, container: str) -> Iterator[Entity]:
    for entry in node.entries:
        value = resolved(entry.value)
        if isinstance(value, Mapping) and value.entries:
            end = rest_of_line(text, entry.value.end)
            pointer = join_pointer((container, key_text(entry)))
            yield Entity(value, entry.key.start, end, place, pointer, key_text(entry), entry.value)


def rest_of_line(text: str, end: int) -> int:
    """Behind the comment that follows on the same line, if one does."""
    found = _REST_OF_LINE.match(text, end)
    return found.end() if found else end


def _with_comments(text: str, node: Mapping) -> tuple[int, int]:
    """The extent of a document's mapping with the comments above and below it."""
    line = text.rfind("\n", 0, node.start) + 1
    start = node.start
    while line and not text[line : node.start].partition("#")[0].strip():
        above = text.rfind("\n", 0, line - 1) + 1
        said = text[above:line].strip()
        if said and not said.startswith("#"):
            break
        line = above
        start = above + len(text[above:start]) - len(text[above:start].lstrip()) if said else start
    end = rest_of_line(text, node.end)
    below = _COMMENTS_BEHIND.match(text, end)
    return start, below.end() if below else end


def label_of(entity: Entity) -> str:
    """What an entity is called: its label, else its key or id; empty where it has none."""
    slots = Slots(entity.node)
    return slots.first("label") or entity.key or slots.first("id") or ""


def scalar_text(node: Node) -> str:
    """The text of a single value; empty for a list, a mapping or no value."""
    node = resolved(node)
    return node.value.strip() if isinstance(node, Scalar) and not node.is_null else ""
