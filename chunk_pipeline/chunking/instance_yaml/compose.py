"""Read YAML into nodes with positions, and refuse what could do harm.

Built on the parser's events, so that nothing is ever constructed: a tag that names a Python object is an
error and not a call. Events also let a file be refused while it is read: one that nests without end is left
at the depth that is too deep. What does not belong here: which nodes are entities (``entities``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.instance_yaml.nodes import (
    Alias,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    resolved,
)

MAX_CHARACTERS = 20_000_000
MAX_NODES = 2_000_000
"""About half a gigabyte of nodes."""
MAX_DEPTH = 100
MAX_REPEATED = 100_000
"""Nodes that all aliases of a file together may stand for; a bomb's are millions out of a few lines."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "merge", "map", "seq", "set", "omap")
)
_BYTE_ORDER_MARK = "\ufeff"


def compose(text: str, name: str = "") -> tuple[Node, ...]:
    """Read a file, or a piece of one.

    Args:
        text: YAML 1.1, of any number of documents.
        name: What to call it in errors; a path.

    Returns:
        The root of each document, in their order; none for a text of white space and comments.

    Raises:
        UnparsableError: It is not YAML, it has a tag that is not of YAML itself (``!!python/object``), an
            alias without its anchor, or aliases that stand for too much, or it is too deep or too large. The
            message has the name and the line.
    """
    where = f"{name}: " if name else ""
    if len(text) > MAX_CHARACTERS:
        raise UnparsableError(f"{where}YAML of over {MAX_CHARACTERS:,} characters; split the file")
    shift = len(text) - len(text.lstrip(_BYTE_ORDER_MARK))
    builder = _Builder(shift)
    try:
        for event in _events(text[shift:]):
            builder.take(event)
    except _Refusal as refusal:
        raise UnparsableError(f"{where}line {refusal.line}: {refusal}") from None
    except RecursionError:
        raise UnparsableError(f"{where}YAML nested too deeply to read") from None
    return tuple(builder.documents)


class _Refusal(Exception):
    """Why a file is not read.

    Attributes:
        line: From 1.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


def _events(text: str) -> Iterator[Any]:
    """The parser's events; its errors as refusals."""
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        raise _refusal(error, text) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _Refusal(f"a character that YAML does not allow: #x{_code(error):04x}", line) from error
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise _Refusal("half of a surrogate pair, which is no character", line) from error


def _code(error: yaml.reader.ReaderError) -> int:
    character: str | int = error.character
    return character if isinstance(character, int) else ord(character)


def _refusal(error: yaml.MarkedYAMLError, text: str) -> _Refusal:
    mark = error.problem_mark or error.context_mark
    reason = "; ".join(part for part in (error.context, error.problem) if part)
    if mark is None:
        return _Refusal(reason, 1)
    if text[mark.index : mark.index + 1] == "\t":
        reason = f"{reason} (a tab: YAML is indented with spaces)"
    return _Refusal(reason, mark.line + 1)


class _Open:
    """A collection whose end is not read yet.

    Attributes:
        event: Its start.
        children: Nodes read so far; keys and values in turn for a mapping.
        weight: Nodes in it, those that aliases stand for included.
    """

    __slots__ = ("children", "event", "weight")

    def __init__(self, event: Any) -> None:
        self.event = event
        self.children: list[Node] = []
        self.weight = 1


class _Builder:
    """Makes nodes out of events.

    Attributes:
        documents: Roots of the documents that are read.
    """

    def __init__(self, shift: int) -> None:
        self.documents: list[Node] = []
        self._shift = shift
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._nodes = 0
        self._repeated = 0

    def take(self, event: Any) -> None:
        """Take the next event.

        Raises:
            _Refusal: With it the file is one that is not read.
        """
        if isinstance(event, yaml.NodeEvent):
            self._count(event)
        if isinstance(event, yaml.ScalarEvent):
            self._close(self._scalar(event), event, 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open.append(_Open(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            opened = self._open.pop()
            self._close(self._collection(opened, event), opened.event, opened.weight)
        elif isinstance(event, yaml.AliasEvent):
            self._refer(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._anchors = {}

    def _count(self, event: Any) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Refusal(f"YAML of over {MAX_NODES:,} values; split the file", _line(event))
        if len(self._open) >= MAX_DEPTH:
            raise _Refusal(f"YAML nested over {MAX_DEPTH} levels deep", _line(event))
        tag = getattr(event, "tag", None)
        if tag and tag != "!" and tag not in _TAGS:
            raise _Refusal(f"the tag {tag!r}: only tags of YAML itself are read; remove it", _line(event))

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        start, end = self._extent(event, event)
        return Scalar(start, end, _line(event), event.value, not event.style)

    def _collection(self, opened: _Open, event: Any) -> Mapping | Sequence:
        start, end = self._extent(opened.event, event)
        children = opened.children
        if not opened.event.flow_style:
            # The parser ends a block where the next token is: behind comments that are not of it.
            end = max(children[-1].end if children else 0, opened.event.end_mark.index + self._shift)
        flow = bool(opened.event.flow_style)
        if isinstance(opened.event, yaml.MappingStartEvent):
            entries = tuple(map(Entry, children[::2], children[1::2]))
            return Mapping(start, end, _line(opened.event), entries, flow)
        return Sequence(start, end, _line(opened.event), tuple(children), flow)

    def _refer(self, event: yaml.AliasEvent) -> None:
        if event.anchor not in self._anchors:
            raise _Refusal(f"the alias *{event.anchor} has no anchor ahead of it", _line(event))
        target, weight = self._anchors[event.anchor]
        self._repeated += weight
        if self._repeated > MAX_REPEATED:
            raise _Refusal(f"aliases that stand for over {MAX_REPEATED:,} values", _line(event))
        self._add(Alias(*self._extent(event, event), _line(event), event.anchor, resolved(target)), weight)

    def _close(self, node: Node, start: Any, weight: int) -> None:
        if start.anchor:
            self._anchors[start.anchor] = (node, weight)
        self._add(node, weight)

    def _add(self, node: Node, weight: int) -> None:
        if self._open:
            self._open[-1].children.append(node)
            self._open[-1].weight += weight
        else:
            self.documents.append(node)

    def _extent(self, first: Any, last: Any) -> tuple[int, int]:
        return first.start_mark.index + self._shift, last.end_mark.index + self._shift


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
