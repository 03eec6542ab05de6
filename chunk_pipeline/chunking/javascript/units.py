"""What a piece of a script is called: the locator in search results.

What does not belong here: names of nodes (``javascript.names``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from chunk_pipeline.chunking.javascript.names import Element, Name, line, name_of
from chunk_pipeline.chunking.javascript.source import Source

LISTED = 3
"""Names that are all written out; of more, the first and the last."""


class Units:
    """Names stretches of a script by the declarations in them.

    Args:
        source: The script.
        elements: By first character: the parts of lists that may have a name.
    """

    def __init__(self, source: Source, elements: Mapping[int, Element]) -> None:
        self._source = source
        self._starts = sorted(elements)
        self._row = [elements[start] for start in self._starts]

    def called(self, start: int, end: int, scope: Sequence[Name]) -> tuple[str, str]:
        """What the piece at ``[start, end)`` is called.

        Args:
            start: First character.
            end: Character after the last.
            scope: The declarations that ``start`` is in.

        Returns:
            The path, as ``Foo.method`` or ``Foo.a … z``, empty for nothing named; and of that the names of
            what is declared right in the scope, if the piece begins with one.
        """
        first = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end, first)
        paths = self._paths(self._row[first:last])
        begun = _names(scope)
        own = ""
        if first == last or self._starts[first] != start:
            if begun and (not paths or paths[0][: len(begun)] != begun):
                paths = [begun, *paths]
        elif self._row[first][1] == scope:
            own = _listed([path[-1] for path in paths if len(path) == len(begun) + 1])
        return _path(paths, begun), own

    def _paths(self, elements: Sequence[Element]) -> list[tuple[str, ...]]:
        """The paths of the outermost of these elements, if they have a name, each once."""
        if not elements:
            return []
        depth = min([len(scope) for _, scope in elements])
        paths: dict[tuple[str, ...], None] = {}
        seen: tuple[Name, ...] = ()
        outer: tuple[str, ...] = ()
        for node, scope in elements:
            name = name_of(node, self._source, inner=depth > 0) if len(scope) == depth else ""
            if name:
                if scope is not seen:
                    seen, outer = scope, _names(scope)
                paths[(*outer, name)] = None
        return list(paths)


def _names(scope: Sequence[Name]) -> tuple[str, ...]:
    return tuple([each.name for each in scope]) if scope else ()


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= LISTED else f"{names[0]} … {names[-1]}"


def _path(paths: Sequence[tuple[str, ...]], begun: tuple[str, ...]) -> str:
    if len(paths) < 2:
        return _joined(paths[0] if paths else begun)
    outer = paths[0][:-1]
    if all(path[:-1] == outer for path in paths):
        return _joined((*outer, _listed([path[-1] for path in paths])))
    return f"{_joined(paths[0])} … {_joined(paths[-1])}"


def _joined(path: Sequence[str]) -> str:
    """A path with dots, or with arrows where a name is more than a name."""
    plain = all("(" not in name and " " not in name for name in path[:-1])
    return line(("." if plain else " › ").join(path), 200)
