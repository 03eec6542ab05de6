"""``chunk-pipeline sources``: list, add, check, and bring the UI's partitions into step."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.table import Table

from chunk_pipeline.commands.console import errors, output
from chunk_pipeline.commands.failures import FAILED, UsageError
from chunk_pipeline.commands.run import SourcesOption, settings_for
from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.corpus.snapshot import head_of
from chunk_pipeline.corpus.sources import Source, add_source
from chunk_pipeline.stages.workspace import Workspace

app = typer.Typer(help="The sources file: what is read.", no_args_is_help=True)


@app.command("list")
def list_sources(sources: SourcesOption = None) -> None:
    """List the sources with their kind, place and profile."""
    workspace = Workspace(settings_for(sources))
    table = Table("name", "kind", "place", "ref", "profile")
    for source in workspace.sources.sources:
        ref = source.ref if source.kind == "git" else ""
        table.add_row(source.name, source.kind, place_of(source), ref, source.profile)
    output.print(table)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Name of the source; the partition is named after it.")],
    place: Annotated[str, typer.Argument(help="Git URL, or a folder.")],
    kind: Annotated[str, typer.Option(help="git or folder.")] = "git",
    ref: Annotated[str, typer.Option(help="Branch, tag or commit (git).")] = "HEAD",
    sub_path: Annotated[str, typer.Option(help="Only this folder of the repository.")] = "",
    depth: Annotated[int | None, typer.Option(help="Fetch only so many commits (git).", min=1)] = None,
    profile: Annotated[str, typer.Option(help="Filter profile.")] = "default",
    sources: SourcesOption = None,
) -> None:
    """Add a source to the sources file, keeping its comments."""
    if kind not in ("git", "folder"):
        raise UsageError(f"--kind is git or folder, not {kind!r}")
    settings = settings_for(sources)
    # In the sources file a relative path starts at that file; here it starts where the person is.
    local = str(Path(place).absolute()) if kind == "folder" or Path(place).exists() else place
    fields = {"url": local, "ref": ref, "depth": depth} if kind == "git" else {"path": local}
    try:
        source = Source.model_validate(
            {"name": name, "kind": kind, "sub_path": sub_path, "profile": profile, **fields}
        )
    except ValidationError as error:
        problems = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors())
        raise UsageError(problems) from error
    add_source(settings.sources, source)
    output.print(f"added {name} to {settings.sources}; 'chunk-pipeline run' ingests it", highlight=False)


@app.command()
def check(
    reach: Annotated[bool, typer.Option(help="Also ask each source for its head.")] = True,
    sources: SourcesOption = None,
) -> None:
    """Check the sources file line by line, and that each source answers. Exit code 1 if one does not."""
    workspace = Workspace(settings_for(sources))
    declared = workspace.sources
    failed = False
    for source in declared.sources if reach else ():
        try:
            head = head_of(source, declared.profile(source.profile), workspace.cache)
            output.print(f"{source.name}: {head}", markup=False, highlight=False)
        except SourceUnreachableError as error:
            failed = True
            errors.print(f"{source.name}: {error}", style="red", markup=False, highlight=False)
    if failed:
        raise typer.Exit(FAILED)
    output.print(f"{workspace.settings.sources}: {len(declared.sources)} sources, no error", highlight=False)


@app.command()
def sync(sources: SourcesOption = None) -> None:
    """Bring the UI's partitions into step with the sources file, so that Materialize works at once."""
    from chunk_pipeline.defs.launch import open_instance
    from chunk_pipeline.defs.partitions import bring_into_step

    settings = settings_for(sources)
    with open_instance(settings) as instance:
        added, removed = bring_into_step(instance, Workspace(settings).sources)
    if not added and not removed:
        output.print("the partitions are in step with the sources file")
    for verb, names in (("added", added), ("removed", removed)):
        for name in names:
            output.print(f"{verb} partition {name}", markup=False, highlight=False)


def place_of(source: Source) -> str:
    """Where a source lies: its URL without credentials, or its folder."""
    if source.kind == "folder":
        return str(source.path)
    return re.sub(r"//[^/@]*@", "//", str(source.url))
