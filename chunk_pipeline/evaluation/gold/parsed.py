"""JSON documents for the routes: those that parse, with the lookups that routes share.

Parsing itself is ``chunking.json.tree``'s; what counts as a query is each route's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.json.tree import Node, parse_json


def parsed(documents: Iterable[Document]) -> Iterator[tuple[Document, Node]]:
    """Each document with its tree; those that are no JSON are quarantined elsewhere and left out here."""
    for document in documents:
        try:
            yield document, parse_json(document.text)
        except UnparsableError:
            continue


def member(node: Node, key: str) -> Node | None:
    """The object's value under a key: the last one where the key is repeated, as every JSON reader has it."""
    if node.kind != "object":
        return None
    return next((child for child in reversed(node.children) if child.key == key), None)
