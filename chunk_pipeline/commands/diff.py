"""``chunk-pipeline diff``: what differs between two releases."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from chunk_pipeline.commands.console import output, workspace_with_bars
from chunk_pipeline.commands.failures import FAILED, UsageError
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.settings import Settings
from chunk_pipeline.warehouse.differences import Difference, FigureChange, difference
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.plain_text import json_text
from chunk_pipeline.warehouse.releases import Numbered, at, whole_releases

CURRENT, PREVIOUS = "current", "previous"

NAMED = 20
"""Files and figures that are printed; ``--json`` has all."""


def diff(
    before: Annotated[str, typer.Argument(help="Number of a release, 'previous' or 'current'.")] = PREVIOUS,
    after: Annotated[str, typer.Argument(help="Number of a release, 'previous' or 'current'.")] = CURRENT,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with everything.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 where they differ.")] = False,
) -> None:
    """Tell what differs from one release to another: files and their fates, chunks, figures.

    A release is the whole warehouse as of the end of a run; the newest are kept
    (CHUNK_PIPELINE_CATALOG_VERSIONS). By default, what the last run that changed something changed.

    Exit code 0, also where they differ. 1: they differ and --exit-code was given, or a table is damaged.
    2: there is no such release.
    """
    with workspace_with_bars(Settings()) as workspace:
        releases = whole_releases(workspace.warehouse)
        first, last = _chosen(releases, before), _chosen(releases, after)
        found = difference(_view(workspace.warehouse, first), _view(workspace.warehouse, last))
    if as_json:
        typer.echo(json_text({"before": first.number, "after": last.number, **asdict(found)}))
    else:
        _print(found, first.number, last.number)
    if exit_code and not found.is_empty:
        raise typer.Exit(FAILED)


def _view(warehouse: Warehouse, release: Numbered) -> Warehouse:
    return at(warehouse, release.release)


def _chosen(releases: list[Numbered], wanted: str) -> Numbered:
    """The release of a number, or the last or last but one.

    Raises:
        UsageError: There is none; the message lists those there are.
    """
    back = {CURRENT: 1, PREVIOUS: 2}.get(wanted)
    if back is not None and len(releases) >= back:
        return releases[-back]
    for each in releases:
        if wanted == str(each.number):
            return each
    there = ", ".join(str(each.number) for each in releases) or "none"
    raise UsageError(f"there is no release {wanted}; there are: {there}")


def _print(found: Difference, before: int, after: int) -> None:
    if found.is_empty:
        output.print(f"Releases {before} and {after} hold the same files, chunks and figures.")
        return
    output.print(_file_table(found, f"Files, release {before} to {after}"))
    for each in found.files[:NAMED]:
        told = "; ".join(f"{name}: {each.before.get(name)} → {value}" for name, value in each.after.items())
        shown = f" ({told})" if each.change == "changed" else ""
        output.print(f"{each.change:8}{each.repository}/{each.path}{shown}")
    _print_more(len(found.files), "files")
    if found.chunks:
        output.print(_chunk_table(found))
    shown_figures = [each for each in found.figures if _is_of_interest(each)]
    if shown_figures:
        output.print(_figure_table(shown_figures[:NAMED]))
    _print_more(len(shown_figures), "figures")
    output.print(
        f"{len(found.files)} files, {sum(each.added for each in found.chunks)} chunks added and "
        f"{sum(each.removed for each in found.chunks)} removed, {len(found.figures)} figures differ."
    )


def _print_more(count: int, what: str) -> None:
    if count > NAMED:
        output.print(f"and {count - NAMED} more {what}; --json has all")


def _file_table(found: Difference, title: str) -> Table:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found.files:
        counts[each.repository][each.change] += 1
        for name in ("fate", "category"):
            counts[each.repository][name] += each.change == "changed" and name in each.after
    table = Table(
        "source", "added", "changed", "removed", "of another fate", "of another category", title=title
    )
    for repository, of in sorted(counts.items()):
        names = ("added", "changed", "removed", "fate", "category")
        table.add_row(repository, *(str(of[name]) for name in names))
    return table


def _chunk_table(found: Difference) -> Table:
    table = Table("strategy", "source", "added", "removed", "same", title="Chunks")
    for each in found.chunks:
        table.add_row(each.strategy, each.repository, str(each.added), str(each.removed), str(each.same))
    return table


def _is_of_interest(each: FigureChange) -> bool:
    """Over all routes, and of structure over all categories; the others are in ``--json``."""
    return each.key.get("route", ALL) == ALL and (
        each.table != "structure_metrics" or each.key["category"] == ALL
    )


def _figure_table(figures: list[FigureChange]) -> Table:
    table = Table("figure", "of", "before", "after", title="Figures that differ")
    for each in figures:
        of = ", ".join(value for name, value in each.key.items() if name not in ("metric", "route"))
        table.add_row(each.key["metric"], of, _shown(each.before), _shown(each.after))
    return table


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
