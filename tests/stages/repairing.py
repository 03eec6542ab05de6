"""An ordinary run in place of the orchestrator's, for repairs of small projects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from stages_project import ingest, roll_up

from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.refresh import Outcome
from chunk_pipeline.stages.workspace import Workspace


def runner(workspace: Workspace, ran: list[str]) -> Callable[[list[str]], list[JobResult]]:
    """Ingest the named sources and roll up; tells the tables that were made again."""

    def run(names: list[str]) -> list[JobResult]:
        results = []
        for name in names:
            try:
                results.append(_result(name, ingest(workspace, name), ran))
            except SourceUnreachableError as error:
                results.append(JobResult(name, succeeded=False, errors=(str(error),)))
        if all(each.succeeded for each in results):
            results.append(_result("evaluate", roll_up(workspace), ran))
        return results

    return run


def _result(name: str, outcomes: Iterable[Outcome], ran: list[str]) -> JobResult:
    counts: Counter[str] = Counter()
    for each in outcomes:
        counts.update(each.counts)
        if not each.up_to_date:
            ran.append(each.target.table.name)
    return JobResult(name, succeeded=True, counts=counts)
