"""A CSV file as its reader sees it: the texts of its cells, with the place of each character.

Cells are separated by line breaks that stand nowhere in the file. The columns that a source maps for itself
are not known here: where none is known, the widest of the first rows counts as header.
"""

from __future__ import annotations

import re

import numpy as np

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.reading import Reading
from chunk_pipeline.chunking.registry_csv.layout import HEADER_ROWS, Layout, find_table, guessed
from chunk_pipeline.chunking.registry_csv.mappings import SLOTS

EXTRA_COLUMN = "column"
"""What a cell is called that has no column."""

_WORD = re.compile(r"\w+")


def read_csv(text: str) -> Reading:
    """Read a CSV file.

    Returns:
        The cells' texts in the order of the file. ``names`` are the words of its column names, of which a
        chunk shows those of its cells, and the slots.

    Raises:
        UnparsableError: It is empty, binary or too large, or a quote is never closed.
    """
    layout, rows = _layout(text)
    parts: list[tuple[int, int]] = []
    pieces: list[str] = []
    names = {*SLOTS, EXTRA_COLUMN, *_WORD.findall(" ".join(layout.columns))}
    for place, record in enumerate(layout.records(text)):
        for field in record.fields:
            pieces += (field.value, "\n")
            parts.extend(field.parts)
            parts.append((-1, field.end))
        if place in rows:
            names.update(word for field in record.fields for word in _WORD.findall(field.value))
    starts, ends = _places(parts)
    return Reading("".join(pieces), starts, ends, frozenset(names))


def _layout(text: str) -> tuple[Layout, range]:
    """The layout, and the rows that may hold the names of columns."""
    try:
        layout = find_table(text).layout
    except UnparsableError:
        return guessed(text), range(HEADER_ROWS)
    return layout, range(layout.header, layout.header + 1)


def _places(parts: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """One place for each character of the parts; a part that begins at -1 is a line break of no width."""
    stretches = np.array(parts, dtype=np.int64).reshape(-1, 2)
    added = stretches[:, 0] < 0
    first = np.where(added, stretches[:, 1], stretches[:, 0])
    lengths = np.where(added, 1, stretches[:, 1] - stretches[:, 0])
    behind = np.cumsum(lengths)
    starts = np.repeat(first - (behind - lengths), lengths) + np.arange(behind[-1] if len(behind) else 0)
    return starts, starts + ~np.repeat(added, lengths)
