"""What people look for in the UI: schemas, counts, previews, sizes, rates; every piece capped and escaped.

Large metadata slows the UI down, and texts of the sources are not ours to trust: cells are cut and escaped.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from typing import Any

import dagster as dg
import pyarrow as pa

from chunk_pipeline.stages.refresh import Outcome, Target
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.markdown import markdown_table
from chunk_pipeline.warehouse.tables import Table

PREVIEW_ROWS = 5
PREVIEW_COLUMNS = 8


def table_metadata(table: Table) -> dict[str, Any]:
    """Definition metadata of an asset that writes a table: its columns with types and descriptions."""
    columns = [
        dg.TableColumn(
            field.name,
            str(field.type),
            description=table.describe(field.name),
            constraints=dg.TableColumnConstraints(nullable=field.nullable),
        )
        for field in table.schema
    ]
    return {
        "dagster/column_schema": dg.TableSchema(columns=columns),
        "dagster/table_name": f"chunk_pipeline.{table.name}",
        "key": ", ".join(table.key),
    }


def materialized(
    workspace: Workspace,
    outcome: Outcome,
    started: float,
    *,
    data_version: str | None = None,
    more: Mapping[str, Any] | None = None,
) -> dg.MaterializeResult[Any]:
    """The result of an asset: what is stored now, what was done for it, and how fast.

    Args:
        workspace: Where the table lies.
        outcome: What the stage left.
        started: ``time.perf_counter()`` before the work.
        data_version: Version of the data; by default the digest of the stored rows.
        more: Further metadata.
    """
    stored, target = outcome.stored, outcome.target
    seconds = time.perf_counter() - started
    partitioned = target.partition.repository is not None
    rows = "dagster/partition_row_count" if partitioned else "dagster/row_count"
    metadata: dict[str, Any] = {
        rows: stored.rows,
        "dagster/uri": workspace.warehouse.path(target.table, target.partition).absolute().as_uri(),
        "preview": dg.MetadataValue.md(preview(workspace, target)),
        "bytes": stored.size,
        "seconds": round(seconds, 3),
        "up_to_date": outcome.up_to_date,
        **_work(outcome, seconds),
        **(more or {}),
    }
    version = dg.DataVersion(data_version or stored.content)
    return dg.MaterializeResult(metadata=metadata, data_version=version)


def preview(workspace: Workspace, target: Target) -> str:
    """The first rows of a partition as a Markdown table."""
    columns = [field.name for field in target.table.schema if _previewed(field)][:PREVIEW_COLUMNS]
    rows = workspace.warehouse.read(target.table, target.partition, columns=columns).slice(0, PREVIEW_ROWS)
    return markdown_table(rows.to_pylist(maps_as_pydicts="lossy"), columns)


def png(image: bytes, title: str) -> dg.MarkdownMetadataValue:
    """A plot, inside Markdown."""
    return dg.MetadataValue.md(f"![{title}](data:image/png;base64,{base64.b64encode(image).decode()})")


def _previewed(field: pa.Field) -> bool:
    """Vectors and the body (which the text repeats) tell a person nothing."""
    return field.name not in {"vector", "body", "header", "strategy", "repository"}


def _work(outcome: Outcome, seconds: float) -> dict[str, Any]:
    counts: dict[str, Any] = dict(outcome.counts)
    done = {name: count for name, count in counts.items() if count and seconds > 0}
    return {**counts, **{f"{name}_per_second": round(count / seconds, 1) for name, count in done.items()}}
