"""``raw_files`` → ``filtered_files`` → ``labelled_files``, partitioned by repository."""

import time
from typing import Any

import dagster as dg

from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.corpus.partition_keys import source_name
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.descriptions import per_repository
from chunk_pipeline.defs.metadata import materialized, table_metadata
from chunk_pipeline.defs.partitions import REPOSITORY
from chunk_pipeline.stages.corpus import VERSION, filter_source, label_source, scan_source
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.plain_text import plain_lines
from chunk_pipeline.warehouse.tables import FILES, FILTERED_FILES, RAW_FILES

RETRIES = 3
"""How often a source is asked again that may answer then."""
FIRST_WAIT = 2.0
"""Seconds before it is asked again for the first time; each wait is twice as long as the one before."""


@dg.asset(
    key=keys.RAW_FILES,
    partitions_def=REPOSITORY,
    group_name="corpus",
    kinds={"git", "parquet"},
    owners=keys.OWNERS,
    pool=keys.NETWORK_POOL,
    description=per_repository(
        "Every path of a source's current snapshot: where the pipeline begins. The snapshot is a "
        "commit of a git source or a digest of a folder."
    ),
    code_version=str(VERSION),
    metadata=table_metadata(RAW_FILES),
)
def raw_files(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """Scan the source; one that may answer later is asked again."""
    started = time.perf_counter()
    try:
        scanned = scan_source(workspace, source_name(context.partition_key))
    except SourceUnreachableError as error:
        if not error.retryable:
            raise dg.Failure(plain_lines(str(error)), allow_retries=False) from error
        # Not as a policy of the asset, by which Dagster tries an interrupted step again as well.
        wait = FIRST_WAIT * 2**context.retry_number
        raise dg.RetryRequested(max_retries=RETRIES, seconds_to_wait=wait) from error
    facts = {keys.SNAPSHOT: scanned.snapshot}
    return materialized(workspace, scanned.outcome, started, more=facts)


@dg.asset(
    key=keys.FILTERED_FILES,
    description=per_repository(
        "Every scanned file with exactly one fate and its reason: kept, dropped, or quarantined because it "
        "could not be read. The source's filter profile decides. Kept files are decoded into `contents`."
    ),
    deps=[keys.RAW_FILES],
    partitions_def=REPOSITORY,
    group_name="corpus",
    kinds={"python", "parquet"},
    owners=keys.OWNERS,
    code_version=str(VERSION),
    metadata=table_metadata(FILTERED_FILES),
)
def filtered_files(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """Judge the scanned files and decode those that are kept."""
    started = time.perf_counter()
    outcome = filter_source(workspace, source_name(context.partition_key))
    return materialized(workspace, outcome, started)


@dg.asset(
    key=keys.LABELLED_FILES,
    description=per_repository(
        "The `files` table: fates, and the category (the role of a file) that decides which strategies apply."
    ),
    deps=[keys.FILTERED_FILES],
    partitions_def=REPOSITORY,
    group_name="corpus",
    kinds={"python", "parquet"},
    owners=keys.OWNERS,
    code_version=str(VERSION),
    metadata=table_metadata(FILES),
)
def labelled_files(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[Any]:
    """Give the kept files their categories."""
    started = time.perf_counter()
    outcome = label_source(workspace, source_name(context.partition_key))
    return materialized(workspace, outcome, started)
