"""From chunks to vectors and postings, a repository and a strategy at a time; gold queries to vectors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.embedding.inputs import embedded_texts
from chunk_pipeline.embedding.models import Model, model
from chunk_pipeline.embedding.vector_store import Embedded, embed_chunks
from chunk_pipeline.retrieval.bm25 import COUNTED_COLUMNS, postings_of, uncounted
from chunk_pipeline.stages.passages import model_of, passages_of
from chunk_pipeline.stages.refresh import (
    Outcome,
    Patch,
    Target,
    Work,
    contents_digest,
    previous,
    refresh,
)
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition
from chunk_pipeline.warehouse.table import joined
from chunk_pipeline.warehouse.tables import CHUNKS, GOLD_QUERIES, POSTINGS, VECTORS

VERSION = 3
"""Raised when the same texts give other vectors than before, the model being the same: no earlier ones are
then taken over."""

POSTINGS_VERSION = 4
"""Raised when the same texts give other postings than before: no earlier ones are then taken over."""


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


def passage_columns(workspace: Workspace) -> tuple[str, ...]:
    """What of chunks decides what the models are given; facts, of which there are many, only for tags."""
    columns = ("chunk_id", "repository", "category", "text", "text_sha256")
    return (*columns, "facts") if workspace.sources.context_tags else columns


def embed(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Encode a repository's chunks; texts whose vector is stored anywhere are not encoded again."""
    repository = partition_key(name)
    own = Partition(strategy=strategy.name, repository=repository)
    told = partial(workspace.progress, f"{strategy.name}: texts of {name}")

    def compute() -> Work:
        chunks = indexed_chunks(workspace, strategy, repository, passage_columns(workspace))
        passages = passages_of(workspace, chunks)
        stored = _stored_texts(workspace, own, passages)
        if stored is None:
            return _encoded(workspace, passages, own, (strategy.name, name), told)
        return _patched(workspace, passages, own, (strategy.name, name), told, stored)

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


def _stored_texts(workspace: Workspace, own: Partition, passages: pa.Table) -> frozenset[str] | None:
    """Digests of the texts whose vectors are stored, or ``None`` where all are to be laid down anew.

    They are where another model reads the texts, or several do.
    """
    warehouse, models = workspace.warehouse, _models(passages)
    if warehouse.stored(VECTORS, own) is None or not warehouse.can_patch(VECTORS, own):
        return None
    try:
        rows = warehouse.read(VECTORS, own, columns=["model", "text_sha256"])
    except DamagedTableError:
        return None
    if len(models) != 1 or _models(rows) != models or not _same_stage(workspace, own):
        return None
    return frozenset(rows["text_sha256"].to_pylist())


def _same_stage(workspace: Workspace, partition: Partition) -> bool:
    """Whether vectors were made by this version of the stage, or taken over from an older store."""
    manifest = workspace.warehouse.manifest(VECTORS, partition)
    return manifest is not None and manifest.inputs.get("stage", VERSION) == VERSION


def _patched(
    workspace: Workspace,
    passages: pa.Table,
    own: Partition,
    labels: tuple[str, str],
    told: Progress,
    stored: frozenset[str],
) -> Work:
    """The vectors of texts that are new, in place of those of texts that are gone."""
    wanted = frozenset(passages["text_sha256"].to_pylist())
    new = wanted - stored
    left = passages.filter(pc.is_in(passages["text_sha256"], pa.array(sorted(new), pa.string())))
    [key] = _models(passages)
    part = _embedded(workspace, left, key, _known(workspace, own, new), labels, told)
    counts = {
        "texts_encoded": part.n_encoded,
        "texts_reused": len(wanted) - part.n_encoded,
        "tokens_encoded": part.n_tokens,
    }
    return Work((Patch(part.vectors, new | (stored - wanted)),), counts)


def _encoded(
    workspace: Workspace, given: pa.Table, own: Partition, labels: tuple[str, str], told: Progress
) -> Work:
    """The vectors of texts, each by the model of its row, and what they cost."""
    parts: list[Embedded] = []
    for key in _models(given) or [workspace.model_key]:
        texts = given.filter(pc.equal(given["model"], key))
        parts.append(_embedded(workspace, texts, key, _known(workspace, own), labels, told))
    return Work(
        (joined([part.vectors for part in parts]),),
        {
            "texts_encoded": sum(part.n_encoded for part in parts),
            "texts_reused": sum(part.n_reused for part in parts),
            "tokens_encoded": sum(part.n_tokens for part in parts),
        },
    )


def _embedded(
    workspace: Workspace,
    texts: pa.Table,
    key: str,
    known: Iterator[pa.Table],
    labels: tuple[str, str],
    told: Progress,
) -> Embedded:
    wanted = model_of(workspace, key)
    load, count = partial(workspace.encoder_of, wanted.name), partial(_counts, workspace, wanted)
    return embed_chunks(texts, load, key, known, *labels, wanted.dimension, told, count)


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
        before = None
        if workspace.warehouse.can_patch(POSTINGS, own):
            before = previous(workspace, targets, {"stage": POSTINGS_VERSION}, {POSTINGS: COUNTED_COLUMNS})
        if before is None:
            return Work((postings_of(chunks, strategy.name, name),), {"chunks_tokenised": chunks.num_rows})
        left, stale = uncounted(chunks, before[0])
        new = postings_of(left, strategy.name, name)
        replaces = stale.union(new["chunk_id"].to_pylist())
        return Work((Patch(new, replaces),), {"chunks_tokenised": left.num_rows})

    return refresh(workspace, targets, inputs, compute)


def _counts(workspace: Workspace, wanted: Model, texts: Sequence[str]) -> list[int]:
    """Tokens of texts; the tokenizer is read only if there are any."""
    return workspace.counter_of(wanted).counts(texts)


def _models(given: pa.Table) -> list[str]:
    """Keys of the models that read something, sorted."""
    return sorted(pc.unique(given["model"]).to_pylist())


def _known(
    workspace: Workspace, own: Partition, digests: Collection[str] | None = None
) -> Iterator[pa.Table]:
    """Stored vectors, the likeliest first: this partition's, then everyone else's.

    Args:
        workspace: Where they are stored.
        own: The partition that is made.
        digests: Texts that are looked for; other files than those that may hold them are not read.
    """
    warehouse = workspace.warehouse
    others = [each for each in warehouse.partitions(VECTORS) if each != own]
    for partition in (own, *others):
        if warehouse.stored(VECTORS, partition) is None or not _same_stage(workspace, partition):
            continue
        try:
            if digests is None:
                yield warehouse.read(VECTORS, partition)
            else:
                yield warehouse.read_keys(VECTORS, partition, digests, VECTORS.schema.names)
        except DamagedTableError:
            continue  # what it holds is encoded again; its own run mends it
