"""Whether a dumped-again body holds the values that stand in its spans, all of them and no others.

Values are compared exactly, numbers by what they are and not how they are written. Names count as values of
the source, because a unit may list them (the dependencies of a package). What does not belong here: cover
and order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence

from chunk_pipeline.chunking.chunk import Span, UnparsableError
from chunk_pipeline.chunking.json.tree import Node, parse_json

Value = tuple[str, Hashable]
"""Kind and value."""


class SourceValues:
    """The scalars and names of a document by where they stand."""

    def __init__(self, root: Node, text: str) -> None:
        placed: list[tuple[int, int, Value, bool]] = []
        for node in _nodes(root):
            if node.key_start >= 0:
                placed.append((node.key_start, node.key_end, ("string", node.key), True))
            if not node.is_container:
                placed.append((node.start, node.end, _value(node, text), False))
        placed.sort(key=lambda each: each[0])
        self._starts = [start for start, *_ in placed]
        self._ends = [end for _, end, *_ in placed]
        self._values = [value for *_, value, _ in placed]
        self._are_names = [is_name for *_, is_name in placed]

    def difference(self, body: str, spans: Sequence[Span]) -> str:
        """Why the body is not made of what its spans hold; empty where it is."""
        try:
            root = parse_json(body)
        except UnparsableError as error:
            return str(error)
        values, names = self._held(spans)
        shown = Counter(_value(node, body) for node in _nodes(root) if not node.is_container)
        for value in shown - (values + names):
            return f"a value that its spans do not hold: {str(value[1])[:60]!r}"
        for value in values - shown:
            return f"its spans hold a value that it lacks: {str(value[1])[:60]!r}"
        return ""

    def _held(self, spans: Sequence[Span]) -> tuple[Counter[Value], Counter[Value]]:
        """The scalars and the names inside the spans."""
        held: tuple[Counter[Value], Counter[Value]] = Counter(), Counter()
        for span in spans:
            index = bisect_left(self._starts, span.start)
            while index < len(self._starts) and self._starts[index] < span.end:
                if self._ends[index] <= span.end:
                    held[self._are_names[index]][self._values[index]] += 1
                index += 1
        return held


def _nodes(root: Node) -> list[Node]:
    order = [root]
    for node in order:
        order.extend(node.children)
    return order


def _value(leaf: Node, text: str) -> Value:
    """A scalar; most are strings that stand as they are, so those are not decoded."""
    if leaf.kind == "string":
        written = text[leaf.start + 1 : leaf.end - 1]
        if "\\" not in written:
            return leaf.kind, written
    return leaf.kind, leaf.value(text)
