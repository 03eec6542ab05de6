"""Holding a scan against what was ingested before; the judgement itself is in ``corpus.vanishing``."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from chunk_pipeline.corpus.git_fetch import OBJECT_ID
from chunk_pipeline.corpus.origins import is_elsewhere
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.snapshot import descends_from
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.corpus.vanishing import Listing, listing_of, refuse_vanished
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition
from chunk_pipeline.warehouse.tables import FILES, FILTERED_FILES, RAW_FILES


def refuse_unlike_before(
    workspace: Workspace, source: Source, profile: Profile, rows: pa.Table, snapshot: str
) -> None:
    """Refuse a scan in which a source lost what it had (``corpus.vanishing`` says when and raises what).

    Args:
        workspace: Where the tables are.
        source: The source.
        profile: Its profile.
        rows: ``RAW_FILES`` of the scan.
        snapshot: What was scanned.
    """
    before = last_listing(workspace, source.name)
    if before is None or not before.snapshot:
        return
    # A ref that is a full commit id names what is wanted: whatever it is, it was asked for.
    asked = bool(OBJECT_ID.fullmatch(source.ref)) or is_elsewhere(source, workspace.cache, before.snapshot)
    descends = descends_from(source, workspace.cache, snapshot, before.snapshot)
    now = replace(listing_of(rows), snapshot=snapshot)
    refuse_vanished(source, profile, before, now, descends=descends, asked=asked)


def last_listing(workspace: Workspace, name: str) -> Listing | None:
    """What is known of a source from its last ingestion, or ``None`` where there was none.

    Where the scan's own table is lost or damaged, the tables made from it still say what there was.
    """
    own = Partition(repository=partition_key(name))
    for table in (RAW_FILES, FILTERED_FILES, FILES):
        try:
            if workspace.warehouse.stored(table, own) is not None:
                return listing_of(workspace.warehouse.read(table, own))
        except DamagedTableError:
            continue
    return None
