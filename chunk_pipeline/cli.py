"""The command line: everything that the UI does, without it.

Exit codes: 0 done; 1 something failed (a source, a check), the rest was done; 2 bad usage or configuration;
130 interrupted. Results go to standard output, progress and errors to standard error.
"""

from __future__ import annotations

import sys
import traceback
from importlib.metadata import version
from typing import Annotated

import typer

from chunk_pipeline.commands import diff, doctor, export, plan, report, run, search, sources, store
from chunk_pipeline.commands.console import errors
from chunk_pipeline.commands.failures import FAILED, explain

app = typer.Typer(
    name="chunk-pipeline",
    help="Cut each kind of file the way that retrieves best, prove it, and keep the index fresh.\n\n"
    "Exit codes: 0 done; 1 something failed, the rest was done; 2 bad usage or configuration; "
    "130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("run")(run.run)
app.command("plan")(plan.plan)
app.command("evaluate")(run.evaluate)
app.command("search")(search.search)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("diff")(diff.diff)
app.command("verify")(store.verify)
app.command("repair")(store.repair)
app.command("gc")(store.gc)
app.command("doctor")(doctor.doctor)
app.add_typer(sources.app, name="sources")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("chunk_pipeline"))
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Entry point: known errors become one line and an exit code, never a traceback."""
    try:
        app()
    except Exception as error:
        told = explain(error)
        # Also a fault of ours may quote a file: even its traceback goes through the console.
        shown = "".join(traceback.format_exception(error)).rstrip() if told is None else told.message
        errors.print(shown, style="red" if told else None)
        sys.exit(told.code if told else FAILED)
