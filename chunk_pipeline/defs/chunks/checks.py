"""Parse integrity, limits, exact spans, cover, unique ids: checks for each strategy, a repository at a time.

Spans, cover and ids block for every strategy: going on would spread damage. Parse integrity and the limit
block where the strategy promises them. Oversized chunks, other ways of cutting and quarantined files warn.
"""

from collections.abc import Iterator, Sequence

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.chunk_proofs import prove_chunks
from chunk_pipeline.stages.workspace import Workspace

DESCRIPTIONS = {
    "chunk_ids_unique": "No two chunks of the repository have the same id.",
    "spans_exact": "What a chunk's body holds stands in the source at the chunk's spans, in order; "
    "it shares with the chunks before what its overlap says, and nothing with a skip.",
    "cover_complete": "Every character of every file is in a chunk or in a listed skip.",
    "parse_integrity": "Every chunk parses on its own, less those cut in another way.",
    "within_limit": "No chunk's text is longer than the strategy's limit, less those that nothing can cut.",
    "no_chunk_oversized": "No chunk is longer than 1.5 times the strategy's limit.",
    "nothing_fell_back": "Every chunk was cut in the strategy's own way.",
    "nothing_quarantined": "The strategy could read every file of its categories.",
}
ALWAYS_BLOCKING = {"chunk_ids_unique", "spans_exact", "cover_complete"}


def chunks_check(strategy: Strategy) -> dg.AssetChecksDefinition:
    """The checks on a strategy's chunks."""
    key = keys.chunks(strategy.name)
    promised = {"parse_integrity": strategy.promises_integrity, "within_limit": strategy.promises_limit}
    blocking = ALWAYS_BLOCKING | {name for name, is_promised in promised.items() if is_promised}

    @dg.multi_asset_check(
        name=f"chunks_{strategy.name}_checks",
        specs=[
            dg.AssetCheckSpec(
                name, asset=key, description=text, blocking=name in blocking, partitions_def=REPOSITORY
            )
            for name, text in DESCRIPTIONS.items()
        ],
    )
    def check(
        context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.AssetCheckResult]:
        name = source_name(context.op_execution_context.partition_key)
        for finding in prove_chunks(workspace, name, strategy):
            yield check_result(finding, key, blocking=finding.name in blocking)

    return check


def chunks_checks(strategies: Sequence[Strategy]) -> list[dg.AssetChecksDefinition]:
    """The checks of all strategies."""
    return [chunks_check(strategy) for strategy in strategies]
