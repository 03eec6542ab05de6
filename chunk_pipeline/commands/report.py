"""``chunk-pipeline report``: where the report is, or the report itself."""

from __future__ import annotations

from typing import Annotated

import typer

from chunk_pipeline.commands.console import output
from chunk_pipeline.commands.failures import UsageError
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.evaluation import HTML_REPORT, MARKDOWN_REPORT
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.plain_text import plain_lines


def report(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the report as Markdown.")] = False,
) -> None:
    """Say where the last report is: one HTML page that works offline, and a Markdown file."""
    root = Workspace(Settings()).warehouse.root
    page = root / HTML_REPORT
    if not page.exists():
        raise UsageError(f"there is no report at {page} yet; run 'chunk-pipeline run' first")
    if markdown:
        typer.echo(plain_lines((root / MARKDOWN_REPORT).read_text(encoding="utf-8")))
        return
    output.print(f"HTML      {page}\nMarkdown  {root / MARKDOWN_REPORT}", markup=False, highlight=False)
