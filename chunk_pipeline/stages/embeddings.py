"""From chunks to vectors and postings, a repository and a strategy at a time; gold queries to vectors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.embedding.models import model
from chunk_pipeline.embedding.vector_store import embed_chunks
from chunk_pipeline.retrieval.bm25 import postings_of
from chunk_pipeline.stages.refresh import Outcome, Target, Work, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import fingerprint
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, GOLD_QUERIES, POSTINGS, VECTORS

VERSION = 1
"""Raised when the same texts give other vectors or postings than before, the model being the same."""

QUERIES = Partition(strategy="gold_queries", repository="all")
"""Where the vectors of the gold queries lie."""


def indexed_chunks(workspace: Workspace, strategy: Strategy, repository: str | None = None) -> pa.Table:
    """A strategy's chunks of the categories that are indexed, of one repository (partition key) or of all."""
    chunks = workspace.warehouse.read(CHUNKS, strategy=strategy.name, repository=repository)
    wanted = pa.array(workspace.sources.indexed_categories, pa.string())
    return chunks.filter(pc.is_in(chunks["category"], wanted))


def embed(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Encode a repository's chunks; texts whose vector is stored anywhere are not encoded again."""
    repository = partition_key(name)
    own = Partition(strategy=strategy.name, repository=repository)
    chunks = indexed_chunks(workspace, strategy, repository)

    def compute() -> Work:
        embedded = embed_chunks(
            chunks,
            lambda: workspace.encoder,
            workspace.model_key,
            _known(workspace, own),
            strategy.name,
            name,
            model(workspace.sources.model).dimension,
            partial(workspace.progress, f"{strategy.name}: texts of {name}"),
        )
        return Work(
            (embedded.vectors,),
            {"texts_encoded": embedded.n_encoded, "texts_reused": embedded.n_reused},
        )

    inputs = fingerprint(stage=VERSION, model=workspace.model_key, texts=_texts(chunks))
    return refresh(workspace, (Target(VECTORS, own),), inputs, compute)


def embed_queries(workspace: Workspace) -> Outcome:
    """Encode the gold queries."""
    gold = workspace.warehouse.read(GOLD_QUERIES, columns=["query"])
    queries = pa.table({"text": pc.unique(gold["query"])})

    def compute() -> Work:
        embedded = embed_chunks(
            queries,
            lambda: workspace.encoder,
            workspace.model_key,
            _known(workspace, QUERIES),
            "gold_queries",
            "all",
            model(workspace.sources.model).dimension,
            partial(workspace.progress, "gold queries"),
        )
        return Work(
            (embedded.vectors,),
            {"texts_encoded": embedded.n_encoded, "texts_reused": embedded.n_reused},
        )

    inputs = fingerprint(stage=VERSION, model=workspace.model_key, queries=queries["text"].to_pylist())
    return refresh(workspace, (Target(VECTORS, QUERIES),), inputs, compute)


def post(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Count the terms of a repository's chunks."""
    repository = partition_key(name)
    own = Partition(strategy=strategy.name, repository=repository)
    chunks = indexed_chunks(workspace, strategy, repository)

    def compute() -> Work:
        return Work((postings_of(chunks, strategy.name, name),), {"chunks_tokenised": chunks.num_rows})

    inputs = fingerprint(stage=VERSION, chunks=chunks["chunk_id"].to_pylist())
    return refresh(workspace, (Target(POSTINGS, own),), inputs, compute)


def _texts(chunks: pa.Table) -> list[str]:
    return sorted(set(chunks["text_sha256"].to_pylist()))


def _known(workspace: Workspace, own: Partition) -> Iterator[pa.Table]:
    """Stored vectors, the likeliest first: this partition's, then everyone else's."""
    others = [each for each in workspace.warehouse.partitions(VECTORS) if each != own]
    for partition in (own, *others):
        if workspace.warehouse.stored(VECTORS, partition) is not None:
            yield workspace.warehouse.read(VECTORS, partition)
