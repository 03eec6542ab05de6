"""Whether the roll-ups were made from the present tables, found by asking them without letting them work."""

from __future__ import annotations

from dataclasses import replace

from chunk_pipeline.stages.chunk_metadata import describe
from chunk_pipeline.stages.deduplication import find_duplicates
from chunk_pipeline.stages.embeddings import embed_queries
from chunk_pipeline.stages.entities import collect_entities, find_mentions
from chunk_pipeline.stages.evaluation import mine_gold, rank, report
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.refresh import StaleError
from chunk_pipeline.stages.workspace import Workspace


def roll_ups_are_current(workspace: Workspace) -> bool:
    """Whether entities, indexes, rankings and reports were made from the present tables."""
    asking = workspace if workspace.asking else replace(workspace, asking=True)
    try:
        _heritage(asking)
        mine_gold(asking)
        embed_queries(asking)
        for strategy in asking.strategies:
            build_bm25_index(asking, strategy)
            build_dense_index(asking, strategy)
            rank(asking, strategy)
        report(asking)
    except StaleError:
        return False
    return True


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
