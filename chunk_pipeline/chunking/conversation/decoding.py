r"""JSON scalars as their reader sees them, with the place in the source of each character.

An escape (``\n``, ``\u00e9``, a pair of surrogates) is one character that stands for the whole of it. What
does not belong here: which scalars are text (``export``).
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field

import numpy as np
import orjson

from chunk_pipeline.chunking.chunk import Span
from chunk_pipeline.chunking.json.tree import Node
from chunk_pipeline.chunking.reading import Offsets

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A string of the source.

    Attributes:
        value: What it stands for.
        starts: Where each character begins in the source; shape (characters,).
        ends: Where it ends; shape (characters,).
    """

    value: str
    starts: Offsets
    ends: Offsets

    def span(self, start: int, end: int) -> Span:
        """The source of ``value[start:end]``, which is not empty."""
        return Span(int(self.starts[start]), int(self.ends[end - 1]))


@dataclass(slots=True)
class Layout:
    """Text being put together of stretches of a source.

    It notes runs and not characters, so that only what is unusual in a text, its escapes, costs memory ahead
    of the end.
    """

    _texts: list[str] = field(default_factory=list)
    _places: array[int] = field(default_factory=lambda: array("q"))
    _starts: array[int] = field(default_factory=lambda: array("q"))
    _wide_places: array[int] = field(default_factory=lambda: array("q"))
    _wide_ends: array[int] = field(default_factory=lambda: array("q"))
    _length: int = 0

    def plain(self, text: str, start: int) -> None:
        """Add characters that stand in the source as they are."""
        if text:
            self._texts.append(text)
            self._places.append(self._length)
            self._starts.append(start)
            self._length += len(text)

    def character(self, text: str, start: int, end: int) -> None:
        """Add one character that stands for ``[start, end)``; for nothing where that is empty."""
        self._wide_places.append(self._length)
        self._wide_ends.append(end)
        self.plain(text, start)

    def scalar(self, text: str, node: Node) -> None:
        """Add a scalar: the value of a string, another as it is written."""
        if node.kind != "string":
            self.plain(text[node.start : node.end], node.start)
            return
        literal = text[node.start : node.end]
        if "\\" not in literal:
            self.plain(literal[1:-1], node.start + 1)
            return
        value, place, done = str(orjson.loads(literal)), 0, 1
        for escape in _ESCAPE.finditer(literal, 1, len(literal) - 1):
            ahead = escape.start() - done
            self.plain(value[place : place + ahead], node.start + done)
            place += ahead
            self.character(value[place], node.start + escape.start(), node.start + escape.end())
            place, done = place + 1, escape.end()
        self.plain(value[place:], node.start + done)

    def decoded(self) -> Decoded:
        """All that was added, in its order."""
        starts = np.ones(self._length, dtype=np.int64)
        if self._length:
            places, firsts = np.array(self._places), np.array(self._starts)
            # Steps from character to character: one, but where a run begins; adding them up gives the places.
            ahead = firsts[:-1] + np.diff(places) - 1
            starts[places] = firsts - np.concatenate(([0], ahead))
            np.cumsum(starts, out=starts)
        ends = starts + 1
        if self._wide_places:
            ends[np.array(self._wide_places)] = np.array(self._wide_ends)
        return Decoded("".join(self._texts), starts, ends)


def decoded(text: str, node: Node) -> Decoded:
    """A scalar with the places of its characters.

    Args:
        text: The source.
        node: A leaf of its tree.
    """
    layout = Layout()
    layout.scalar(text, node)
    return layout.decoded()


def string(text: str, node: Node | None) -> str:
    """The value of a string; empty for anything else."""
    if node is None or node.kind != "string":
        return ""
    literal = text[node.start : node.end]
    return str(orjson.loads(literal)) if "\\" in literal else literal[1:-1]
