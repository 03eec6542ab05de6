"""Whether a dumped-again body holds only values that stand in its spans.

Values are compared exactly, numbers by what they are and not how they are written. Names count as values of
the source, because a unit may list them (the dependencies of a package). What does not belong here: cover
and order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence

from chunk_pipeline.chunking.chunk import Span, UnparsableError
from chunk_pipeline.chunking.json_tree import Node, parse_json

Value = tuple[str, Hashable]
"""Kind and value."""


class SourceValues:
    """The scalars and names of a document by where they stand."""

    def __init__(self, root: Node, text: str) -> None:
        placed: list[tuple[int, int, Value]] = []
        order = [root]
        for node in order:
            order.extend(node.children)
            if node.key_start >= 0:
                placed.append((node.key_start, node.key_end, ("string", node.key)))
            if not node.is_container:
                placed.append((node.start, node.end, (node.kind, node.value(text))))
        placed.sort(key=lambda each: each[0])
        self._starts = [start for start, _, _ in placed]
        self._ends = [end for _, end, _ in placed]
        self._values = [value for _, _, value in placed]

    def missing(self, body: str, spans: Sequence[Span]) -> str:
        """Why the body is not made of what its spans hold; empty where it is."""
        try:
            root = parse_json(body)
        except UnparsableError as error:
            return str(error)
        held = self._held(spans)
        wanted = Counter((node.kind, node.value(body)) for _, node in root.leaves())
        for value, count in wanted.items():
            if held[value] < count:
                return f"a value that its spans do not hold: {str(value[1])[:60]!r}"
        return ""

    def _held(self, spans: Sequence[Span]) -> Counter[Value]:
        held: Counter[Value] = Counter()
        for span in spans:
            index = bisect_left(self._starts, span.start)
            while index < len(self._starts) and self._starts[index] < span.end:
                if self._ends[index] <= span.end:
                    held[self._values[index]] += 1
                index += 1
        return held
