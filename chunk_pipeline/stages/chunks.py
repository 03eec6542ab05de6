"""From labelled files to chunks, for one repository and one strategy."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.repository import Chunked, Cut, Texts, cut_changed
from chunk_pipeline.chunking.reuse import CHUNK_COLUMNS, SKIP_COLUMNS
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.isolation.limits import FileLimits
from chunk_pipeline.stages.refresh import Outcome, Patch, Target, Work, previous, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import Inputs, inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, QUARANTINE, SKIPS

VERSION = 4
"""Raised when the rows made from a strategy's chunks change, the strategies being the same."""

SAME_STAGE = {"stage": VERSION}
"""What earlier rows must have been made by to be taken over."""


def chunk_files(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Cut a repository's files with a strategy; files cut before are taken from the previous table."""
    strategy = bound(workspace, name, strategy)
    warehouse = workspace.warehouse
    repository = partition_key(name)
    files = files_of(strategy, warehouse.read(FILES, Partition(repository=repository)))

    targets = cut_targets(repository, strategy.name)

    def compute() -> Work:
        columns = {SKIPS: SKIP_COLUMNS, CHUNKS: CHUNK_COLUMNS}
        before = previous(workspace, targets, SAME_STAGE, columns)
        known = Chunked(chunks=before[2], skips=before[1], quarantine=before[0]) if before else None
        told = partial(workspace.progress, f"{strategy.name}: files of {name}")
        texts_of = partial(stored_texts, workspace, repository)
        cut = cut_changed(strategy, files, texts_of, known, told, workspace.isolated)
        if known and all(warehouse.can_patch(each.table, each.partition) for each in targets[1:]):
            return Work(_patches(cut, known), _counts(cut.chunked))
        whole = cut.merged(_whole(workspace, targets)) if known else cut.chunked
        return Work((whole.quarantine, whole.skips, whole.chunks), _counts(whole))

    return refresh(workspace, targets, _inputs(strategy, files, workspace.isolated.limits), compute)


def cut_targets(repository: str, strategy: str) -> tuple[Target, ...]:
    """What cutting a repository (partition key) by a strategy writes."""
    own = Partition(strategy=strategy, repository=repository)
    stage = Partition(stage=f"chunks_{strategy}", repository=repository)
    return Target(QUARANTINE, stage), Target(SKIPS, own), Target(CHUNKS, own)


def cut_files(
    workspace: Workspace, name: str, strategy: Strategy, files: pa.Table, texts_of: Texts
) -> Chunked:
    """Cut files of a source by a bound strategy; what was cut before is taken over from the tables."""
    before = previous(workspace, cut_targets(partition_key(name), strategy.name), SAME_STAGE)
    known = Chunked(chunks=before[2], skips=before[1], quarantine=before[0]) if before else None
    told = partial(workspace.progress, f"{strategy.name}: files of {name}")
    cut = cut_changed(strategy, files, texts_of, known, told, workspace.isolated)
    return cut.merged(known) if known else cut.chunked


def _patches(cut: Cut, known: Chunked) -> tuple[pa.Table | Patch, ...]:
    """What changes in the tables: the rows of files that were cut anew, or are gone."""
    new, stays = cut.chunked, set(cut.reused)
    patches = []
    for before, rows in ((known.skips, new.skips), (known.chunks, new.chunks)):
        paths = {*before["path"].to_pylist(), *rows["path"].to_pylist()}
        patches.append(Patch(rows, frozenset(paths - stays)))
    return (cut.merged_quarantine(known.quarantine), *patches)


def _whole(workspace: Workspace, targets: tuple[Target, ...]) -> Chunked:
    quarantine, skips, chunks = (workspace.warehouse.read(each.table, each.partition) for each in targets)
    return Chunked(chunks, skips, quarantine)


def _counts(chunked: Chunked) -> dict[str, int]:
    return {
        "files_chunked": chunked.n_files_chunked,
        "files_reused": chunked.n_files_reused,
        "files_isolated": chunked.n_files_isolated,
    }


def stored_texts(workspace: Workspace, repository: str, digests: Collection[str]) -> pa.Table:
    """Rows of ``CONTENTS`` of a repository (partition key), reading only the files that hold them."""
    own = Partition(repository=repository)
    return workspace.warehouse.read_keys(CONTENTS, own, digests, CONTENTS.schema.names)


def files_of(strategy: Strategy, files: pa.Table) -> pa.Table:
    """The kept files that the strategy cuts."""
    kept = files.filter(pc.equal(files["fate"], "kept"))
    labels = zip(kept["category"].to_pylist(), kept["language"].to_pylist(), strict=True)
    return kept.filter(pa.array([strategy.takes(*each) for each in labels], pa.bool_()))


def bound(workspace: Workspace, name: str, strategy: Strategy) -> Strategy:
    """The strategy with the budget of its models, and the encoder, which is loaded only if a file is cut."""
    if strategy.needs_budget:
        strategy = strategy.with_budget(workspace.budget(name, strategy.categories))
    if not strategy.needs_encoder:
        return strategy
    return strategy.with_encoder(workspace.passage_vectors, workspace.model_key)


def _inputs(strategy: Strategy, files: pa.Table, limits: FileLimits) -> Inputs:
    """What the chunks depend on; not the snapshot, so a commit that touches other files changes nothing."""
    columns = ["path", "content_sha256", "encoding", "category", "attributes"]
    return inputs_of(
        stage=VERSION,
        strategy=[strategy.name, strategy.version, strategy.settings],
        limits=[limits.seconds, limits.memory_mb],
        files=[list(row.values()) for row in files.select(columns).to_pylist(maps_as_pydicts="strict")],
    )
