"""From a source to labelled files, for one source."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from chunk_pipeline.corpus.filtering import Filtered, filter_files, scan
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.origins import is_elsewhere, note_origin, settle_origin
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.snapshot import open_snapshot, pinned_snapshot
from chunk_pipeline.stages.refresh import Outcome, Patch, StaleError, Target, Work, previous, refresh
from chunk_pipeline.stages.vanished import refuse_unlike_before
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition, Stored
from chunk_pipeline.warehouse.tables import (
    CONTENTS,
    FILES,
    FILTERED_FILES,
    QUARANTINE,
    RAW_FILES,
    SECRETS,
    Table,
)

VERSION = 2
"""Raised when the same files get other fates, texts or labels than before, the profile being the same."""

STAGE = "filtered_files"
"""Stage of the quarantine rows written here."""


class NotMaterializedError(RuntimeError):
    """A stage's input is not there; the message says what to run first."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was scanned, and the snapshot that it was scanned at."""

    outcome: Outcome
    snapshot: str


def scan_source(workspace: Workspace, name: str) -> Scanned:
    """List every path of a source's present snapshot. The network step: git sources are fetched.

    Raises:
        SourceUnreachableError: The source cannot be reached; what was known of it stays.
        SourceEmptiedError: Nothing is left of what was ingested, and no person accepted that.
        HistoryRewrittenError: The branch no longer has the ingested commit in its history, likewise.
        StaleError: The workspace only asks, and there is work to do.
    """
    sources = workspace.sources
    source = sources.source(name)
    profile = sources.profile(source.profile)
    snapshot = open_snapshot(source, profile, workspace.cache)
    if workspace.asking and is_elsewhere(source, workspace.cache, snapshot.id):
        raise StaleError(f"{name}: the same commit under another ref or address is still to be noted")

    def compute() -> Work:
        rows = scan(source, profile, snapshot)
        if name not in workspace.accept_empty:
            refuse_unlike_before(workspace, source, profile, rows, snapshot.id)
        note_origin(source, workspace.cache, snapshot.id)
        return Work((rows,), {"files_scanned": rows.num_rows})

    inputs = inputs_of(
        stage=VERSION,
        snapshot=snapshot.id,
        sub_path=source.sub_path,
        pruned=sorted(profile.pruned),
        cap=profile.cap,
    )
    own = Partition(repository=partition_key(name))
    outcome = refresh(workspace, (Target(RAW_FILES, own),), inputs, compute)
    if not workspace.asking:
        settle_origin(source, workspace.cache, snapshot.id)
    return Scanned(outcome, snapshot.id)


def filter_targets(repository: str | None) -> tuple[Target, ...]:
    """What filtering writes of a repository (partition key)."""
    own = Partition(repository=repository)
    stage = Partition(stage=STAGE, repository=repository)
    shared = (Target(CONTENTS, own), Target(SECRETS, own), Target(FILTERED_FILES, own))
    return (Target(QUARANTINE, stage), *shared)


def filtered_before(workspace: Workspace, repository: str | None) -> Filtered | None:
    """The last outcome of filtering a repository (partition key), if it is there and whole.

    Of the contents there are only the digests, where a patch can leave the texts where they lie.
    """
    own = Partition(repository=repository)
    columns = {CONTENTS: ["content_sha256"]} if workspace.warehouse.can_patch(CONTENTS, own) else None
    before = previous(workspace, filter_targets(repository), {"stage": VERSION}, columns)
    if before is None:
        return None
    quarantine, contents, secrets, files = before
    return Filtered(files, contents, quarantine, secrets)


def filter_source(workspace: Workspace, name: str) -> Outcome:
    """Give every scanned file its fate and decode the kept ones; unchanged files are not read again.

    Raises:
        NotMaterializedError: The source was never scanned.
    """
    warehouse = workspace.warehouse
    sources = workspace.sources
    source = sources.source(name)
    profile = sources.profile(source.profile)
    own = Partition(repository=partition_key(name))
    targets = filter_targets(own.repository)
    scanned = _needed(workspace, RAW_FILES, own, "raw_files")

    def compute() -> Work:
        raw = warehouse.read(RAW_FILES, own)
        known = filtered_before(workspace, own.repository)
        commit = raw["snapshot"][0].as_py() if raw.num_rows else ""
        snapshot = pinned_snapshot(source, workspace.cache, commit)
        filtered = filter_files(raw, snapshot, source, profile, known, workspace.isolated)
        return Work(
            (filtered.quarantine, _contents(filtered, known), filtered.secrets, filtered.files),
            {"files_read": filtered.n_read, "files_unread": filtered.n_reused},
        )

    converts = "document" in profile.labels.values()
    inputs = inputs_of(
        stage=VERSION,
        raw=scanned.content,
        profile=profile.tag(source.encodings),
        limits=workspace.isolated.limits.tag if converts else "",
    )
    return refresh(workspace, targets, inputs, compute)


def _contents(filtered: Filtered, known: Filtered | None) -> pa.Table | Patch:
    """All contents, or what changes in them where their texts were not read."""
    if known is None or "text" in known.contents.schema.names:
        return filtered.contents
    before = set(known.contents["content_sha256"].to_pylist())
    new = set(filtered.contents["content_sha256"].to_pylist())
    return Patch(filtered.contents, frozenset((before | new) - filtered.stays))


def label_source(workspace: Workspace, name: str) -> Outcome:
    """Give every kept file its category.

    Raises:
        NotMaterializedError: The source was never filtered.
    """
    sources = workspace.sources
    source = sources.source(name)
    labels = sources.profile(source.profile).labels
    own = Partition(repository=partition_key(name))
    filtered = _needed(workspace, FILTERED_FILES, own, "filtered_files")

    def compute() -> Work:
        rows = label_files(workspace.warehouse.read(FILTERED_FILES, own), source, labels)
        return Work((rows,), {"files_labelled": rows.num_rows})

    inputs = inputs_of(
        stage=VERSION, filtered=filtered.content, metadata=dict(source.metadata), labels=dict(labels)
    )
    return refresh(workspace, (Target(FILES, own),), inputs, compute)


def _needed(workspace: Workspace, table: Table, partition: Partition, asset: str) -> Stored:
    stored = workspace.warehouse.stored(table, partition)
    if stored is None:
        raise NotMaterializedError(
            f"{asset} of {partition.repository} is not there or damaged; materialise it first"
        )
    return stored
