"""What ``run`` says of checks that failed."""

from __future__ import annotations

from chunk_pipeline.commands.run import failed_checks
from chunk_pipeline.stages.job_result import JobResult


def result(*failed: tuple[str, str, str]) -> JobResult:
    return JobResult("harbour", succeeded=True, failed_checks=failed)


def test_errors_come_first_and_name_every_asset() -> None:
    failed = [("within_limit", "chunks_b", "WARN")]
    failed += [("cover_complete", f"chunks_{letter}", "ERROR") for letter in "edcba"]
    first, second = failed_checks(result(*failed))
    assert first == (
        "error: harbour: check cover_complete failed on chunks_a, chunks_b, chunks_c, chunks_d, chunks_e; "
        "the UI shows why"
    )
    assert second == "warn: harbour: check within_limit failed on chunks_b; the UI shows why"


def test_a_warning_on_many_assets_names_the_first_and_counts_the_others() -> None:
    (line,) = failed_checks(result(*(("parse_integrity", f"chunks_{place}", "WARN") for place in range(9))))
    assert line == (
        "warn: harbour: check parse_integrity failed on chunks_0, chunks_1, chunks_2 and 6 more; "
        "the UI shows why"
    )


def test_nothing_failed_is_nothing_said() -> None:
    assert list(failed_checks(result())) == []
