"""What is checked about files, vectors, indexes and gold, re-read from disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.stages.corpus import STAGE
from chunk_pipeline.stages.deduplication import searched_chunks
from chunk_pipeline.stages.embeddings import indexed_chunks
from chunk_pipeline.stages.finding import WORST, Finding, quarantined, secrets_found
from chunk_pipeline.stages.passages import model_of, passages_of
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import (
    BM25_CHUNKS,
    CONTENTS,
    DENSE_INDEX,
    FILES,
    FILTERED_FILES,
    GOLD_QUERIES,
    QUARANTINE,
    RAW_FILES,
    SECRETS,
    VECTORS,
    Table,
)

Name = TypeVar("Name", str, tuple[str, str])

NORM_TOLERANCE = 1e-3
"""How far a vector's length may be from 1."""


def prove_files(workspace: Workspace, name: str) -> list[Finding]:
    """Check that every scanned file has exactly one fate, that none is in quarantine or holds a secret."""
    warehouse = workspace.warehouse
    own = Partition(repository=partition_key(name))
    stage = Partition(stage=STAGE, repository=own.repository)
    scanned = warehouse.read(RAW_FILES, own, columns=["path"])["path"].to_pylist()
    files = warehouse.read(FILTERED_FILES, own)
    unjudged = _differing(scanned, files["path"].to_pylist())
    unreasoned = files.filter(pc.and_(pc.not_equal(files["fate"], "kept"), pc.is_null(files["reason"])))
    worst = [*({"path": path} for path in unjudged), *unreasoned.select(["path", "fate"]).to_pylist()]
    fates = Finding("every_file_has_one_fate", not worst, len(worst), len(scanned), tuple(worst[:WORST]))
    return [
        fates,
        quarantined("nothing_quarantined", warehouse.read(QUARANTINE, stage)),
        secrets_found("no_secrets_found", warehouse.read(SECRETS, own)),
    ]


def prove_vectors(workspace: Workspace, name: str, strategy: Strategy) -> Finding:
    """Check that every indexed chunk has a finite vector of length 1, and that none is left over."""
    own = Partition(strategy=strategy.name, repository=partition_key(name))
    vectors = workspace.warehouse.read(VECTORS, own)
    passages = passages_of(workspace, indexed_chunks(workspace, strategy, own.repository))
    needed = set(_keys(passages))
    stored = _keys(vectors)
    wrong = _differing(needed, stored)
    bad = [stored[place] for place in np.flatnonzero(~_sound(vectors))]
    worst = tuple({"text_sha256": digest, "model": model} for model, digest in [*wrong, *bad][:WORST])
    return Finding("vectors_complete_and_sound", not worst, len(wrong) + len(bad), len(needed), worst)


def prove_nothing_truncated(workspace: Workspace, name: str, strategy: Strategy) -> Finding:
    """Check that the models read every text whole: a model drops without a word what is over its limit.

    The chunks of a strategy that measures in the models' tokens never are over it; others may be.
    """
    own = Partition(strategy=strategy.name, repository=partition_key(name))
    vectors = workspace.warehouse.read(VECTORS, own)
    limits = {key: model_of(workspace, key).max_tokens for key in pc.unique(vectors["model"]).to_pylist()}
    counts = zip(_keys(vectors), vectors["n_tokens"].to_pylist(), strict=True)
    # A text that nobody counted may be too long for all that is known.
    over = {key: tokens for key, tokens in counts if tokens is None or tokens > limits[key[0]]}
    chunks = indexed_chunks(workspace, strategy, own.repository)
    paths = dict(zip(chunks["chunk_id"].to_pylist(), chunks["path"].to_pylist(), strict=True))
    rows = passages_of(workspace, chunks).select(["chunk_id", "model", "text_sha256"]).to_pylist()
    cut = [
        {
            "path": paths[row["chunk_id"]],
            "chunk_id": row["chunk_id"],
            "model": row["model"],
            "tokens": over[key],
            "limit": limits[row["model"]],
        }
        for row in rows
        if (key := (row["model"], row["text_sha256"])) in over
    ]
    cut.sort(key=lambda row: (-(row["tokens"] or 0), row["path"], row["chunk_id"]))
    return Finding("nothing_truncated", not cut, len(cut), len(rows), tuple(cut[:WORST]))


