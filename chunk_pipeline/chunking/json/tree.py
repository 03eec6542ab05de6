"""JSON read into nodes that know where they stand in the source.

A chunk needs offsets, duplicate keys and numbers as written, and no reader in use keeps all three. orjson
says whether a text is JSON (RFC 8259) and why not; a text that it accepts needs no checks here. Nothing
recurses, so depth costs memory and not stack. What does not belong here: how a tree is cut into chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import orjson

from chunk_pipeline.chunking.chunk import Span, UnparsableError

_STRING = r'("[^"\\]*+(?:\\.[^"\\]*+)*+")'
_TOKEN = re.compile(rf'[\s,]*+(?:{_STRING}\s*+:\s*+)?+(?:{_STRING}|([\[{{])|([^\s,:\[\]{{}}"]++)|([\]}}]))')
"""A member's name and a string, an opening bracket or another scalar; or a closing bracket.

In a valid document only white space and commas lie between these; matching them is faster than searching.
"""
_NAME, _TEXT, _OPENING, _SCALAR, _CLOSING = 1, 2, 3, 4, 5
_INTEGER = re.compile(r"-?\d+")
_EXPONENT = re.compile(r"[eE][+-]?0*(\d+)$")
_DECIMAL_EXPONENT_DIGITS = 17
"""Exponents of this many digits are within what ``decimal`` holds exactly."""


class Node:
    """A JSON value with its place in the source; offsets are characters.

    Attributes:
        kind: ``object``, ``array``, ``string``, ``number`` or ``literal`` (true, false, null).
        start: First character of the value.
        end: Character after its last.
        key: Decoded member name; ``None`` for the root and for array items.
        key_start: The opening quote of the member name; -1 where there is none.
        key_end: Character after its closing quote; -1 where there is none.
        children: Members or items in source order; duplicate keys are separate members.
    """

    __slots__ = ("children", "end", "key", "key_end", "key_start", "kind", "start")

    def __init__(
        self, kind: str, start: int, end: int, key: str | None = None, key_start: int = -1, key_end: int = -1
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.key = key
        self.key_start = key_start
        self.key_end = key_end
        # Most nodes are leaves: one shared tuple keeps the garbage collector from visiting as many lists.
        self.children: Sequence[Node] = ()

    def __repr__(self) -> str:
        return f"Node({self.kind}, {self.start}, {self.end}, key={self.key!r}, {len(self.children)} children)"

    @property
    def is_container(self) -> bool:
        """Whether it is an object or an array."""
        return self.kind in ("object", "array")

    def member_span(self) -> Span:
        """From the member's name, where there is one, to the end of its value."""
        return Span(self.start if self.key_start < 0 else self.key_start, self.end)

    def named_children(self) -> Iterator[tuple[str, Node]]:
        """Children with their JSON Pointer token, unescaped: the member name, or the index of an item."""
        for index, child in enumerate(self.children):
            yield (str(index) if child.key is None else child.key), child

    def leaves(self) -> Iterator[tuple[str, Node]]:
        """(JSON Pointer, node) of every value that is neither object nor array, in source order."""
        stack = [("", self)]
        while stack:
            pointer, node = stack.pop()
            if not node.is_container:
                yield pointer, node
                continue
            below = [(pointer_to(pointer, name), child) for name, child in node.named_children()]
            stack.extend(reversed(below))

    def value(self, text: str) -> Any:
        """The value in Python's terms; numbers are exact: int, or Decimal for a fraction or an exponent.

        The last of several members of one name wins, as in ``json.loads``; ``children`` has them all.
        """
        order: list[Node] = [self]
        for node in order:
            order.extend(node.children)
        values: dict[int, Any] = {}
        for node in reversed(order):
            values[id(node)] = _value(node, text, values)
        return values[id(self)]


def parse_json(text: str) -> Node:
    """Parse a JSON text (RFC 8259).

    Raises:
        UnparsableError: It is not JSON, nests deeper than 1,024, holds a lone surrogate, or a number that no
            reader keeps (``1e999``); the message has the line, the column and the reason.
    """
    validate_json(text)
    items: list[Node] = []
    stack: list[tuple[Node, list[Node]]] = []
    siblings = items
    # White space after the document is not a token: searched for one, it would take quadratic time.
    for match in _TOKEN.finditer(text, 0, len(text.rstrip())):
        token = match.lastindex or 0
        start, end = match.span(token)
        if token == _CLOSING:
            node, siblings = stack.pop()
            node.end = end
            continue
        key_start, key_end = match.span(_NAME)
        key = None
        if key_start >= 0:
            key = text[key_start + 1 : key_end - 1]
            if "\\" in key:
                key = _decode(text[key_start:key_end])
        kind = "string" if token == _TEXT else _KINDS.get(text[start], "number")
        node = Node(kind, start, end, key, key_start, key_end)
        siblings.append(node)
        if token == _OPENING:
            stack.append((node, siblings))
            node.children = siblings = []
        elif kind == "number" and end - start > _DECIMAL_EXPONENT_DIGITS:
            _check_exponent(text, start, end)
    return items[0]


_KINDS = {"{": "object", "[": "array", "t": "literal", "f": "literal", "n": "literal"}


def validate_json(text: str) -> None:
    """Return quietly if the text is JSON.

    Raises:
        UnparsableError: As in :func:`parse_json`.
    """
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _unparsable(text, error.pos, error.msg) from None


def pointer_to(parent: str, token: str) -> str:
    """The JSON Pointer of a member or item under ``parent`` (RFC 6901, section 3)."""
    return f"{parent}/{escape_token(token)}"


def escape_token(token: str) -> str:
    """A member name as a token of a JSON Pointer: ``~`` becomes ``~0`` and ``/`` becomes ``~1``."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape_token(token: str) -> str:
    """The member name that a token of a JSON Pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def join_pointer(tokens: Iterable[str]) -> str:
    """The JSON Pointer through these member names; empty for the whole document."""
    return "".join(pointer_to("", token) for token in tokens)


def split_pointer(pointer: str) -> tuple[str, ...]:
    """The member names that a JSON Pointer goes through.

    Raises:
        ValueError: It is neither empty nor starts with ``/``.
    """
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"not a JSON Pointer (RFC 6901): {pointer!r}; it must be empty or start with '/'")
    return tuple(unescape_token(token) for token in pointer.split("/")[1:])


def number_value(literal: str) -> int | Decimal:
    """A JSON number, exactly."""
    return int(literal) if _INTEGER.fullmatch(literal) else Decimal(literal)


def _decode(literal: str) -> str:
    return str(orjson.loads(literal)) if "\\" in literal else literal[1:-1]


def _value(node: Node, text: str, values: dict[int, Any]) -> Any:
    """The value of a node whose children's values are known."""
    if node.kind == "object":
        return {child.key: values[id(child)] for child in node.children}
    if node.kind == "array":
        return [values[id(child)] for child in node.children]
    literal = text[node.start : node.end]
    if node.kind == "string":
        return _decode(literal)
    return number_value(literal) if node.kind == "number" else orjson.loads(literal)


def _check_exponent(text: str, start: int, end: int) -> None:
    exponent = _EXPONENT.search(text[start:end])
    if exponent and len(exponent[1]) > _DECIMAL_EXPONENT_DIGITS:
        raise _unparsable(text, start, "exponent of a number out of range")


def _unparsable(text: str, position: int, reason: str) -> UnparsableError:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    hint = "too deep: " if "depth limit" in reason else ""
    return UnparsableError(f"not JSON (RFC 8259): line {line}, column {column}: {hint}{reason}")
