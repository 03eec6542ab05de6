"""Rows as Markdown tables, with text of the sources made harmless.

Texts come from repositories that nobody vouches for: pipes and line breaks would break the table, HTML would
be rendered, control characters would reach a terminal.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

CELL_CHARACTERS = 80


def markdown_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> str:
    """A Markdown table of the rows; cells are cut at 80 characters.

    Args:
        rows: Mappings from column to value.
        columns: Which columns, in which order; by default those of the first row.
    """
    names = list(columns if columns is not None else (rows[0] if rows else ()))
    if not names:
        return "(no rows)"
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    lines += [f"| {' | '.join(markdown_cell(row.get(name)) for name in names)} |" for row in rows]
    return "\n".join(lines)


def markdown_cell(value: object, limit: int = CELL_CHARACTERS) -> str:
    """A value as the text of one table cell: one line, escaped, cut short."""
    if value is None:
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    text = plain_text(text)
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    escaped = html.escape(cut, quote=False)
    for character in "\\`*_[]|":
        escaped = escaped.replace(character, f"\\{character}")
    return escaped


def plain_text(text: str) -> str:
    """The text on one line, without control, format (bidirectional) and private characters."""
    kept = (" " if character in "\n\r\t" else character for character in text)
    return "".join(character for character in kept if unicodedata.category(character) not in _UNSAFE)


_UNSAFE = frozenset({"Cc", "Cf", "Co", "Cs"})
