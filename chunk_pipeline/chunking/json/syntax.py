"""``json_syntax``: exact slices of a JSON file, each of which parses, none over the limit.

Public JSON splitters dump values again, so that offsets, spellings and duplicate names are gone. Here a body
is the source as written; the names and brackets around it stand beside it. What does not belong here: regions
of JSON (``json.regions``) and the cutting of regions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Document, Skip, Span, UnparsableError
from chunk_pipeline.chunking.json.lines import parse_json_lines
from chunk_pipeline.chunking.json.regions import JsonRegions, trim_between
from chunk_pipeline.chunking.json.strategies import JSON_CATEGORIES
from chunk_pipeline.chunking.json.tree import Node, parse_json, pointer_to
from chunk_pipeline.chunking.json.unit import LIMIT
from chunk_pipeline.chunking.regions import Region, cut_regions
from chunk_pipeline.chunking.registry import Strategy, register

_WITHIN = ChunkMetadata()
_OVER = ChunkMetadata(indivisible=True)


@register
class JsonSyntax(Strategy):
    """Slices of the source made whole by the keys and brackets around them, none over the limit."""

    name = "json_syntax"
    version: ClassVar[int] = 2
    categories: ClassVar[frozenset[str]] = JSON_CATEGORIES
    languages: ClassVar[frozenset[str]] = frozenset({"json"})
    limit: ClassVar[int] = LIMIT
    format: ClassVar[str] = "json"
    promises_integrity = True
    promises_limit = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Merge whole members up to the limit; take apart a member over it.

        A single scalar with its name that is over the limit stays whole, with ``metadata.indivisible``. Of
        JSON Lines no two records share a chunk, since together they are not JSON.
        """
        return cut_json(document.text, self.limit)


def cut_json(text: str, limit: int) -> Iterator[Chunk | Skip]:
    """Cut a JSON text or JSON Lines into exact slices.

    Args:
        text: The document.
        limit: Characters that a chunk has at most, opening and closing included.

    Yields:
        Chunks in order, their unit the JSON Pointer of the deepest value that all of the body belongs to; or
        one skip of a document that is blank or an empty container.

    Raises:
        UnparsableError: It is neither JSON nor JSON Lines.
    """
    if not text.strip():
        if text:
            yield Skip(Span(0, len(text)), "blank document")
        return
    records = None
    try:
        tree = parse_json(text)
    except UnparsableError:
        records = parse_json_lines(text)
        if records is None:
            raise
        tree = records
    if tree.is_container and not tree.children:
        yield Skip(Span(tree.start, tree.end), "empty document")
        return
    regions = JsonRegions(text, limit)
    root = regions.document(tree)
    if records:
        root = Region(0, len(text), lambda: [regions.document(each) for each in records.children])
    pointers = _Pointers(tree)
    for piece in cut_regions(text, root, limit, lambda label: 0, trim_between):
        size = len(piece.opening) + piece.end - piece.start + len(piece.closing)
        yield Chunk(
            text[piece.start : piece.end],
            (Span(piece.start, piece.end),),
            unit=pointers.of(piece.start, piece.end),
            opening=piece.opening,
            closing=piece.closing,
            metadata=_OVER if size > limit else _WITHIN,
        )


class _Pointers:
    """Finds values by where they stand; the places of a container's members are listed once."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._starts: dict[int, list[int]] = {}

    def of(self, start: int, end: int) -> str:
        """The JSON Pointer of the deepest value that all names and values of the stretch belong to."""
        pointer, node = "", self._root
        while node.children and not _in_stretch(node, start, end):
            starts = self._starts.get(id(node))
            if starts is None:
                starts = self._starts[id(node)] = [_start(child) for child in node.children]
            first, last = bisect_right(starts, start) - 1, bisect_left(starts, end) - 1
            if first < 0 or node.children[first].end <= start:
                first += 1
            if first != last:
                break
            node = node.children[first]
            pointer = pointer_to(pointer, str(first) if node.key is None else node.key)
        return pointer


def _in_stretch(node: Node, start: int, end: int) -> bool:
    """Whether the node's name is in the stretch, or where it has none, all of it."""
    if node.key_start >= 0:
        return start <= node.key_start
    return start <= node.start and node.end <= end


def _start(node: Node) -> int:
    return node.start if node.key_start < 0 else node.key_start
