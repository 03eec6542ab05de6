"""Checks on what is known of heritage chunks: words, records, XPaths, the text itself, metadata, duplicates.

Lost words and lost records block, as lost characters do; an XPath that does not verify and a text that burst
warn: the text is kept, and a person must look at the source.
"""

from collections.abc import Iterator, Sequence

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.deduplication import prove_duplicates
from chunk_pipeline.stages.heritage_proofs import prove_heritage
from chunk_pipeline.stages.metadata_proofs import prove_chunk_metadata
from chunk_pipeline.stages.workspace import Workspace

OF_CHUNKS = {
    "source_coverage": "Each document's words are in its chunks to 99.5%, what was skipped on purpose apart.",
    "no_chunk_empty": "No chunk's body is empty or blank.",
    "records_accounted": "Rows and messages in are those in chunks, joined, or skipped with a reason.",
    "xpaths_verify": "Each section's XPath selects one element of the page, and that holds its text.",
    "text_is_sound": "No text burst into lines of one character or holds what a wrong decoding leaves.",
    "nothing_read_with_a_warning": "No type was unknown, no slot filled twice, nothing odd in a record.",
}
BLOCKING = {"source_coverage", "no_chunk_empty", "records_accounted"}

OF_DUPLICATES = {
    "kept_and_duplicates_are_all": "The chunks that are kept and the duplicates are all chunks, each once.",
    "winners_are_kept": "Every duplicate names a chunk that is there and is kept.",
}


def heritage_chunks_check(strategy: Strategy) -> dg.AssetChecksDefinition:
    """The further checks on the chunks of a strategy that gives facts."""
    key = keys.chunks(strategy.name)

    @dg.multi_asset_check(
        name=f"heritage_{strategy.name}_checks",
        specs=[
            dg.AssetCheckSpec(
                name, asset=key, description=text, blocking=name in BLOCKING, partitions_def=REPOSITORY
            )
            for name, text in OF_CHUNKS.items()
        ],
    )
    def check(
        context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.AssetCheckResult]:
        name = source_name(context.op_execution_context.partition_key)
        for finding in prove_heritage(workspace, name, strategy):
            yield check_result(finding, key, blocking=finding.name in BLOCKING)

    return check


def chunk_metadata_check(strategy: Strategy) -> dg.AssetChecksDefinition:
    """The check on what is known of a strategy's chunks."""
    key = keys.chunk_metadata(strategy.name)

    @dg.asset_check(
        asset=key,
        name="chunk_metadata_is_valid",
        description="Each chunk with facts has one row, and every row is valid for its kind of source.",
        blocking=True,
    )
    def check(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
        return check_result(prove_chunk_metadata(workspace, strategy), key, blocking=True)

    return check


@dg.multi_asset_check(
    name="duplicates_checks",
    specs=[
        dg.AssetCheckSpec(name, asset=keys.DUPLICATES, description=text, blocking=True)
        for name, text in OF_DUPLICATES.items()
    ],
)
def duplicates_checks(workspace: dg.ResourceParam[Workspace]) -> Iterator[dg.AssetCheckResult]:
    """Count what is kept and what is not."""
    for finding in prove_duplicates(workspace):
        yield check_result(finding, keys.DUPLICATES, blocking=True)


def heritage_checks(strategies: Sequence[Strategy]) -> list[dg.AssetChecksDefinition]:
    """The checks of the strategies that give facts; none where there are none."""
    telling = [each for each in strategies if each.gives_facts]
    if not telling:
        return []
    by_strategy = [make(each) for each in telling for make in (heritage_chunks_check, chunk_metadata_check)]
    return [*by_strategy, duplicates_checks]
