"""Tables for the tests of the chunk viewer: documents cut by real strategies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.registry import select
from chunk_pipeline.chunking.rows import cut_rows, quarantine_row
from chunk_pipeline.corpus.categories import category, language
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, QUARANTINE, SKIPS


class Tables(NamedTuple):
    """What ``viewer_payload`` is given, in its order."""

    files: pa.Table
    contents: pa.Table
    chunks: dict[str, pa.Table]
    skips: pa.Table
    quarantine: pa.Table


def document(path: str, text: str, repository: str = "shop") -> Document:
    return Document(repository, path, text, category(repository, path), f"{repository}/{path}")


def tables_of(documents: Iterable[Document], strategies: Iterable[str]) -> Tables:
    """The tables after every strategy has cut the documents that it takes; 10 tokens a chunk."""
    documents = list(documents)
    chunks, skips, quarantine = {}, [], []
    for strategy in select(strategies):
        rows = []
        for each in documents:
            if not strategy.takes(each.category, language(each.path)):
                continue
            try:
                cut, left_out = cut_rows(strategy, each)
            except UnparsableError as error:
                quarantine.append(quarantine_row(strategy, each, error, expected=True))
                continue
            rows += [{**row, "n_tokens": 10} for row in cut]
            skips += left_out
        chunks[strategy.name] = pa.Table.from_pylist(rows, schema=CHUNKS.schema)
    return Tables(
        pa.Table.from_pylist([_file(each) for each in documents], schema=FILES.schema),
        pa.Table.from_pylist([_content(each) for each in documents], schema=CONTENTS.schema),
        chunks,
        pa.Table.from_pylist(skips, schema=SKIPS.schema),
        pa.Table.from_pylist(quarantine, schema=QUARANTINE.schema),
    )


def _file(document: Document) -> dict[str, object]:
    return {
        "repository": document.repository,
        "path": document.path,
        "size": len(document.text.encode()),
        "object_id": document.content_sha256,
        "content_sha256": document.content_sha256,
        "encoding": "utf-8",
        "fate": "kept",
        "reason": None,
        "profile": "default",
        "snapshot": "snapshot",
        "category": document.category,
        "language": language(document.path),
        "attributes": None,
    }


def _content(document: Document) -> dict[str, object]:
    return {
        "repository": document.repository,
        "content_sha256": document.content_sha256,
        "text": document.text,
        "structure": document.structure,
    }
