"""From chunks to vectors and postings, a repository and a strategy at a time; gold queries to vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.embedding.inputs import embedded_texts
from chunk_pipeline.embedding.models import Model, model
from chunk_pipeline.embedding.vector_store import Embedded, embed_chunks
from chunk_pipeline.retrieval.bm25 import updated_postings
from chunk_pipeline.stages.passages import model_of, passages_of
from chunk_pipeline.stages.refresh import (
    Outcome,
    Target,
    Work,
    contents_digest,
    previous,
    refresh,
)
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import CHUNKS, GOLD_QUERIES, POSTINGS, VECTORS

VERSION = 4
"""Raised when the same texts give other vectors than before, the model being the same."""

POSTINGS_VERSION = 4
"""Raised when the same texts give other postings than before: no earlier ones are then taken over."""

PASSAGE_COLUMNS = ("chunk_id", "repository", "category", "text", "text_sha256", "facts")
"""What of chunks decides what the models are given."""

Progress = Callable[[int, int], None]

QUERIES = Partition(strategy="gold_queries", repository="all")
"""Where the vectors of the gold queries lie."""


def indexed_chunks(
    workspace: Workspace,
    strategy: Strategy,
    repository: str | None = None,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """A strategy's chunks of the categories that are indexed, of one repository (partition key) or of all.

    Args:
        workspace: Where the tables are.
        strategy: Whose chunks.
        repository: Partition key; all where ``None``.
        columns: What is read, ``category`` among it; everything where ``None``.
    """
    warehouse = workspace.warehouse
    chunks = warehouse.read(CHUNKS, strategy=strategy.name, repository=repository, columns=columns)
    wanted = pa.array(workspace.sources.indexed_categories, pa.string())
    return chunks.filter(pc.is_in(chunks["category"], wanted))


def embed(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Encode a repository's chunks; texts whose vector is stored anywhere are not encoded again."""
    repository = partition_key(name)
    own = Partition(strategy=strategy.name, repository=repository)
    told = partial(workspace.progress, f"{strategy.name}: texts of {name}")

    def compute() -> Work:
        chunks = indexed_chunks(workspace, strategy, repository, PASSAGE_COLUMNS)
        return _encoded(workspace, passages_of(workspace, chunks), own, (strategy.name, name), told)

    sources = workspace.sources
    read = sorted(strategy.categories.intersection(sources.indexed_categories))
    inputs = inputs_of(
        stage=VERSION,
        chunks=contents_digest(workspace.warehouse, CHUNKS, strategy=strategy.name, repository=repository),
        models={each: workspace.key_of(sources.model_for(name, each)) for each in read},
        default_model=workspace.model_key,
        context_tags=sources.context_tags,
    )
    return refresh(workspace, (Target(VECTORS, own),), inputs, compute)


def embed_queries(workspace: Workspace) -> Outcome:
    """Encode the gold queries by every model in use."""
    gold = workspace.warehouse.read(GOLD_QUERIES, columns=["query"])
    queries = pa.table({"text": pc.unique(gold["query"])})
    asked = []
    for name in workspace.sources.models_in_use:
        given = embedded_texts(model(name), "query", queries)
        asked.append(given.append_column("model", pa.repeat(workspace.key_of(name), queries.num_rows)))
    given = pa.concat_tables(asked)
    told = partial(workspace.progress, "gold queries")

    def compute() -> Work:
        return _encoded(workspace, given, QUERIES, ("gold_queries", "all"), told)

    keys = [workspace.key_of(name) for name in workspace.sources.models_in_use]
    inputs = inputs_of(stage=VERSION, models=keys, queries=queries["text"].to_pylist())
    return refresh(workspace, (Target(VECTORS, QUERIES),), inputs, compute)


def _encoded(
    workspace: Workspace, given: pa.Table, own: Partition, labels: tuple[str, str], told: Progress
) -> Work:
    """The vectors of texts, each by the model of its row, and what they cost."""
    parts: list[Embedded] = []
    for key in _models(given) or [workspace.model_key]:
        wanted = model_of(workspace, key)
        part = embed_chunks(
            given.filter(pc.equal(given["model"], key)),
            partial(workspace.encoder_of, wanted.name),
            key,
            _known(workspace, own),
            *labels,
            wanted.dimension,
            told,
            partial(_counts, workspace, wanted),
        )
        parts.append(part)
    return Work(
        (joined([part.vectors for part in parts]),),
        {
            "texts_encoded": sum(part.n_encoded for part in parts),
            "texts_reused": sum(part.n_reused for part in parts),
            "tokens_encoded": sum(part.n_tokens for part in parts),
        },
    )


def post(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Count the terms of a repository's chunks; those of chunks that stayed are not counted again."""
    repository = partition_key(name)
    own = Partition(strategy=strategy.name, repository=repository)
    targets = (Target(POSTINGS, own),)
    read = sorted(strategy.categories.intersection(workspace.sources.indexed_categories))
    inputs = inputs_of(
        stage=POSTINGS_VERSION,
        chunks=contents_digest(workspace.warehouse, CHUNKS, strategy=strategy.name, repository=repository),
        categories=read,
    )

    def compute() -> Work:
        chunks = indexed_chunks(workspace, strategy, repository, ("chunk_id", "category", "text"))
        before = previous(workspace, targets, only_if={"stage": POSTINGS_VERSION})
        known = before[0] if before else POSTINGS.empty()
        rows, counted = updated_postings(chunks, strategy.name, name, known)
        return Work((rows,), {"chunks_tokenised": counted})

    return refresh(workspace, targets, inputs, compute)


def _counts(workspace: Workspace, wanted: Model, texts: Sequence[str]) -> list[int]:
    """Tokens of texts; the tokenizer is read only if there are any."""
    return workspace.counter_of(wanted).counts(texts)


def _models(given: pa.Table) -> list[str]:
    """Keys of the models that read something, sorted."""
    return sorted(pc.unique(given["model"]).to_pylist())


def _known(workspace: Workspace, own: Partition) -> Iterator[pa.Table]:
    """Stored vectors, the likeliest first: this partition's, then everyone else's."""
    others = [each for each in workspace.warehouse.partitions(VECTORS) if each != own]
    for partition in (own, *others):
        if workspace.warehouse.stored(VECTORS, partition) is not None:
            yield workspace.warehouse.read(VECTORS, partition)
