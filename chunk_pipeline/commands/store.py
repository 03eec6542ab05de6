"""``chunk-pipeline verify``, ``repair`` and ``gc``: is what is stored whole, make it whole, clear it up."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict
from typing import Annotated

import typer

from chunk_pipeline.commands.console import errors, output, workspace_with_bars
from chunk_pipeline.commands.failures import FAILED, UsageError
from chunk_pipeline.commands.run import SourcesOption, settings_for
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.stages.housekeeping import collect_garbage
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.repair import Repair
from chunk_pipeline.stages.repair import repair as repair_store
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.collection import KINDS, Garbage
from chunk_pipeline.warehouse.manifest import DamagedTableError
from chunk_pipeline.warehouse.owners import owners
from chunk_pipeline.warehouse.plain_text import json_text
from chunk_pipeline.warehouse.turns import turn
from chunk_pipeline.warehouse.verification import Damage, Verification
from chunk_pipeline.warehouse.verification import verify as verify_store

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object with everything.")]

NAMED = 10
"""Files that no manifest names that are printed; ``--json`` has all."""

NOUNS = {
    "release": "releases",
    "manifest": "manifests",
    "data": "data files",
    "leftover": "leftovers of killed writers",
    "mirror": "mirrors of git sources that are gone",
}


def verify(
    repository: Annotated[str | None, typer.Option(help="Only the tables of this source.")] = None,
    as_json: JsonOption = False,
    sources: SourcesOption = None,
) -> None:
    """Read everything that is stored again and hold it against what was written: every byte, row and digest.

    Names each thing that is damaged or missing, and what it belongs to. Files that no manifest names are
    listed, and harm nobody. Runs may go on meanwhile.

    Exit code 0: all is whole. 1: something is damaged ('chunk-pipeline repair' makes it again). 2: bad usage.
    """
    with workspace_with_bars(settings_for(sources)) as workspace:
        key = None if repository is None else _known(workspace, repository)
        found = verify_store(workspace.warehouse, repository=key, told=workspace.progress)
    if as_json:
        typer.echo(json_text({"whole": found.whole, **asdict(found)}))
    else:
        _print_found(found)
    if not found.whole:
        raise typer.Exit(FAILED)


def repair(sources: SourcesOption = None) -> None:
    """Make again what is damaged and nothing else, then verify again.

    The stages whose tables are damaged are run from the sources as they are now, and what depends on them as
    far as it changed. Whole vectors are kept: only the texts of lost ones are encoded again. Releases of the
    past that are lost with it are named and deleted.

    Exit code 0: all is whole. 1: something could not be made again, and is named. 2: bad usage.
    """
    with workspace_with_bars(settings_for(sources)) as workspace:
        done = repair_store(workspace, lambda names: _run(workspace, names))
    _print_repair(done)
    if not done.succeeded:
        raise typer.Exit(FAILED)


def gc(
    older_than: Annotated[
        float | None,
        typer.Option(
            "--older-than",
            metavar="HOURS",
            min=0,
            help="Keep what is younger. Default: CHUNK_PIPELINE_RETENTION_HOURS or 24.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    as_json: JsonOption = False,
    sources: SourcesOption = None,
) -> None:
    """Remove what nobody needs: superseded manifests, files that none names, leftovers, old releases.

    What the newest manifests and the kept releases name always stays, and so does whatever counted until
    less than the retention ago: who reads it still may. Waits until no run is going on.

    Exit code 0. 1: the disk refused. 2: bad usage, or the sources file does not load.
    """
    with workspace_with_bars(settings_for(sources)) as workspace:
        waiting = "waiting for other runs to end"
        with turn(workspace.warehouse, alone=True, waiting=lambda: errors.print(waiting)):
            found = collect_garbage(workspace, time.time(), hours=older_than, dry_run=dry_run)
    if as_json:
        removed = [{"kind": each.kind, "path": str(each.path), "size": each.size} for each in found]
        typer.echo(json_text({"dry_run": dry_run, "removed": removed}))
    else:
        _print_garbage(found, "would be removed" if dry_run else "removed")


def _known(workspace: Workspace, name: str) -> str:
    """The partition key of a source that is in the sources file or stored.

    Raises:
        UsageError: There is none of that name.
    """
    names = [source.name for source in workspace.sources.sources]
    key = partition_key(name) if name else ""
    stored = {owner.partition.repository for owner in owners(workspace.warehouse)}
    if name not in names and key not in stored:
        raise UsageError(f"no source is named {name!r}; there are: {', '.join(names) or 'none'}")
    return key


def _run(workspace: Workspace, names: list[str]) -> list[JobResult]:
    """The ordinary run of the named sources; tables that are still damaged fail it."""
    from chunk_pipeline.defs.launch import open_instance, run_sources

    with open_instance(workspace.settings) as instance:
        try:
            return run_sources(workspace, instance, names, started=lambda name: errors.print(f"… {name}"))
        except DamagedTableError as error:
            return [JobResult("run", succeeded=False, errors=(str(error),))]


def _print_found(found: Verification) -> None:
    _print_damages(found.damages, "Damaged:")
    if found.unnamed:
        output.print(f"{len(found.unnamed)} files that no manifest names (gc removes those of ours):")
        for path in found.unnamed[:NAMED]:
            output.print(f"  {path}")
        if len(found.unnamed) > NAMED:
            output.print(f"  and {len(found.unnamed) - NAMED} more")
    if found.behind:
        output.print("The tables are newer than the newest release: a run did not end. Run again.")
    read = f"{found.manifests} manifests, {found.files} data files, {found.size:,} bytes"
    told = "all is whole" if found.whole else f"{len(found.damages)} damaged: run 'chunk-pipeline repair'"
    output.print(f"{read}, {found.releases} releases: {told}.")


def _print_damages(damages: tuple[Damage, ...], title: str) -> None:
    """A line for each; no table, which would break the paths."""
    if damages:
        output.print(title)
    for each in damages:
        of = "" if each.path.startswith(each.place) else f" (of {each.place})"
        output.print(f"  {each.kind:9}{each.path}: {each.says}{of}")


def _print_repair(done: Repair) -> None:
    if done.before.whole:
        output.print("All is whole; there was nothing to repair.")
        return
    _print_damages(done.before.damages, "What was damaged:")
    counts = sum((each.counts for each in done.results), Counter[str]())
    names = ", ".join(each.name for each in done.results if not each.up_to_date) or "nothing"
    chunked, encoded = counts["files_chunked"], counts["texts_encoded"]
    output.print(f"Run again: {names}; {chunked} files chunked, {encoded} texts encoded.")
    for sentence in done.lost:
        output.print(sentence)
    for result in done.results:
        for line in result.errors:
            errors.print(f"could not be repaired: {result.name}: {line}", style="red")
    if done.after.whole:
        output.print(f"{len(done.before.damages)} repaired, all is whole.")
    else:
        _print_damages(done.after.damages, "What is still damaged:")


def _print_garbage(found: list[Garbage], verb: str) -> None:
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for each in found:
        sizes[each.kind] += each.size
        counts[each.kind] += 1
    for kind in KINDS:
        if counts[kind]:
            output.print(f"{counts[kind]} {NOUNS[kind]} {verb}, {sizes[kind]:,} bytes")
    output.print(f"{len(found)} {verb}, {sum(sizes.values()):,} bytes.")
