"""From vectors and postings of all repositories to the indexes of one strategy."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.embedding.models import model
from chunk_pipeline.retrieval.bm25 import build_bm25, prose_chunks
from chunk_pipeline.retrieval.dense import build_dense
from chunk_pipeline.stages.deduplication import duplicates_of, searched_chunks
from chunk_pipeline.stages.embeddings import VERSION as VECTORS_VERSION
from chunk_pipeline.stages.embeddings import passage_columns
from chunk_pipeline.stages.passages import model_of, passages_of
from chunk_pipeline.stages.refresh import Outcome, Patch, Target, Work, contents_digest, previous, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import Inputs, inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import (
    BM25_CHUNKS,
    BM25_TERMS,
    CHUNKS,
    DENSE_INDEX,
    POSTINGS,
    VECTORS,
    Table,
    with_dimension,
)

VERSION = 3
"""Raised when the same postings or vectors give another index than before."""


def build_bm25_index(workspace: Workspace, strategy: Strategy) -> Outcome:
    """Build the BM25 index over the postings of every repository; duplicates are left out."""
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name)

    def compute() -> Work:
        chunks = searched_chunks(workspace, strategy, ("chunk_id", "category"))
        ids = sorted(chunks["chunk_id"].to_pylist())
        postings = warehouse.read(POSTINGS, strategy=strategy.name)
        terms, ordinals = build_bm25(strategy.name, ids, postings, prose_chunks(chunks))
        return Work((ordinals, terms), {"chunks_indexed": ordinals.num_rows, "terms": terms.num_rows})

    inputs = _inputs(workspace, strategy, POSTINGS)
    return refresh(workspace, (Target(BM25_CHUNKS, own), Target(BM25_TERMS, own)), inputs, compute)


def build_dense_index(workspace: Workspace, strategy: Strategy) -> Outcome:
    """Lay the vectors of every repository's chunks in the order of chunk ids; duplicates are left out."""
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name)

    def compute() -> Work:
        passages = passages_of(workspace, searched_chunks(workspace, strategy, passage_columns(workspace)))
        indexed = {"chunks_indexed": passages.num_rows}
        patch = _patched(workspace, strategy, passages)
        if patch is not None:
            return Work((patch,), indexed)
        vectors = warehouse.read(VECTORS, strategy=strategy.name)
        if vectors.num_rows == 0:
            dimension = model(workspace.sources.model).dimension
            return Work((with_dimension(DENSE_INDEX, dimension).empty_table(),), {"chunks_indexed": 0})
        return Work((build_dense(strategy.name, passages, vectors),), indexed)

    inputs = _inputs(workspace, strategy, VECTORS)
    return refresh(workspace, (Target(DENSE_INDEX, own),), inputs, compute)


def _patched(workspace: Workspace, strategy: Strategy, passages: pa.Table) -> Patch | None:
    """What changes in the dense index; ``None`` where all of it is to be laid down anew.

    A chunk's id holds its text, so its vector is another only with another model or context tag, or where
    vectors are made in another way.
    """
    warehouse, own = workspace.warehouse, Partition(strategy=strategy.name)
    if not warehouse.can_patch(DENSE_INDEX, own):
        return None
    columns = {DENSE_INDEX: ("chunk_id", "model", "context")}
    versions = {"stage": VERSION, "vectors": VECTORS_VERSION}
    before = previous(workspace, (Target(DENSE_INDEX, own),), versions, columns)
    models = pc.unique(passages["model"]).to_pylist()
    if before is None or len(models) != 1 or pc.unique(before[0]["model"]).to_pylist() != models:
        return None
    [rows] = before
    old = dict(zip(rows["chunk_id"].to_pylist(), rows["context"].to_pylist(), strict=True))
    new = dict(zip(passages["chunk_id"].to_pylist(), passages["context"].to_pylist(), strict=True))
    changed = frozenset(chunk for chunk, context in new.items() if old.get(chunk) != context)
    left = passages.filter(pc.is_in(passages["chunk_id"], pa.array(sorted(changed), pa.string())))
    texts = frozenset(left["text_sha256"].to_pylist())
    parts = [
        warehouse.read_keys(VECTORS, each, texts, VECTORS.schema.names)
        for each in warehouse.partitions(VECTORS, strategy=strategy.name)
    ]
    filled = [part for part in parts if part.num_rows]
    empty = with_dimension(DENSE_INDEX, model_of(workspace, models[0]).dimension).empty_table()
    index = build_dense(strategy.name, left, joined(filled)) if filled else empty
    return Patch(index, changed | frozenset(old.keys() - new.keys()))


def _inputs(workspace: Workspace, strategy: Strategy, table: Table) -> Inputs:
    return inputs_of(
        stage=VERSION,
        chunks=contents_digest(workspace.warehouse, CHUNKS, strategy=strategy.name),
        rows=contents_digest(workspace.warehouse, table, strategy=strategy.name),
        categories=list(workspace.sources.indexed_categories),
        duplicates=duplicates_of(workspace, strategy),
        models=_models(workspace) if table == VECTORS else None,
        vectors=VECTORS_VERSION if table == VECTORS else None,
    )


def _models(workspace: Workspace) -> list[str]:
    """Which model reads what, as far as the sources file decides it."""
    sources = workspace.sources
    read = {
        f"{source.name} {category} {workspace.key_of(sources.model_for(source.name, category))}"
        for source in sources.sources
        for category in sources.indexed_categories
    }
    return [*sorted(read), f"context tags: {sources.context_tags}"]
