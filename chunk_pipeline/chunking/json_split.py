"""RecursiveJsonSplitter's way of cutting, on nodes: linear in the document, with spans, losing nothing.

langchain-text-splitters dumps the growing chunk again for every value and works on Python objects: it is
quadratic, has no offsets and drops duplicate keys. This gives the same chunks (a property test holds it to
that on documents without duplicate keys) and keeps duplicates and digits. What does not belong here: which
part of a document is cut in this way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Span
from chunk_pipeline.chunking.json_render import INLINE_OBJECTS, key_text, merge_spans, render
from chunk_pipeline.chunking.json_tree import Node, pointer_to

_BRACES = len("{}")
_COLON = len(": ")
_COMMA = len(", ")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document, dumped on one line with its enclosing names.

    Attributes:
        body: JSON object; arrays have become objects with their indices as names.
        spans: Names and values that it holds.
        unit: JSON Pointer of the deepest value that holds all of it.
    """

    body: str
    spans: tuple[Span, ...]
    unit: str


def split_members(
    members: Iterable[tuple[str, Node]], text: str, maximum: int, minimum: int | None = None
) -> Iterator[Piece]:
    """Cut an object with these members as ``RecursiveJsonSplitter.split_json(convert_lists=True)`` does.

    Sizes are characters of the ASCII dump, the measure of langchain-text-splitters 1.1.3; a value larger than
    ``maximum`` is not cut.

    Args:
        members: (Name, node) of the members of the document's root, in order.
        text: The document.
        maximum: Size that a piece stays below, where its values allow.
        minimum: Size from which a piece may be closed; by default ``max(maximum - 200, 50)``.

    Yields:
        Pieces in document order; every member is in exactly one, as a whole or in parts.
    """
    if minimum is None:
        minimum = max(maximum - 200, 50)
    members = list(members)
    sizes = dump_sizes([node for _, node in members], text)
    root = _Frame("", None, iter(members))
    frame: _Frame | None = root
    piece = _Writer(text, root)
    while frame is not None:
        name, node = next(frame.rest, (None, None))
        if node is None or name is None:
            piece.close(frame)
            frame = frame.parent
            continue
        size = sizes[id(node)]
        if _BRACES + string_size(name) + _COLON + size >= maximum - piece.size:
            if piece.size >= minimum:
                yield piece.finish()
                piece = _Writer(text, root)
            if node.children:
                frame = _Frame(name, frame, node.named_children(), node)
                continue
        piece.add(frame, name, node, size)
    if piece.size > _BRACES:
        yield piece.finish()


def dump_sizes(nodes: Iterable[Node], text: str) -> dict[int, int]:
    """Length of ``json.dumps`` of these nodes and all below, arrays as objects, by the node's ``id``."""
    order = list(nodes)
    for node in order:
        order.extend(node.children)
    sizes: dict[int, int] = {}
    for node in reversed(order):
        if node.is_container:
            total = _BRACES + max(0, len(node.children) - 1) * _COMMA
            for name, child in node.named_children():
                total += string_size(name) + _COLON + sizes[id(child)]
            sizes[id(node)] = total
        else:
            sizes[id(node)] = _scalar_size(node, text)
    return sizes


def string_size(value: str) -> int:
    """Length of the string's ASCII dump."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return len(value) + 2
    return len(json.dumps(value))


def _scalar_size(node: Node, text: str) -> int:
    literal = text[node.start : node.end]
    if node.kind == "string":
        if "\\" not in literal and literal.isascii() and literal.isprintable():
            return len(literal)
        return len(json.dumps(json.loads(literal)))
    return len(literal) if node.kind == "literal" else len(json.dumps(json.loads(literal)))


class _Frame:
    """A container whose members are being dealt out to pieces."""

    __slots__ = ("count", "depth", "name", "node", "parent", "piece", "pointer", "rest")

    def __init__(
        self, name: str, parent: _Frame | None, rest: Iterator[tuple[str, Node]], node: Node | None = None
    ) -> None:
        self.name = name
        self.parent = parent
        self.rest = rest
        self.node = node
        self.depth: int = parent.depth + 1 if parent else 0
        self.pointer: str = pointer_to(parent.pointer, name) if parent else ""
        self.piece: _Writer | None = None
        """The piece in which this container was opened last."""
        self.count = 0
        """Members that it has in that piece."""


class _Writer:
    """A piece that grows: its text, its size in LangChain's measure, its spans."""

    __slots__ = ("_first", "_last", "_only", "_open", "_parts", "_spans", "_text", "size")

    def __init__(self, text: str, root: _Frame) -> None:
        self._text = text
        self._parts = ["{"]
        self._spans: list[tuple[int, int]] = []
        self._open = 0
        self._only: str | None = None
        self._first: _Frame | None = None
        self._last = root
        self.size = _BRACES
        root.piece, root.count = self, 0

    def add(self, frame: _Frame, name: str, node: Node, size: int) -> None:
        """Put a whole member in, opening the containers around it that the piece does not have yet."""
        missing: list[_Frame] = []
        above = frame
        while above.piece is not self and above.parent is not None:
            missing.append(above)
            above = above.parent
        for each in reversed(missing):
            self._begin(each)
        self._label(frame, name, node)
        self._parts.append(render(node, self._text, INLINE_OBJECTS))
        span = node.member_span()
        self._spans.append((span.start, span.end))
        self.size += size
        self._only = pointer_to(frame.pointer, name) if self._first is None else None
        self._first, self._last = self._first or frame, frame

    def close(self, frame: _Frame) -> None:
        """All members of the container have been dealt out."""
        if frame.piece is self and frame.parent is not None:
            self._parts.append("}")
            self._open -= 1

    def finish(self) -> Piece:
        """The piece as it stands."""
        body = "".join(self._parts) + "}" * (self._open + 1)
        unit = self._common().pointer if self._only is None else self._only
        return Piece(body, merge_spans(self._text, self._spans), unit)

    def _begin(self, frame: _Frame) -> None:
        if frame.parent is None or frame.node is None:
            raise ValueError("the root of a piece is open from the start")
        self._label(frame.parent, frame.name, frame.node)
        self._parts.append("{")
        self._open += 1
        self.size += _BRACES
        if frame.node.key_start >= 0:
            self._spans.append((frame.node.key_start, frame.node.key_end))
        frame.piece, frame.count = self, 0

    def _label(self, frame: _Frame, name: str, node: Node) -> None:
        label = f'"{name}"' if node.key is None else key_text(node, self._text)
        self._parts.append(f", {label}: " if frame.count else f"{label}: ")
        self.size += string_size(name) + _COLON + (_COMMA if frame.count else 0)
        frame.count += 1

    def _common(self) -> _Frame:
        """The deepest container of the first and the last member, hence of all between them."""
        left, right = self._first or self._last, self._last
        while left is not right:
            if left.depth >= right.depth and left.parent is not None:
                left = left.parent
            elif right.parent is not None:
                right = right.parent
        return left
