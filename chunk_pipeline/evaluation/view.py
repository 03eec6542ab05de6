"""What a reader sees of a table: headings, captions, cells. Which rows they are belongs in ``views``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.warehouse.plain_text import plain_text

SHOWN_ROWS = 200
"""Longest list that is shown; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as shown.

    Attributes:
        text: As shown; the page sorts by it, a number with its commas and its per cent sign as a number.
        note: Shown smaller beside the text: the interval of a figure.
        words: Whether it is text and not a number.
        best: Whether it is the best of its column.
    """

    text: str
    note: str = ""
    words: bool = False
    best: bool = False


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

    def is_words(self, column: int) -> bool:
        """Whether a column holds text: then it is aligned to the left."""
        return bool(self.rows) and self.rows[0][column].words


@dataclass(frozen=True, slots=True)
class Section:
    """What is shown of a category.

    Attributes:
        anchor: Its name in links.
        title: Its heading.
        lead: What to do, in sentences, the first of which says it all; may be empty.
        views: Its tables.
    """

    anchor: str
    title: str
    lead: tuple[str, ...]
    views: tuple[TableView, ...]


def text_cell(value: object, note: str = "") -> Cell:
    """A text on one line, with the characters that act written out."""
    return Cell(plain_text(str(value)), note, words=True)


def number_cell(value: float | None, form: str) -> Cell:
    """A number written by a format; a dash where there is none."""
    return Cell("–" if value is None or value != value else format(value, form))


def estimate_cell(row: Mapping[str, float]) -> Cell:
    """A mean with its 95% interval, from a row of ``retrieval_metrics``."""
    return Cell(f"{row['value']:.3f}", f"{row['low']:.3f}–{row['high']:.3f}")


def with_best(rows: Sequence[tuple[Cell, ...]], columns: Iterable[int]) -> tuple[tuple[Cell, ...], ...]:
    """The rows with the highest numbers of these columns marked, where they are not all the same."""
    marked = [list(row) for row in rows]
    for column in columns:
        texts = [row[column].text for row in rows if row[column].text not in ("", "–")]
        if len(set(texts)) > 1:
            best = max(texts, key=lambda text: float(text.rstrip("%").replace(",", "")))
            for row in marked:
                row[column] = replace(row[column], best=row[column].text == best)
    return tuple(tuple(row) for row in marked)


def scope(category: str) -> str:
    """A category in a heading."""
    return "All categories" if category == ALL else category


def left_off(n: int, what: str) -> str:
    """How many there are, and how many of them are shown."""
    return f"{n} {what}." if n <= SHOWN_ROWS else f"{n} {what}, the first {SHOWN_ROWS} shown."
