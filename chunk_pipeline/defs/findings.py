"""Findings of the library as check results of the UI: one sentence, the figure, and the ten worst rows.

The figures get the names that people read here; how they come about belongs in ``stages``.
"""

from __future__ import annotations

from dataclasses import dataclass

import dagster as dg

from chunk_pipeline.defs.tables import ui_table
from chunk_pipeline.stages.finding import Finding

MENDING = "The worst rows below say where; mend the source or the filter profile, then materialize again."


@dataclass(frozen=True, slots=True)
class Measure:
    """How a finding's figure is called.

    Attributes:
        figure: What the number is: a count, or a share from 0 to 1.
        of: What was looked at.
    """

    figure: str
    of: str


MEASURES = {
    "chunk_ids_unique": Measure("repeated_ids", "chunks"),
    "spans_exact": Measure("share_exact", "chunks"),
    "cover_complete": Measure("share_covered", "characters"),
    "parse_integrity": Measure("share_parsing", "chunks"),
    "within_limit": Measure("share_over_limit", "chunks"),
    "no_chunk_oversized": Measure("share_oversized", "chunks"),
    "nothing_fell_back": Measure("share_cut_another_way", "chunks"),
    "nothing_quarantined": Measure("files_quarantined", ""),
    "no_secrets_found": Measure("secrets_found", "files with secrets"),
    "source_coverage": Measure("lowest_share_of_words", "documents"),
    "no_chunk_empty": Measure("empty_chunks", "chunks"),
    "records_accounted": Measure("documents_with_lost_records", "records"),
    "xpaths_verify": Measure("xpaths_that_do_not_verify", "sections"),
    "text_is_sound": Measure("texts_that_are_not", "documents"),
    "nothing_read_with_a_warning": Measure("warnings", "chunks"),
    "nothing_truncated": Measure("texts_truncated", "texts"),
    "chunk_metadata_is_valid": Measure("rows_missing_or_not_valid", "chunks"),
    "kept_and_duplicates_are_all": Measure("duplicates", "chunks"),
    "winners_are_kept": Measure("winners_that_are_not", "duplicates"),
    "json_names_unique": Measure("names_repeated", "JSON files"),
    "every_file_has_one_fate": Measure("files_without_one_fate", "files"),
    "vectors_complete_and_sound": Measure("vectors_missing_or_unsound", "texts"),
    "index_holds_every_chunk": Measure("chunks_missing_or_left_over", "chunks"),
    "gold_resolves": Measure("spans_outside_their_file", "spans"),
}
"""By check; a check that is not listed shows ``figure`` and ``of``."""


def check_result(finding: Finding, key: dg.AssetKey, *, blocking: bool) -> dg.AssetCheckResult:
    """A finding as a check result; what does not block only warns."""
    measure = MEASURES.get(finding.name, Measure("figure", "of"))
    metadata: dict[str, dg.RawMetadataValue] = {measure.figure: round(finding.figure, 6)}
    if measure.of:
        metadata[measure.of] = finding.of
    if finding.worst:
        metadata["worst_rows"] = ui_table(finding.worst)
    return dg.AssetCheckResult(
        check_name=finding.name,
        asset_key=key,
        passed=finding.passed,
        severity=dg.AssetCheckSeverity.ERROR if blocking else dg.AssetCheckSeverity.WARN,
        description=_sentence(finding, measure, blocking=blocking),
        metadata=metadata,
    )


def _sentence(finding: Finding, measure: Measure, *, blocking: bool) -> str:
    figure = f"{measure.figure.replace('_', ' ')}: {finding.figure:.6g}"
    figure += f" of {finding.of:,} {measure.of}" if measure.of and "share" not in measure.figure else ""
    if finding.passed:
        return f"Holds ({figure})."
    held = " What is downstream was not run for this partition." if blocking else ""
    return f"Does not hold ({figure}).{held} {MENDING}"
