"""Documents with their chunks and skips as they are stored: what every proof starts from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Document, Skip, Span
from chunk_pipeline.chunking.facts.rows import facts_of
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, SKIPS

_COLUMNS = ["path", "body", "spans", "unit", "header", "opening", "closing", "overlap", "metadata", "facts"]


def cut_documents(
    workspace: Workspace, name: str, strategy: Strategy
) -> Iterator[tuple[Document, list[Chunk], list[Skip]]]:
    """The documents of a source that have chunks or skips of a strategy, by path.

    Chunks of a file that is no longer there come with an empty document, so that a proof catches them.
    """
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name, repository=partition_key(name))
    repository = Partition(repository=own.repository)
    cut = chunks_by_path(warehouse.read(CHUNKS, own))
    skipped = skips_by_path(warehouse.read(SKIPS, own))
    paths = sorted({*cut, *skipped})
    files = warehouse.read(FILES, repository)
    files = files.filter(pc.is_in(files["path"], pa.array(paths, pa.string())))
    documents = {each.path: each for each in documents_of(files, warehouse.read(CONTENTS, repository))}
    for path in paths:
        document = documents.get(path) or Document(name, path, "", "")
        yield document, cut.get(path, []), skipped.get(path, [])


def chunks_by_path(chunks: pa.Table) -> dict[str, list[Chunk]]:
    """The chunks of ``CHUNKS`` rows, in their order."""
    found: dict[str, list[Chunk]] = defaultdict(list)
    for row in chunks.select(_COLUMNS).to_pylist():
        spans = tuple(Span(span["start"], span["end"]) for span in row["spans"])
        parts = (row["unit"], row["header"], row["opening"], row["closing"], row["overlap"])
        facts = facts_of(row["facts"]) if row["facts"] else None
        found[row["path"]].append(Chunk(row["body"], spans, *parts, ChunkMetadata(**row["metadata"]), facts))
    return found


def skips_by_path(skips: pa.Table) -> dict[str, list[Skip]]:
    """The skips of ``SKIPS`` rows, in their order."""
    found: dict[str, list[Skip]] = defaultdict(list)
    for row in skips.select(["path", "start", "end", "reason"]).to_pylist():
        found[row["path"]].append(Skip(Span(row["start"], row["end"]), row["reason"]))
    return found
