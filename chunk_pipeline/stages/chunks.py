"""From labelled files to chunks, for one repository and one strategy."""

from __future__ import annotations

from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.repository import Chunked, chunk_repository
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.isolation.limits import FileLimits
from chunk_pipeline.stages.refresh import Outcome, Target, Work, previous, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import Inputs, inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, QUARANTINE, SKIPS

VERSION = 3
"""Raised when the rows made from a strategy's chunks change, the strategies being the same."""


def chunk_files(workspace: Workspace, name: str, strategy: Strategy) -> Outcome:
    """Cut a repository's files with a strategy; files cut before are taken from the previous table."""
    strategy = bound(workspace, name, strategy)
    warehouse = workspace.warehouse
    repository = partition_key(name)
    files = files_of(strategy, warehouse.read(FILES, Partition(repository=repository)))

    def compute() -> Work:
        contents = warehouse.read(CONTENTS, Partition(repository=repository))
        cut = cut_files(workspace, name, strategy, files, contents)
        return Work(
            (cut.quarantine, cut.skips, cut.chunks),
            {
                "files_chunked": cut.n_files_chunked,
                "files_reused": cut.n_files_reused,
                "files_isolated": cut.n_files_isolated,
            },
        )

    targets = cut_targets(repository, strategy.name)
    return refresh(workspace, targets, _inputs(strategy, files, workspace.isolated.limits), compute)


def cut_targets(repository: str, strategy: str) -> tuple[Target, ...]:
    """What cutting a repository (partition key) by a strategy writes."""
    own = Partition(strategy=strategy, repository=repository)
    stage = Partition(stage=f"chunks_{strategy}", repository=repository)
    return Target(QUARANTINE, stage), Target(SKIPS, own), Target(CHUNKS, own)


def cut_files(
    workspace: Workspace, name: str, strategy: Strategy, files: pa.Table, contents: pa.Table
) -> Chunked:
    """Cut files of a source by a bound strategy; what was cut before is taken over from the tables."""
    before = previous(workspace, cut_targets(partition_key(name), strategy.name))
    known = Chunked(chunks=before[2], skips=before[1], quarantine=before[0]) if before else None
    told = partial(workspace.progress, f"{strategy.name}: files of {name}")
    return chunk_repository(strategy, files, contents, known, told, workspace.isolated)


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
