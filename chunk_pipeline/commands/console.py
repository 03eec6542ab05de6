"""The terminal: results to standard output, progress and errors to standard error.

Texts of the sources get here: paths, chunks, errors that quote a file. No command need think of it: what
these consoles are given as a string is never read as markup, and what would act is written out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.plain_text import plain_lines, plain_text

INTERRUPTED = 130

WIDTH_OF_A_FILE = 160
"""Columns of a table that goes into a file or a pipe; a terminal has its own."""


class PlainConsole(Console):
    """A console on which no text acts, whoever wrote it: words with a style of our own come as ``Text``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """Every string that is printed, also the cells and headings of a table, comes through here."""
        return super().render_str(plain_lines(text), **{**settings, "markup": False, "emoji": False})


def _console(*, stderr: bool) -> PlainConsole:
    console = PlainConsole(stderr=stderr, soft_wrap=True)
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
            self._tasks[what] = self._progress.add_task(plain_text(what), total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)
        if done >= total:
            self._progress.remove_task(self._tasks.pop(what))


@contextmanager
def workspace_with_bars(settings: Settings) -> Iterator[Workspace]:
    """A workspace whose long work shows on the terminal; an interruption ends the command with code 130."""
    columns = (
        TextColumn("{task.description}", markup=False),
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
