"""``chunk-pipeline plan``: what a run would do, without doing it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from chunk_pipeline.commands.console import errors, output, workspace_with_bars
from chunk_pipeline.commands.failures import FAILED
from chunk_pipeline.commands.run import RepositoryOption, SourcesOption, names_of, settings_for
from chunk_pipeline.stages.plan import plan as plan_run
from chunk_pipeline.stages.planned import Plan, SourcePlan
from chunk_pipeline.warehouse.plain_text import json_text, plain_text

NAMED = 5
"""Paths of each kind that are printed; ``--json`` has all."""


def plan(
    sources: SourcesOption = None,
    repository: RepositoryOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with every path.")] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 also where there is something to do.")
    ] = False,
) -> None:
    """Say what a run would do: files by what became of them and by rule, chunks, texts and tokens to encode.

    Files are read and cut as the run would do it, so its numbers are those of the run that follows; nothing
    is encoded and no table is written. The time is told from what earlier runs took on this machine.

    Exit code 0; 1 where a source cannot be read, or with --exit-code where there is something to do; 2 for
    bad usage or configuration.
    """
    with workspace_with_bars(settings_for(sources)) as workspace:
        planned = plan_run(workspace, names_of(workspace, repository))
    if as_json:
        typer.echo(json_text(_everything(planned)))
    else:
        _print(planned)
    failed = any(source.error for source in planned.sources)
    if failed or (exit_code and not planned.is_empty):
        raise typer.Exit(FAILED)


def _everything(planned: Plan) -> dict[str, object]:
    totals = {name: getattr(planned, name) for name in ("files_chunked", "texts_encoded", "tokens_encoded")}
    return {**asdict(planned), **totals, "is_empty": planned.is_empty}


def _print(planned: Plan) -> None:
    output.print(_table(planned))
    for source in planned.sources:
        _print_files(source)
        if source.error:
            errors.print(
                f"would fail: {plain_text(source.source)}: {plain_text(source.error)}",
                style="red",
                markup=False,
                highlight=False,
            )
    seconds = "unknown: no such work was measured yet" if planned.seconds is None else _told(planned.seconds)
    lines = (
        f"{planned.files_chunked} files to chunk, {planned.texts_encoded} texts with "
        f"{planned.tokens_encoded} tokens to encode ({planned.queries_encoded} of them gold queries).",
        f"Indexes, rankings and reports: {'made anew' if planned.rolled_up else 'as they are'}."
        + (f" {planned.dropped} partitions of what is gone would be dropped." if planned.dropped else ""),
        f"Time: {seconds}.",
    )
    for line in lines:
        output.print(line, markup=False, highlight=False)


def _table(planned: Plan) -> Table:
    table = Table(
        *("source", "added", "changed", "removed", "read", "excluded", "quarantined"),
        *("files to chunk", "chunks added", "removed", "texts to encode", "tokens"),
        title="What a run would do",
    )
    for source in planned.sources:
        files, total = source.files, Counter[str]()
        for each in source.strategies:
            total.update({name: value for name, value in asdict(each).items() if isinstance(value, int)})
        excluded = sum(count for _, count in files.excluded)
        counts = (len(files.added), len(files.changed), len(files.removed), files.read, excluded)
        work = ("files_chunked", "chunks_added", "chunks_removed", "texts_encoded", "tokens_encoded")
        table.add_row(
            plain_text(source.source),
            *(str(count) for count in (*counts, files.quarantined)),
            *(str(total[name]) for name in work),
        )
    return table


def _print_files(source: SourcePlan) -> None:
    files = source.files
    for what, paths in (("added", files.added), ("changed", files.changed), ("removed", files.removed)):
        if paths:
            named = ", ".join(plain_text(path) for path in paths[:NAMED])
            more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
            line = f"{plain_text(source.source)}: {what}: {named}{more}"
            output.print(line, markup=False, highlight=False)
    if files.excluded:
        rules = ", ".join(f"{plain_text(reason)} {count}" for reason, count in files.excluded)
        output.print(f"{plain_text(source.source)}: excluded: {rules}", markup=False, highlight=False)


def _told(seconds: float) -> str:
    return f"about {seconds:.0f} s" if seconds >= 1 else "less than a second"
