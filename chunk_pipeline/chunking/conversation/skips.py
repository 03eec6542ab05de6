"""What of an export is in no chunk, and why: a few long skips, since one reason goes on for many values."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_pipeline.chunking.chunk import Skip, Span
from chunk_pipeline.chunking.conversation import reasons
from chunk_pipeline.chunking.conversation.message import Export
from chunk_pipeline.chunking.conversation.placeholders import placeholders
from chunk_pipeline.chunking.json.tree import Node


def skips(export: Export) -> Iterator[Skip]:
    """Skips in order: values next to each other with one reason are one, with what the format has between."""
    span, reason = Span(0, 0), ""
    for found, why in _values(export):
        if why == reason:
            span = Span(span.start, found.end)
            continue
        if reason:
            yield Skip(span, reason)
        span, reason = found, why
    if reason:
        yield Skip(span, reason)


def _values(export: Export) -> Iterator[tuple[Span, str]]:
    """Each value or part of a text with its reason; an empty one for what chunks hold."""
    stack: list[tuple[Node, str]] = [(export.root, reasons.BOOKKEEPING)]
    while stack:
        node, inherited = stack.pop()
        reason = export.reasons.get(node.start, inherited)
        if node.is_container:
            stack.extend((child, reason) for child in reversed(node.children))
        elif node.start in export.texts:
            text = export.texts[node.start]
            yield Span(node.start, node.start), ""
            for start, end in placeholders(text.value):
                yield text.span(start, end), reasons.PLACEHOLDER
                yield Span(node.start, node.start), ""
        elif node.end - node.start > 2 or node.kind != "string":
            yield Span(node.start, node.end), reason
