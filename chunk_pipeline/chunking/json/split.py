"""RecursiveJsonSplitter's way of cutting, on nodes: linear in the document, with spans, losing nothing.

langchain-text-splitters dumps the growing chunk again for every value and works on Python objects: it is
quadratic, has no offsets and drops duplicate keys. This gives the same chunks (a property test holds it to
that on documents without duplicate keys) and keeps duplicates and digits. What does not belong here: which
part of a document is cut in this way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Span
from chunk_pipeline.chunking.json.members import (
    BRACES,
    COLON,
    COMMA,
    Member,
    label_of,
    literal_size,
    members_below,
)
from chunk_pipeline.chunking.json.render import INLINE_OBJECTS, merge_spans, render
from chunk_pipeline.chunking.json.tree import Node, pointer_to


class Piece(NamedTuple):
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
    top = list(members)
    below = members_below(top, text, maximum)
    root = _Frame("", None, iter(top))
    frame: _Frame | None = root
    piece = _Writer(text, root)
    while frame is not None:
        name, node = next(frame.rest, ("", None))
        if node is None:
            piece.close(frame)
            frame = frame.parent
            continue
        member = below[id(node)]
        if BRACES + member[1] >= maximum - piece.size:
            if piece.size >= minimum:
                yield piece.finish()
                piece = _Writer(text, root)
            if node.children:
                frame = _Frame(name, frame, node.named_children(), node)
                continue
        piece.add(frame, name, node, member)
    if piece.size > BRACES:
        yield piece.finish()


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

    __slots__ = ("_first", "_last", "_open", "_parts", "_spans", "_text", "size")

    def __init__(self, text: str, root: _Frame) -> None:
        self._text = text
        self._parts = ["{"]
        self._spans: list[tuple[int, int]] = []
        self._open = 0
        self._first: tuple[_Frame, str] | None = None
        self._last: tuple[_Frame, str] = (root, "")
        self.size = BRACES
        root.piece, root.count = self, 0

    def add(self, frame: _Frame, name: str, node: Node, member: Member) -> None:
        """Put a whole member in, opening the containers around it that the piece does not have yet."""
        if frame.piece is not self:
            self._open_down_to(frame)
        written, size = member
        if written is None:
            written = f"{label_of(name, node, self._text)}: {render(node, self._text, INLINE_OBJECTS)}"
        self._append(frame, written, size)
        self._spans.append((node.start if node.key_start < 0 else node.key_start, node.end))
        self._last = (frame, name)
        self._first = self._first or self._last

    def close(self, frame: _Frame) -> None:
        """All members of the container have been dealt out."""
        if frame.piece is self and frame.parent is not None:
            self._parts.append("}")
            self._open -= 1

    def finish(self) -> Piece:
        """The piece as it stands."""
        body = "".join(self._parts) + "}" * (self._open + 1)
        return Piece(body, merge_spans(self._text, self._spans), self._unit())

    def _open_down_to(self, frame: _Frame) -> None:
        missing: list[_Frame] = []
        above = frame
        while above.piece is not self and above.parent is not None:
            missing.append(above)
            above = above.parent
        for each in reversed(missing):
            if each.parent is None or each.node is None:
                raise ValueError("the root of a piece is open from the start")
            label = label_of(each.name, each.node, self._text)
            self._append(each.parent, f"{label}: {{", literal_size(label) + COLON + BRACES)
            self._open += 1
            if each.node.key_start >= 0:
                self._spans.append((each.node.key_start, each.node.key_end))
            each.piece, each.count = self, 0

    def _append(self, frame: _Frame, written: str, size: int) -> None:
        if frame.count:
            self._parts.append(", ")
            self.size += COMMA
        frame.count += 1
        self._parts.append(written)
        self.size += size

    def _unit(self) -> str:
        """JSON Pointer of the only member, or of the deepest container of the first and the last."""
        (left, name), (right, _) = self._first or self._last, self._last
        if self._first is self._last:
            return pointer_to(left.pointer, name)
        while left is not right:
            if left.depth >= right.depth and left.parent is not None:
                left = left.parent
            elif right.parent is not None:
                right = right.parent
        return left.pointer
