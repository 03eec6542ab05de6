"""The terminal: results to standard output, progress and errors to standard error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace

INTERRUPTED = 130

WIDTH_OF_A_FILE = 160
"""Columns of a table that goes into a file or a pipe; a terminal has its own."""


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, soft_wrap=True)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH_OF_A_FILE
    return console


output = _console(stderr=False)
errors = _console(stderr=True)


class Bars:
    """Progress bars, one a kind of work; a bar that is done goes away."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how far the work is."""
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)
        if done >= total:
            self._progress.remove_task(self._tasks.pop(what))


@contextmanager
def workspace_with_bars(settings: Settings) -> Iterator[Workspace]:
    """A workspace whose long work shows on the terminal; an interruption ends the command with code 130."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    try:
        with Progress(*columns, console=errors, transient=True) as progress:
            yield Workspace(settings, Bars(progress))
    except KeyboardInterrupt:
        errors.print("interrupted; what was finished stays, and running again goes on from there")
        raise typer.Exit(INTERRUPTED) from None
