"""Every scanned file has exactly one fate (blocking); none is in quarantine, no JSON name stands twice."""

from collections.abc import Iterator

import dagster as dg

from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.json_names import prove_json_names
from chunk_pipeline.stages.table_proofs import prove_files
from chunk_pipeline.stages.workspace import Workspace

BLOCKING = "every_file_has_one_fate"


@dg.multi_asset_check(
    specs=[
        dg.AssetCheckSpec(
            BLOCKING,
            asset=keys.FILTERED_FILES,
            description="Every scanned path is kept, dropped for a reason, or quarantined with an error.",
            blocking=True,
            partitions_def=REPOSITORY,
        ),
        dg.AssetCheckSpec(
            "nothing_quarantined",
            asset=keys.FILTERED_FILES,
            description="Every file that the profile keeps could be read and decoded.",
            partitions_def=REPOSITORY,
        ),
        dg.AssetCheckSpec(
            "no_secrets_found",
            asset=keys.FILTERED_FILES,
            description="Nothing that was read looks like a credential. What does was redacted, left out or "
            "only listed, as the profile says; `secrets` says where it stands. Change what is real, allow "
            "what is not.",
            partitions_def=REPOSITORY,
        ),
    ]
)
def filtered_files_checks(
    context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> Iterator[dg.AssetCheckResult]:
    """Compare the fates with the scan, and list what is in quarantine."""
    name = source_name(context.op_execution_context.partition_key)
    for finding in prove_files(workspace, name):
        yield check_result(finding, keys.FILTERED_FILES, blocking=finding.name == BLOCKING)


@dg.asset_check(
    asset=keys.LABELLED_FILES,
    name="json_names_unique",
    description="No object of a JSON file has two members of one name: both stay in the text, but readers of "
    "JSON disagree on which of the two counts.",
    partitions_def=REPOSITORY,
)
def json_names_check(
    context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.AssetCheckResult:
    """List the names that stand twice."""
    name = source_name(context.op_execution_context.partition_key)
    return check_result(prove_json_names(workspace, name), keys.LABELLED_FILES, blocking=False)
