"""Whether there is anything to do, found by asking every stage without letting it work."""

from __future__ import annotations

from collections.abc import Sequence

from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.stages.catalog import gone, is_published
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import NotMaterializedError, filter_source, label_source, scan_source
from chunk_pipeline.stages.embeddings import embed, post
from chunk_pipeline.stages.refresh import StaleError
from chunk_pipeline.stages.rolled_up import roll_ups_are_current
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.releases import is_release_current


def is_settled(workspace: Workspace, names: Sequence[str]) -> bool:
    """Whether there is nothing to do at all: no source to ingest, no roll-up, nothing to drop.

    Args:
        workspace: One that only asks (``asking=True``).
        names: Source names.
    """
    if gone(workspace) or not is_rolled_up(workspace):
        return False
    return all(is_up_to_date(workspace, each) for each in names)


def is_up_to_date(workspace: Workspace, name: str) -> bool:
    """Whether a repository's whole chain was made from its present snapshot, code and settings.

    A source that cannot be reached is not: its run says what is wrong.

    Args:
        workspace: One that only asks (``asking=True``).
        name: Source name.
    """
    try:
        scan_source(workspace, name)
        filter_source(workspace, name)
        label_source(workspace, name)
        for strategy in workspace.strategies:
            chunk_files(workspace, name, strategy)
            embed(workspace, name, strategy)
            post(workspace, name, strategy)
    except (StaleError, SourceUnreachableError, NotMaterializedError):
        return False
    return True


def is_rolled_up(workspace: Workspace) -> bool:
    """Whether roll-ups, the catalog and the newest release were made from the present tables.

    Args:
        workspace: One that only asks (``asking=True``).
    """
    published = roll_ups_are_current(workspace) and is_published(workspace)
    return published and is_release_current(workspace.warehouse)
