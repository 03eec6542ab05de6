"""Every scanned file has exactly one fate (blocking), and none is in quarantine (warning)."""

from collections.abc import Iterator

import dagster as dg

from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.defs.partitions import REPOSITORY
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
    ]
)
def filtered_files_checks(
    context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> Iterator[dg.AssetCheckResult]:
    """Compare the fates with the scan, and list what is in quarantine."""
    name = source_name(context.op_execution_context.partition_key)
    for finding in prove_files(workspace, name):
        yield check_result(finding, keys.FILTERED_FILES, blocking=finding.name == BLOCKING)
