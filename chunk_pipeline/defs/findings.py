"""Findings of the library as check results of the UI: the figure, and the ten worst rows as a table."""

from __future__ import annotations

import dagster as dg

from chunk_pipeline.stages.finding import Finding
from chunk_pipeline.warehouse.markdown import markdown_table


def check_result(finding: Finding, key: dg.AssetKey, *, blocking: bool) -> dg.AssetCheckResult:
    """A finding as a check result; what does not block only warns."""
    return dg.AssetCheckResult(
        check_name=finding.name,
        asset_key=key,
        passed=finding.passed,
        severity=dg.AssetCheckSeverity.ERROR if blocking else dg.AssetCheckSeverity.WARN,
        metadata={
            "figure": finding.figure,
            "of": finding.of,
            "worst": dg.MetadataValue.md(markdown_table(finding.worst)),
        },
    )
