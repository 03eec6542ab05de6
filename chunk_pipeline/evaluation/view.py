"""What a reader sees of a table: cells with what they sort by. Which rows they are belongs in ``views``."""

from __future__ import annotations

from dataclasses import dataclass

from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.warehouse.markdown import plain_text

SHOWN_ROWS = 200
"""Longest list that is shown; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as shown, and what it sorts by.

    Attributes:
        text: As shown.
        sort: A number or a text.
        note: Shown smaller beside the text: the interval of a figure.
    """

    text: str
    sort: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as shown.

    Attributes:
        title: Its heading.
        caption: How to read it.
        columns: Headings.
        rows: Cells.
        folded: Whether it is detail that a reader opens, left out of Markdown.
    """

    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False


def text_cell(value: object) -> Cell:
    """A text on one line, without characters that act."""
    text = plain_text(str(value))
    return Cell(text, text)


def number_cell(value: float | None, form: str) -> Cell:
    """A number written by a format; a dash where there is none."""
    return Cell("–", "") if value is None else Cell(format(value, form), str(value))


def scope(category: str) -> str:
    """A category in a heading."""
    return "All categories" if category == ALL else category


def left_off(n: int, what: str) -> str:
    """How many there are, and how many of them are shown."""
    return f"{n} {what}." if n <= SHOWN_ROWS else f"{n} {what}, the first {SHOWN_ROWS} shown."
