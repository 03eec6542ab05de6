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
from chunk_pipeline.retrieval.bm25 import postings_of, prose_chunks
from chunk_pipeline.stages.passages import model_of, passages_of
from chunk_pipeline.stages.refresh import Outcome, Target, Work, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import CHUNKS, GOLD_QUERIES, POSTINGS, VECTORS

VERSION = 3
"""Raised when the same texts give other vectors or postings than before, the model being the same."""

Progress = Callable[[int, int], None]

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
    passages = passages_of(workspace, indexed_chunks(workspace, strategy, repository))
    told = partial(workspace.progress, f"{strategy.name}: texts of {name}")

    def compute() -> Work:
        return _encoded(workspace, passages, own, (strategy.name, name), told)

    inputs = inputs_of(stage=VERSION, models=_models(passages), texts=_texts(passages))
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
        },
    )


def post(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Count the terms of a repository's chunks."""
    repository = partition_key(name)
    own = Partition(strategy=strategy.name, repository=repository)
    chunks = indexed_chunks(workspace, strategy, repository)

    def compute() -> Work:
        return Work((postings_of(chunks, strategy.name, name),), {"chunks_tokenised": chunks.num_rows})

    inputs = inputs_of(
        stage=VERSION, chunks=chunks["chunk_id"].to_pylist(), prose=sorted(prose_chunks(chunks))
    )
    return refresh(workspace, (Target(POSTINGS, own),), inputs, compute)


def _counts(workspace: Workspace, wanted: Model, texts: Sequence[str]) -> list[int]:
    """Tokens of texts; the tokenizer is read only if there are any."""
    return workspace.counter_of(wanted).counts(texts)


def _texts(passages: pa.Table) -> list[str]:
    """Digests of what each model is given, sorted; by one model they are the digests alone."""
    digests = passages["text_sha256"].to_pylist()
    if len(_models(passages)) > 1:
        digests = [f"{key} {each}" for key, each in zip(passages["model"].to_pylist(), digests, strict=True)]
    return sorted(set(digests))


def _models(given: pa.Table) -> list[str]:
    """Keys of the models that read something, sorted."""
    return sorted(pc.unique(given["model"]).to_pylist())


def _known(workspace: Workspace, own: Partition) -> Iterator[pa.Table]:
    """Stored vectors, the likeliest first: this partition's, then everyone else's."""
    others = [each for each in workspace.warehouse.partitions(VECTORS) if each != own]
    for partition in (own, *others):
        if workspace.warehouse.stored(VECTORS, partition) is not None:
            yield workspace.warehouse.read(VECTORS, partition)
