r"""Rows as Markdown tables, with text of the sources made harmless.

Texts come from repositories that nobody vouches for: pipes would break the table, HTML would be rendered, an
image would tell its server who reads, and what hides or acts on a terminal would do so in the raw file
(``plain_text`` writes it out). Everything that starts a construct is escaped. Escapes do not keep renderers
from making links of bare addresses, since they look for them in the text that is left: a word with an address
in it stands in a code span, where nothing is looked for. Tested with a renderer that lets raw HTML through.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from chunk_pipeline.warehouse.plain_text import cut_short

CELL_CHARACTERS = 80
_STARTING = str.maketrans({character: f"\\{character}" for character in "\\`*_[]{}~^$#|"})
"""Characters that start something anywhere in a line; angle brackets and ampersands become entities."""
_OPENING = re.compile(r"(\d{0,9})(?=(?:[-+=:]+|(?<=\d)[.)])(?: |$))")
"""Where a line's first word would make it an item, a rule, a definition or the line above a heading."""
_WORDS = re.compile(r"([ |]+)")
_ADDRESS = re.compile(r"://|www\.|mailto:|xmpp:|[^\s@]@[^\s@]", re.IGNORECASE)
_BACKTICKS = re.compile("`+")


def markdown_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> str:
    """A Markdown table of the rows; cells are cut at 80 characters.

    Args:
        rows: Mappings from column to value.
        columns: Which columns, in which order; by default those of the first row.
    """
    names = list(columns if columns is not None else (rows[0] if rows else ()))
    if not names:
        return "(no rows)"
    lines = [f"| {' | '.join(map(markdown_cell, names))} |", f"|{' --- |' * len(names)}"]
    lines += [f"| {' | '.join(markdown_cell(row.get(name)) for name in names)} |" for row in rows]
    return "\n".join(lines)


def markdown_cell(value: object, limit: int = CELL_CHARACTERS) -> str:
    """A value as the text of one table cell: one line, escaped, cut short."""
    if value is None:
        return ""
    cut = cut_short(f"{value:.4g}" if isinstance(value, float) else str(value), limit)
    return "".join(map(_word, _WORDS.split(cut.strip(" "))))


def markdown_line(value: object, limit: int) -> str:
    """A value as a heading, an item or a paragraph: as in a cell, and its beginning makes it nothing else."""
    text = markdown_cell(value, limit)
    found = _OPENING.match(text)
    return f"{found[0]}\\{text[found.end() :]}" if found else text


def _word(word: str) -> str:
    """A word, or the blanks and bars between two, so that it is shown as it is."""
    if _ADDRESS.search(word):
        return _code(word)
    return html.escape(word, quote=False).translate(_STARTING)


def _code(word: str) -> str:
    """A code span: its fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(word)), default=0)
    fence, pad = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{pad}{word}{pad}{fence}"
