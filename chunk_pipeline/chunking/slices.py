"""Whether a slice of a source is whole in the format of its file: what a strategy that knows none breaks.

A text strategy's chunks always parse as text. Side by side with strategies that know a row, a message or an
element, they are held to the same: no row is torn, no tag is left open, JSON and YAML parse. What does not
belong here: chunks that are plain text made from a source (``syntax``).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping

from chunk_pipeline.chunking.registry_csv.records import SEPARATORS
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.website.scanning import Tag, Unclosed, scan

# fmt: off
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
})
"""Elements without an end tag (HTML standard, section 13.1.2)."""
_END_MAY_LACK = frozenset({
    "body", "caption", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p", "rp",
    "rt", "tbody", "td", "tfoot", "th", "thead", "tr",
})
# fmt: on
"""Elements whose end tag may be left out (HTML standard, section 13.1.2.4)."""
_MARKDOWN = (".md", ".markdown")


def slice_is_whole(category: str, path: str, passage: str) -> bool:
    """Whether a slice is whole.

    Args:
        category: Category of its file.
        path: Path of its file: documents are of several formats.
        passage: The slice.

    Returns:
        True as well for what has no format to break.
    """
    if category == "document" and path.lower().endswith(_MARKDOWN):
        category = "markdown"
    whole = _WHOLE.get(category)
    return whole is None or whole(passage)


def rows_are_whole(text: str) -> bool:
    """Whether all rows of CSV have the same number of cells, lines of one cell (titles) apart."""
    return any(_is_table(text, separator) for separator in SEPARATORS)


def _is_table(text: str, separator: str) -> bool:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        return False
    widths = {len(row) for row in rows if len(row) > 1}
    return len(widths) == 1


def tags_are_balanced(text: str) -> bool:
    """Whether each tag of HTML has its other one, where one is needed."""
    opened: list[str] = []
    for token in scan(text):
        if isinstance(token, Unclosed):
            return False
        if not isinstance(token, Tag) or token.name in _VOID or text.endswith("/>", 0, token.end):
            continue
        if not token.closes:
            opened.append(token.name)
            continue
        while opened and opened[-1] != token.name and opened[-1] in _END_MAY_LACK:
            opened.pop()
        if not opened or opened.pop() != token.name:
            return False
    return all(name in _END_MAY_LACK for name in opened)


def _format(name: str) -> Callable[[str], bool]:
    return lambda text: parses(name, text)


_WHOLE: Mapping[str, Callable[[str], bool]] = {
    "conversation": _format("json"),
    "csv_registry": rows_are_whole,
    "markdown": _format("markdown"),
    "website": tags_are_balanced,
    "yaml_instance": _format("yaml"),
}
