"""Whether there is anything to do, found by asking every stage without letting it work."""

from __future__ import annotations

from collections.abc import Sequence

from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.stages.catalog import gone, is_published
from chunk_pipeline.stages.chunk_metadata import describe
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import NotMaterializedError, filter_source, label_source, scan_source
from chunk_pipeline.stages.deduplication import find_duplicates
from chunk_pipeline.stages.embeddings import embed, embed_queries, post
from chunk_pipeline.stages.entities import collect_entities, find_mentions
from chunk_pipeline.stages.evaluation import mine_gold, rank, report
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.refresh import StaleError
from chunk_pipeline.stages.workspace import Workspace


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
    """Whether entities, indexes, rankings, reports and the catalog were made from the present tables.

    Args:
        workspace: One that only asks (``asking=True``).
    """
    try:
        _heritage(workspace)
        mine_gold(workspace)
        embed_queries(workspace)
        for strategy in workspace.strategies:
            build_bm25_index(workspace, strategy)
            build_dense_index(workspace, strategy)
            rank(workspace, strategy)
        report(workspace)
    except StaleError:
        return False
    return is_published(workspace)


def _heritage(workspace: Workspace) -> None:
    """Ask what is known over all heritage chunks together; nothing where no strategy gives facts."""
    telling = [each for each in workspace.strategies if each.gives_facts]
    if not telling:
        return
    collect_entities(workspace)
    for strategy in telling:
        find_mentions(workspace, strategy)
        describe(workspace, strategy)
    find_duplicates(workspace)
