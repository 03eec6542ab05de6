"""An index holds exactly the chunks that are indexed (blocking)."""

from collections.abc import Callable, Sequence

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.stages.finding import Finding
from chunk_pipeline.stages.table_proofs import prove_bm25_index, prove_dense_index
from chunk_pipeline.stages.workspace import Workspace


def index_check(
    key: dg.AssetKey, strategy: Strategy, proof: Callable[[Workspace, Strategy], Finding]
) -> dg.AssetChecksDefinition:
    """The check on one index."""

    @dg.asset_check(
        asset=key,
        name="index_holds_every_chunk",
        description="The index holds every chunk of the indexed categories, once, and nothing else.",
        blocking=True,
    )
    def check(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
        return check_result(proof(workspace, strategy), key, blocking=True)

    return check


def indexes_checks(strategies: Sequence[Strategy]) -> list[dg.AssetChecksDefinition]:
    """The checks of all indexes."""
    dense = [index_check(keys.dense_index(each.name), each, prove_dense_index) for each in strategies]
    bm25 = [index_check(keys.bm25_index(each.name), each, prove_bm25_index) for each in strategies]
    return [*dense, *bm25]
