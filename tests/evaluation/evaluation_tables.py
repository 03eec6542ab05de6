"""Small tables for the tests of evaluation, complete in every column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from chunk_pipeline.corpus.categories import language
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, gold_table
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, RANKINGS, SKIPS

Spans = Sequence[tuple[int, int]]


def chunk_row(chunk_id: str, path: str, spans: Spans, body: str = "", **columns: object) -> dict[str, object]:
    """A row of ``chunks``; what a test does not care about is filled in."""
    row: dict[str, object] = {
        "chunk_id": chunk_id,
        "repository": "shop",
        "path": path,
        "content_sha256": path,
        "encoding": "utf-8",
        "category": "i18n_translations",
        "strategy": "whole",
        "strategy_version": 1,
        "ordinal": 0,
        "unit": "",
        "spans": [{"start": start, "end": end} for start, end in spans],
        "start_line": 1,
        "end_line": 1,
        "header": "",
        "opening": "",
        "body": body,
        "closing": "",
        "text": body,
        "n_chars": len(body),
        "n_tokens": 10,
        "overlap": 0,
        "oversized": False,
        "parses": True,
        "metadata": {"language": None, "component": None, "fallback": None, "indivisible": None},
        "attributes": None,
        "text_sha256": chunk_id,
    }
    return {**row, **columns}


def chunk_table(rows: Iterable[Mapping[str, object]]) -> pa.Table:
    return pa.Table.from_pylist([dict(row) for row in rows], schema=CHUNKS.schema)


def gold_of(answers: Mapping[str, Sequence[tuple[str, int, int]]], path: str = "a.json") -> pa.Table:
    """Gold from query → (path, start, end) of its answers, all mined from one file."""
    return gold_table(
        GoldQuery(
            query,
            "route",
            "shop",
            path,
            "i18n_translations",
            tuple(RelevantSpan("shop", file, start, end, "") for file, start, end in spans),
        )
        for query, spans in answers.items()
    )


def ranking_table(rankings: Mapping[str, Mapping[str, Sequence[str]]], strategy: str = "whole") -> pa.Table:
    """Rankings from retriever → query → chunk ids, best first."""
    rows = [
        {
            "strategy": strategy,
            "retriever": retriever,
            "query": query,
            "rank": place,
            "chunk_id": chunk_id,
            "score": 1.0 / place,
        }
        for retriever, queries in rankings.items()
        for query, chunk_ids in queries.items()
        for place, chunk_id in enumerate(chunk_ids, start=1)
    ]
    return pa.Table.from_pylist(rows, schema=RANKINGS.schema)


def file_tables(texts: Mapping[str, str], category: str = "i18n_translations") -> tuple[pa.Table, pa.Table]:
    """``files`` and ``contents`` of kept files."""
    files = [
        {
            "repository": "shop",
            "path": path,
            "size": len(text.encode()),
            "object_id": path,
            "content_sha256": path,
            "encoding": "utf-8",
            "fate": "kept",
            "reason": None,
            "profile": "default",
            "snapshot": "snapshot",
            "category": category,
            "language": language(path),
            "attributes": None,
        }
        for path, text in texts.items()
    ]
    contents = [
        {"repository": "shop", "content_sha256": path, "text": text, "structure": ""}
        for path, text in texts.items()
    ]
    return (
        pa.Table.from_pylist(files, schema=FILES.schema),
        pa.Table.from_pylist(contents, schema=CONTENTS.schema),
    )


def skip_table(rows: Iterable[tuple[str, int, int, str]] = ()) -> pa.Table:
    """``skips`` from (path, start, end, reason)."""
    return pa.Table.from_pylist(
        [
            {
                "repository": "shop",
                "path": path,
                "content_sha256": path,
                "encoding": "utf-8",
                "category": "i18n_translations",
                "strategy": "whole",
                "start": start,
                "end": end,
                "reason": reason,
            }
            for path, start, end, reason in rows
        ],
        schema=SKIPS.schema,
    )
