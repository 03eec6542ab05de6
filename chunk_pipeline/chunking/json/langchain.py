"""The two baselines: langchain-text-splitters as it is, with exact spans put beside its chunks.

LangChain gives no offsets. Where its text chunks stand is found in ``langchain_spans``; a cut tree is found
again by following its names.
What does not belong here: anything that LangChain does not do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from langchain_text_splitters import RecursiveJsonSplitter

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span, UnparsableError
from chunk_pipeline.chunking.json.render import merge_spans
from chunk_pipeline.chunking.json.tree import Node, number_value, parse_json, pointer_to
from chunk_pipeline.chunking.langchain_spans import cut_langchain

DEEPEST = 200
"""LangChain recurses, two frames a level: deeper documents depend on how much stack its caller left."""


def cut_text(text: str, size: int, overlap: int, fallback: str | None = None) -> Iterator[Chunk | Skip]:
    """Cut as ``RecursiveCharacterTextSplitter(size, overlap)`` does; every body is ``text[start:end]``.

    Args:
        text: The document; where it is blank, a skip is all there is.
        size: Characters that a chunk has at most.
        overlap: Characters that it may repeat of the one before.
        fallback: Why this was not cut as a tree, for the chunks' metadata.
    """
    if not text:
        yield Skip(Span(0, 0), "blank document")
    yield from cut_langchain(text, size, overlap, metadata=ChunkMetadata(fallback=fallback))


def cut_tree(text: str, maximum: int, minimum: int) -> list[Chunk | Skip]:
    """Cut as ``RecursiveJsonSplitter(maximum, minimum).split_text(..., convert_lists=True)`` does.

    A member that a later one of the same name overwrites becomes a skip, as does a document without members.

    Raises:
        UnparsableError: LangChain cannot read the document, or would lose or change a value of it.
    """
    root = parse_json(text)
    overwritten = _check(root, text)
    if not root.children:
        return [Skip(Span(root.start, root.end), "empty document")]
    splitter = RecursiveJsonSplitter(max_chunk_size=maximum, min_chunk_size=minimum)
    parts = splitter.split_json(json.loads(text), convert_lists=True)
    names = _Names()
    chunks: list[Chunk] = []
    held = 0
    for part in parts:
        found = _Found(part, root, names)
        held += found.leaves
        spans = merge_spans(text, sorted(found.spans))
        chunks.append(Chunk(json.dumps(part, ensure_ascii=False), spans, unit=found.unit))
    lost = {id(leaf) for node in overwritten for _, leaf in node.leaves()}
    if held != sum(id(leaf) not in lost for _, leaf in root.leaves()):
        raise UnparsableError("langchain-text-splitters would lose a value")
    # A member that overwrites another stands at the other's place in LangChain, not at its own.
    chunks.sort(key=lambda chunk: chunk.spans[0].start)
    return [*(Skip(node.member_span(), "overwritten duplicate key") for node in overwritten), *chunks]


def _check(root: Node, text: str) -> list[Node]:
    """The members that later ones of the same name overwrite; LangChain keeps all others as they are."""
    if not root.is_container:
        raise UnparsableError("a scalar document, which RecursiveJsonSplitter refuses")
    overwritten: list[Node] = []
    level = [root]
    for _ in range(DEEPEST):
        for node in level:
            overwritten += _overwritten(node)
            if node.kind == "number" and not _survives(text[node.start : node.end]):
                raise UnparsableError(
                    f"a number that a float does not hold: {text[node.start : node.end][:40]}"
                )
        level = [child for node in level for child in node.children]
        if not level:
            return _outermost(overwritten)
    raise UnparsableError(f"nested deeper than {DEEPEST}, which RecursiveJsonSplitter may not survive")


def _overwritten(node: Node) -> list[Node]:
    if node.kind != "object" or len({child.key for child in node.children}) == len(node.children):
        return []
    winners = {child.key: child for child in node.children}
    return [child for child in node.children if winners[child.key] is not child]


def _outermost(nodes: Iterable[Node]) -> list[Node]:
    """Without those inside another, by first character."""
    kept: list[Node] = []
    for node in sorted(nodes, key=lambda each: (each.start, -each.end)):
        if not kept or node.start >= kept[-1].end:
            kept.append(node)
    return kept


def _survives(literal: str) -> bool:
    dumped = json.dumps(json.loads(literal))
    return dumped == literal or Decimal(dumped) == number_value(literal)


class _Names:
    """Children by name, made once for each container that is looked into."""

    def __init__(self) -> None:
        self._known: dict[int, dict[str, Node]] = {}

    def __call__(self, node: Node) -> dict[str, Node]:
        if id(node) not in self._known:
            self._known[id(node)] = dict(node.named_children())
        return self._known[id(node)]


class _Found:
    """What a part that LangChain cut holds of the document.

    Attributes:
        spans: Names of containers on the way, and members that are held.
        leaves: How many scalars it holds.
        unit: JSON Pointer of the deepest value that holds all of it.
    """

    def __init__(self, part: dict[str, Any], root: Node, names: _Names) -> None:
        self.spans: list[tuple[int, int]] = []
        self.leaves = 0
        self.unit = _shared_pointer(part)
        stack = [(part, root)]
        while stack:
            values, node = stack.pop()
            for name, value in values.items():
                child = names(node)[name]
                if isinstance(value, dict) and value:
                    if child.key_start >= 0:
                        self.spans.append((child.key_start, child.key_end))
                    stack.append((value, child))
                    continue
                self.leaves += not isinstance(value, dict)
                span = child.member_span()
                self.spans.append((span.start, span.end))


def _shared_pointer(part: dict[str, Any]) -> str:
    pointer, value = "", part
    while isinstance(value, dict) and len(value) == 1:
        name, value = next(iter(value.items()))
        pointer = pointer_to(pointer, name)
    return pointer
