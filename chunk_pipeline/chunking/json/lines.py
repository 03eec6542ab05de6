"""JSON Lines: one record a line, often in files that are named ``.json``.

Such a file is read as an array of its records. What does not belong here: anything about a single record.
"""

from __future__ import annotations

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.json.tree import Node, parse_json


def parse_json_or_lines(text: str) -> Node:
    """Parse a JSON text, or else a text of JSON records, one a line, as an array of them.

    Raises:
        UnparsableError: It is neither; the message is that of :func:`parse_json`.
    """
    try:
        return parse_json(text)
    except UnparsableError:
        records = parse_json_lines(text)
        if records is None:
            raise
        return records


def parse_json_lines(text: str) -> Node | None:
    """An array of the records where at least two lines are JSON, scalars included, and all others blank."""
    root = Node("array", 0, len(text))
    records: list[Node] = []
    position = 0
    for line in text.split("\n"):
        if line.strip():
            try:
                record = parse_json(line)
            except UnparsableError:
                return None
            _shift(record, position)
            records.append(record)
        position += len(line) + 1
    root.children = records
    return root if len(records) > 1 else None


def _shift(root: Node, offset: int) -> None:
    order = [root]
    for node in order:
        node.start += offset
        node.end += offset
        if node.key_start >= 0:
            node.key_start += offset
            node.key_end += offset
        order.extend(node.children)
