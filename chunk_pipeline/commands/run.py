"""``chunk-pipeline run`` and ``evaluate``: the assets, headless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from chunk_pipeline.commands.console import errors, output, workspace_with_bars
from chunk_pipeline.commands.evaluation_table import print_evaluation
from chunk_pipeline.commands.failures import FAILED, UsageError
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.current import is_settled
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.told import is_told
from chunk_pipeline.warehouse.unreported import unreported

NAMED = 3
"""Assets that a warning names."""

SourcesOption = Annotated[
    Path | None,
    typer.Option("--sources", help="Sources file. Default: CHUNK_PIPELINE_SOURCES or data/sources.yaml."),
]

RepositoryOption = Annotated[
    list[str] | None, typer.Option("--repository", help="Only this source; may be repeated.")
]


def settings_for(sources: Path | None) -> Settings:
    """The settings, with another sources file where one is given."""
    return Settings() if sources is None else Settings(sources=sources)


def run(
    sources: SourcesOption = None,
    repository: RepositoryOption = None,
    select: Annotated[
        str | None,
        typer.Option(
            "--select", help="Asset selection, as in the UI: 'chunks_json_category+', 'group:chunks'."
        ),
    ] = None,
    accept_empty: Annotated[
        list[str] | None,
        typer.Option(
            "--accept-empty",
            help="Follow this source even if all that it had is gone or its history was rewritten; "
            "may be repeated.",
        ),
    ] = None,
) -> None:
    """Bring everything into step with the sources: ingest what changed, then evaluate.

    The same assets as in the UI, in one process. What is up to date is left alone.
    Exit code 1 if a source or a blocking check failed; the other sources are done all the same.
    """
    with workspace_with_bars(settings_for(sources)) as workspace:
        names = names_of(workspace, repository)
        workspace = replace(workspace, accept_empty=frozenset(names_of(workspace, accept_empty or [])))
        # Asked first and without the orchestrator, whose start takes longer than the answer.
        knows = is_told(workspace.settings.instance_folder, workspace.warehouse)
        told = knows and not unreported(workspace.warehouse)
        if select is None and told and is_settled(replace(workspace, asking=True), names):
            results = [JobResult(name, succeeded=True, up_to_date=True) for name in (*names, "evaluate")]
        else:
            results = _run(workspace, names, select)
    _finish(workspace, results)


def _run(workspace: Workspace, names: list[str], select: str | None) -> list[JobResult]:
    from chunk_pipeline.defs.launch import open_instance, run_sources

    with open_instance(workspace.settings) as instance:
        try:
            return run_sources(workspace, instance, names, select=select, started=_announce)
        except ValueError as error:
            raise UsageError(str(error)) from error


def evaluate(sources: SourcesOption = None) -> None:
    """Build the indexes, rank the gold queries, write reports and the catalog, over what is ingested."""
    from chunk_pipeline.defs.launch import evaluate_all, open_instance

    settings = settings_for(sources)
    with workspace_with_bars(settings) as workspace, open_instance(settings) as instance:
        result = evaluate_all(workspace, instance)
    _finish(workspace, [result])


def names_of(workspace: Workspace, wanted: list[str] | None) -> list[str]:
    """The wanted sources, or all, in the order of the sources file.

    Raises:
        UsageError: There is no source of a name.
    """
    names = [source.name for source in workspace.sources.sources]
    unknown = sorted(set(wanted or ()) - set(names))
    if unknown:
        raise UsageError(f"no source is named {', '.join(unknown)}; there are: {', '.join(names) or 'none'}")
    return [name for name in names if wanted is None or name in wanted]


def _announce(name: str) -> None:
    errors.print(f"… {name}", style="dim", highlight=False)


def _finish(workspace: Workspace, results: list[JobResult]) -> None:
    output.print(_work_table(results))
    for result in results:
        for line in result.errors:
            errors.print(f"failed: {result.name}: {line}", style="red", markup=False, highlight=False)
        for told in failed_checks(result):
            errors.print(told, style="yellow", markup=False, highlight=False)
    total = sum((result.counts for result in results), Counter[str]())
    output.print(
        f"{total['files_chunked']} files chunked, {total['texts_encoded']} texts encoded.", highlight=False
    )
    print_evaluation(workspace)
    if not all(result.succeeded for result in results):
        raise typer.Exit(FAILED)


def failed_checks(result: JobResult) -> Iterator[str]:
    """A line for each check that failed, with the assets on which it did: errors first.

    Warnings are mostly of baselines that promise nothing, so of those only the first few assets are named.
    """
    assets: dict[tuple[str, str], list[str]] = {}
    for check, asset, severity in result.failed_checks:
        assets.setdefault((severity.lower(), check), []).append(asset)
    for (severity, check), failed in sorted(assets.items()):
        named = sorted(failed)[: NAMED if severity == "warn" else None]
        more = f" and {len(failed) - len(named)} more" if len(named) < len(failed) else ""
        on = ", ".join(named) + more
        yield f"{severity}: {result.name}: check {check} failed on {on}; the UI shows why"


def _work_table(results: list[JobResult]) -> Table:
    table = Table("run", "state", "files chunked", "reused", "texts encoded", "reused", title="What was done")
    for result in results:
        state = "up to date" if result.up_to_date else "done" if result.succeeded else "failed"
        counts = result.counts
        names = ("files_chunked", "files_reused", "texts_encoded", "texts_reused")
        table.add_row(result.name, state, *(str(counts[name]) for name in names))
    return table
