"""Every indexed chunk has a sound vector (blocking), made of its whole text (not blocking)."""

from collections.abc import Sequence

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.table_proofs import prove_nothing_truncated, prove_vectors
from chunk_pipeline.stages.workspace import Workspace


def embeddings_check(strategy: Strategy) -> dg.AssetChecksDefinition:
    """The check on a strategy's vectors."""
    key = keys.embeddings(strategy.name)

    @dg.asset_check(
        asset=key,
        name="vectors_complete_and_sound",
        description="Every indexed chunk has a finite vector of unit length, and no vector is left over.",
        blocking=True,
        partitions_def=REPOSITORY,
    )
    def check(
        context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.AssetCheckResult:
        name = source_name(context.op_execution_context.partition_key)
        return check_result(prove_vectors(workspace, name, strategy), key, blocking=True)

    return check


def truncation_check(strategy: Strategy) -> dg.AssetChecksDefinition:
    """The check that no text is over its model's limit; it only warns."""
    key = keys.embeddings(strategy.name)

    @dg.asset_check(
        asset=key,
        name="nothing_truncated",
        description="No text has more tokens than its model reads: the rest would be dropped without a word.",
        partitions_def=REPOSITORY,
    )
    def check(
        context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.AssetCheckResult:
        name = source_name(context.op_execution_context.partition_key)
        return check_result(prove_nothing_truncated(workspace, name, strategy), key, blocking=False)

    return check


def embeddings_checks(strategies: Sequence[Strategy]) -> list[dg.AssetChecksDefinition]:
    """The checks of all strategies."""
    return [make(strategy) for strategy in strategies for make in (embeddings_check, truncation_check)]
