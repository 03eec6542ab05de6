"""A small project whose stages are called directly, and damage done to its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.model_files import model_key
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model
from chunk_pipeline.embedding.vectors import Progress
from chunk_pipeline.settings import Compute
from chunk_pipeline.stages.catalog import publish_catalog
from chunk_pipeline.stages.chunk_metadata import describe
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.deduplication import find_duplicates
from chunk_pipeline.stages.embeddings import embed, embed_queries, post
from chunk_pipeline.stages.entities import collect_entities, find_mentions, telling
from chunk_pipeline.stages.evaluation import mine_gold, rank, report
from chunk_pipeline.stages.finding import Finding
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.refresh import Outcome
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import WHOLE, Partition, Warehouse
from chunk_pipeline.warehouse.tables import Table

Row = dict[str, Any]


@dataclass(frozen=True)
class DigestEncoder:
    """Unit vectors made from a text's digest: they mean nothing and cost nothing."""

    key: str
    dimension: int

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        rows = [np.random.default_rng(int(digest(text)[:16], 16)) for text in texts]
        drawn = np.array([each.standard_normal(self.dimension) for each in rows], dtype=np.float32)
        drawn = drawn.reshape(len(texts), self.dimension)
        unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return unit


def cheap_encoder(name: str, compute: Compute, directory: Path | None = None) -> DigestEncoder:
    """What stands in for a model; its key and width are the model's."""
    wanted = model(name or DEFAULT_MODEL)
    return DigestEncoder(model_key(wanted, "fp32", directory), wanted.dimension)


def ingest(workspace: Workspace, name: str) -> list[Outcome]:
    """A source's whole chain."""
    outcomes = [
        scan_source(workspace, name).outcome,
        filter_source(workspace, name),
        label_source(workspace, name),
    ]
    for strategy in workspace.strategies:
        outcomes += [
            chunk_files(workspace, name, strategy),
            embed(workspace, name, strategy),
            post(workspace, name, strategy),
        ]
    return outcomes


def roll_up(workspace: Workspace) -> list[Outcome]:
    """Everything over all sources, the catalog included."""
    outcomes = [*_over_heritage(workspace), mine_gold(workspace), embed_queries(workspace)]
    for strategy in workspace.strategies:
        outcomes += [
            build_bm25_index(workspace, strategy),
            build_dense_index(workspace, strategy),
            rank(workspace, strategy),
        ]
    outcomes.append(report(workspace))
    publish_catalog(workspace)
    return outcomes


def _over_heritage(workspace: Workspace) -> list[Outcome]:
    """Entities, metadata and duplicates, where a strategy gives facts."""
    strategies = telling(workspace)
    if not strategies:
        return []
    outcomes = [collect_entities(workspace)]
    for strategy in strategies:
        outcomes += [find_mentions(workspace, strategy), describe(workspace, strategy)]
    return [*outcomes, find_duplicates(workspace)]


def rewrite(
    warehouse: Warehouse,
    table: Table,
    change: Callable[[list[Row]], object],
    partition: Partition = WHOLE,
) -> None:
    """Change stored rows behind the pipeline's back, as damage does: the fingerprint stays."""
    manifest = warehouse.manifest(table, partition)
    assert manifest is not None
    before = warehouse.read(table, partition)
    rows = before.to_pylist()
    change(rows)
    damaged = pa.Table.from_pylist(rows, schema=before.schema)
    warehouse.write(table, damaged, manifest.made_from(), partition)


def named(findings: list[Finding], name: str) -> Finding:
    """The finding of that name."""
    return next(each for each in findings if each.name == name)
