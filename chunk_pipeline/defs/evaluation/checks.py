"""Every span of the gold lies in a kept file (blocking): a gold set that points nowhere proves nothing."""

import dagster as dg

from chunk_pipeline.defs import keys
from chunk_pipeline.defs.findings import check_result
from chunk_pipeline.stages.table_proofs import prove_gold
from chunk_pipeline.stages.workspace import Workspace


@dg.asset_check(asset=keys.GOLD_QUERIES, blocking=True)
def gold_resolves(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
    """Every relevant span lies inside a kept file."""
    return check_result(prove_gold(workspace), keys.GOLD_QUERIES, blocking=True)
