"""Rows to documents, and a document's chunks to rows.

What does not belong here: which documents are cut, and what is taken from a run before.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, chunk_id, digest
from chunk_pipeline.chunking.facts.rows import facts_row
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.syntax import parses

Row = dict[str, Any]

OVERSIZED = 1.5
"""Times a strategy's limit from which a text counts as oversized."""

_FIRST_BYTES = 64
_LINE_BREAK = re.compile("\n")


class Lines:
    """Line numbers of a text's characters."""

    def __init__(self, text: str) -> None:
        self._breaks = [match.start() for match in _LINE_BREAK.finditer(text)]

    def number(self, offset: int) -> int:
        """The line of the character at that offset, from 1; a line break belongs to the line it ends."""
        return bisect_left(self._breaks, offset) + 1


def document_of(row: Row, text: str, structure: str = "") -> Document:
    """A row of ``files`` and its text as a document."""
    return Document(
        repository=row["repository"],
        path=row["path"],
        text=text,
        category=row["category"],
        content_sha256=row["content_sha256"],
        attributes=tuple(row["attributes"] or ()),
        structure=structure,
        language=row.get("language") or "",
        encoding=row.get("encoding") or "",
    )


def cut_rows(strategy: Strategy, document: Document) -> tuple[list[Row], list[Row]]:
    """Cut a document; rows of ``CHUNKS`` without ``n_tokens``, and rows of ``SKIPS``.

    Raises:
        UnparsableError: From the strategy.
    """
    cut = list(strategy.cut(document))
    chunks = [each for each in cut if isinstance(each, Chunk)]
    lines = Lines(document.text)
    rows = [_chunk_row(strategy, document, chunk, index, lines) for index, chunk in enumerate(chunks)]
    skips = [each for each in cut if isinstance(each, Skip)]
    return rows, _skip_rows(strategy, document, skips, len(chunks))


def quarantine_row(strategy: Strategy, document: Document, error: BaseException, expected: bool) -> Row:
    """A row of ``QUARANTINE``; an unexpected error is named by its type."""
    name = "" if expected else f"{type(error).__name__}: "
    first = document.text[:_FIRST_BYTES].encode(errors="surrogatepass")[:_FIRST_BYTES]
    return {
        "repository": document.repository,
        "path": document.path,
        "stage": f"chunks_{strategy.name}",
        "error": f"{name}{error}".encode(errors="backslashreplace").decode(),
        "first_bytes": repr(first)[2:-1],
        "content_sha256": document.content_sha256,
        "encoding": document.encoding,
    }


def _chunk_row(strategy: Strategy, document: Document, chunk: Chunk, ordinal: int, lines: Lines) -> Row:
    text = chunk.text
    first, last = chunk.spans[0], chunk.spans[-1]
    return {
        "chunk_id": chunk_id(strategy.name, document, chunk),
        **_common(strategy, document),
        "ordinal": ordinal,
        "unit": chunk.unit,
        "spans": [{"start": span.start, "end": span.end} for span in chunk.spans],
        "start_line": lines.number(first.start),
        "end_line": lines.number(max(last.start, last.end - 1)),
        "header": chunk.header,
        "opening": chunk.opening,
        "body": chunk.body,
        "closing": chunk.closing,
        "text": text,
        "n_chars": len(text),
        "overlap": chunk.overlap,
        "oversized": len(text) > OVERSIZED * strategy.limit,
        "parses": parses(strategy.format, chunk.passage),
        "metadata": chunk.metadata._asdict(),
        "facts": facts_row(chunk.facts) if chunk.facts else None,
        "attributes": list(document.attributes),
        "text_sha256": digest(text),
    }


def _skip_rows(strategy: Strategy, document: Document, skips: Sequence[Skip], n_chunks: int) -> list[Row]:
    return [
        {
            **_common(strategy, document),
            "n_chunks": n_chunks,
            "start": skip.span.start,
            "end": skip.span.end,
            "reason": skip.reason,
        }
        for skip in skips
    ]


def _common(strategy: Strategy, document: Document) -> Row:
    return {
        "repository": document.repository,
        "path": document.path,
        "content_sha256": document.content_sha256,
        "encoding": document.encoding,
        "category": document.category,
        "strategy": strategy.name,
        "strategy_version": strategy.version,
        "strategy_settings": strategy.settings,
    }
