"""What people look for in the UI: counts, rates, previews, sizes, schemas; what matters first, all capped.

Large metadata slows the UI down, and texts of the sources are not ours to trust: cells are cut and cleaned.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from typing import Any

import dagster as dg

from chunk_pipeline.defs.tables import type_name, ui_table
from chunk_pipeline.stages.refresh import Outcome, Target
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import Table

PREVIEW_ROWS = 5
PREVIEW_CHARACTERS = 36
"""Of a cell: the pane beside the list of partitions is narrow."""

PREVIEWED: Mapping[str, tuple[str, ...]] = {
    "raw_files": ("path", "size", "kind"),
    "filtered_files": ("path", "size", "fate", "reason"),
    "files": ("path", "category", "language", "fate"),
    "chunks": ("path", "unit", "n_chars", "text"),
    "postings": ("term", "frequency", "chunk_id"),
    "gold_queries": ("query", "route", "path"),
    "rankings": ("query", "retriever", "rank", "score"),
}
"""Columns that tell a person something, by table; vectors and digests do not, so some tables have none."""

RATED = frozenset(
    {"files_scanned", "files_read", "files_chunked", "texts_encoded", "chunks_tokenised", "rankings"}
)
"""Counts of work that takes time; a rate of the others says nothing."""


def table_metadata(table: Table) -> dict[str, Any]:
    """Definition metadata of an asset that writes a table: its columns with types and descriptions."""
    columns = [
        dg.TableColumn(
            field.name,
            type_name(field.type),
            description=table.describe(field.name),
            constraints=dg.TableColumnConstraints(nullable=field.nullable),
        )
        for field in table.schema
    ]
    return {
        "dagster/column_schema": dg.TableSchema(columns=columns),
        "dagster/table_name": f"chunk_pipeline.{table.name}",
        "primary_key": ", ".join(table.key),
    }


def materialized(
    workspace: Workspace,
    outcome: Outcome,
    started: float,
    *,
    more: Mapping[str, Any] | None = None,
) -> dg.MaterializeResult[Any]:
    """The result of an asset: what is stored now, what was done for it, and how fast.

    The data version is the digest of the manifest that commits the partition.

    Args:
        workspace: Where the table lies.
        outcome: What the stage left.
        started: ``time.perf_counter()`` before the work.
        more: Further metadata, shown before the rest.
    """
    stored, target = outcome.stored, outcome.target
    seconds = time.perf_counter() - started
    partitioned = target.partition.repository is not None
    rows = "dagster/partition_row_count" if partitioned else "dagster/row_count"
    metadata: dict[str, Any] = {
        rows: stored.rows,
        **(more or {}),
        "up_to_date": outcome.up_to_date,
        **_work(outcome, seconds),
        **preview(workspace, target),
        "duration_seconds": round(seconds, 3),
        "size_bytes": stored.size,
        "dagster/uri": uri(workspace.warehouse.folder(target.table, target.partition)),
    }
    return dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(stored.version))


def preview(workspace: Workspace, target: Target) -> dict[str, dg.TableMetadataValue]:
    """The first rows of a partition as metadata; empty where the table has none that a person would read."""
    columns = list(PREVIEWED.get(target.table.name, ()))
    if not columns:
        return {}
    rows = workspace.warehouse.read(target.table, target.partition, columns=columns).slice(0, PREVIEW_ROWS)
    return {"preview": ui_table(rows.to_pylist(), PREVIEW_CHARACTERS)} if rows.num_rows else {}


def uri(path: Any) -> str:
    """Where a file lies, as it can be pasted: ``=`` of the partition folders needs no escape in a URI."""
    return str(path.absolute().as_uri()).replace("%3D", "=")


def png(image: bytes, title: str) -> dg.MarkdownMetadataValue:
    """A plot, inside Markdown."""
    return dg.MetadataValue.md(f"![{title}](data:image/png;base64,{base64.b64encode(image).decode()})")


def _work(outcome: Outcome, seconds: float) -> dict[str, Any]:
    counts: dict[str, Any] = dict(outcome.counts)
    rates = {
        f"{name}_per_second": round(count / seconds, 1)
        for name, count in counts.items()
        if name in RATED and count and seconds > 0
    }
    return {**counts, **rates}