def prove_dense_index(workspace: Workspace, strategy: Strategy) -> Finding:
    """Check that the dense index holds exactly the indexed chunks."""
    return _holds_chunks(workspace, strategy, DENSE_INDEX)


def prove_bm25_index(workspace: Workspace, strategy: Strategy) -> Finding:
    """Check that the BM25 index holds exactly the indexed chunks."""
    return _holds_chunks(workspace, strategy, BM25_CHUNKS)


def _holds_chunks(workspace: Workspace, strategy: Strategy, index: Table) -> Finding:
    stored = workspace.warehouse.read(index, Partition(strategy=strategy.name), columns=["chunk_id"])
    needed = sorted(searched_chunks(workspace, strategy)["chunk_id"].to_pylist())
    found = stored["chunk_id"].to_pylist()
    wrong = _differing(needed, found)
    worst = tuple({"chunk_id": chunk_id} for chunk_id in wrong[:WORST])
    return Finding("index_holds_every_chunk", found == needed, len(wrong), len(needed), worst)


def prove_gold(workspace: Workspace) -> Finding:
    """Check that every relevant span of the gold lies inside a kept file."""
    warehouse = workspace.warehouse
    lengths = _lengths(warehouse.read(FILES), warehouse.read(CONTENTS))
    gold = warehouse.read(GOLD_QUERIES).select(["query", "relevant"]).to_pylist()
    spans = [(row["query"], span) for row in gold for span in row["relevant"]]
    wrong = [
        {"query": query, "path": f"{span['repository']}/{span['path']}", "start": span["start"]}
        for query, span in spans
        if not 0 <= span["start"] < span["end"] <= lengths.get((span["repository"], span["path"]), -1)
    ]
    return Finding("gold_resolves", not wrong, len(wrong), len(spans), tuple(wrong[:WORST]))


def _keys(table: pa.Table) -> list[tuple[str, str]]:
    """(model, digest) of each row."""
    return list(zip(table["model"].to_pylist(), table["text_sha256"].to_pylist(), strict=True))


def _differing(needed: Iterable[Name], found: Iterable[Name]) -> list[Name]:
    """What is missing, surplus or there more than once, sorted."""
    counts = Counter(needed)
    counts.subtract(Counter(found))
    return sorted(name for name, count in counts.items() if count)


def _lengths(files: pa.Table, contents: pa.Table) -> dict[tuple[str, str], int]:
    keys = zip(contents["repository"].to_pylist(), contents["content_sha256"].to_pylist(), strict=True)
    characters = dict(zip(keys, pc.utf8_length(contents["text"]).to_pylist(), strict=True))
    return {
        (row["repository"], row["path"]): characters.get((row["repository"], row["content_sha256"]), -1)
        for row in files.select(["repository", "path", "content_sha256"]).to_pylist()
    }


def _sound(vectors: pa.Table) -> npt.NDArray[np.bool_]:
    """Which vectors are finite and of unit length, whatever their widths."""
    if vectors.num_rows == 0:
        return np.ones(0, dtype=bool)
    column = vectors["vector"].combine_chunks()
    flat = column.flatten().to_numpy(zero_copy_only=False).astype(np.float64)
    widths = pc.list_value_length(column).to_numpy(zero_copy_only=False)
    # An empty vector has no place of its own in the sums: its length stays 0.
    squares = np.zeros(len(widths))
    np.add.at(squares, np.repeat(np.arange(len(widths)), widths), flat**2)
    return np.asarray(np.abs(np.sqrt(squares) - 1) < NORM_TOLERANCE)
