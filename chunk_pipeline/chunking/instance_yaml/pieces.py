"""An entity too large for one chunk, cut at its slots, then inside them, then as text.

Each piece is a slice of the file that parses with the spaces ahead of it: consecutive keys of one mapping, or
consecutive items of one list. The piece with a mapping's or list's first part has its key too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as SequenceType
from typing import NamedTuple

from chunk_pipeline.chunking.instance_yaml.entities import Entity, rest_of_line
from chunk_pipeline.chunking.instance_yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, key_text
from chunk_pipeline.chunking.json.tree import join_pointer
from chunk_pipeline.chunking.token_pieces import cut_by_tokens

AS_TEXT = "a value too long for one chunk, cut as text"
_LONGEST_KEY = 80
_ESCAPES = {'"': re.compile(r"\\(?:x.{2}|u.{4}|U.{8}|\r\n|.)", re.DOTALL), "'": re.compile("''")}
"""What stands for one character in quotes of either kind (YAML 1.1, section 5.6)."""
_ESCAPE_TOKENS = 12
"""Kept free in a piece where the end of the one ahead of it may move: tokens of an escape and of a seam."""


class Part(NamedTuple):
    """A stretch of an entity that is whole.

    Attributes:
        start: Its first character: of a key, a dash, or a comment above it.
        end: The character after its last.
        node: The value in it.
        path: Keys and places that lead to it.
        lead: What its value stands behind: its key and a colon, or a dash; empty where that is long.
    """

    start: int
    end: int
    node: Node
    path: tuple[str, ...]
    lead: str = ""


class Wrap(NamedTuple):
    """What is put ahead of a piece of a value, and behind it."""

    opening: str
    closing: str


class Cut(NamedTuple):
    """A piece.

    Attributes:
        start: Its first character.
        end: The character after its last.
        pointer: JSON Pointer inside the entity to what it is of; empty for slots of the entity itself.
        wrap: What is to be put around it, where it is a piece of one value, so that it may be YAML.
    """

    start: int
    end: int
    pointer: str
    wrap: Wrap | None = None


class Sized(NamedTuple):
    """What a piece may be.

    Attributes:
        size: Tokens of a passage, given its pointer too, with the header that is put above it.
        target: What a piece should have.
        ceiling: What none may have more than.
    """

    size: Callable[[str, str], int]
    target: int
    ceiling: int


def pieces(text: str, entity: Entity, sized: Sized) -> list[Cut]:
    """Cut an entity.

    Args:
        text: The file.
        entity: One of its entities.
        sized: What a piece may be.

    Returns:
        Pieces in order; together they hold every character of the entity that is no white space.
    """
    whole = Part(entity.start, entity.end, entity.held, ())
    return list(_cut(text, whole, sized))


def _cut(text: str, part: Part, sized: Sized) -> Iterator[Cut]:
    """Cut a part that is too large for a piece."""
    pointer = join_pointer(part.path)
    inner = _inner(text, part)
    if not inner:
        yield from _as_text(text, part, pointer, sized)
        return
    gathered: list[Part] = []
    for each in inner:
        if gathered and sized.size(passage(text, gathered[0].start, each.end), pointer) > sized.target:
            yield Cut(gathered[0].start, gathered[-1].end, pointer)
            gathered = []
        if not gathered and sized.size(passage(text, each.start, each.end), pointer) > sized.ceiling:
            yield from _cut(text, each, sized)
            continue
        gathered.append(each)
    if gathered:
        yield Cut(gathered[0].start, gathered[-1].end, pointer)


def _inner(text: str, part: Part) -> list[Part]:
    """The parts of a mapping or list in block style, without gaps between them; none for anything else."""
    node = part.node
    if not isinstance(node, (Mapping, Sequence)) or node.flow:
        return []
    values: SequenceType[tuple[str, str, Node]]
    if isinstance(node, Mapping):
        values = [(key_text(each), _lead(text, each), each.value) for each in node.entries]
    else:
        values = [(str(index), "- ", item) for index, item in enumerate(node.items)]
    found: list[Part] = []
    start = part.start
    for index, (name, lead, value) in enumerate(values):
        last = index == len(values) - 1
        end = part.end if last else trimmed(text, start, rest_of_line(text, value.end))
        found.append(Part(start, end, value, (*part.path, name), lead))
        start = _solid(text, end)
    return found


def _lead(text: str, entry: Entry) -> str:
    key = text[entry.key.start : entry.key.end]
    return f"{key}: " if len(key) <= _LONGEST_KEY and "\n" not in key else ""


def _as_text(text: str, part: Part, pointer: str, sized: Sized) -> Iterator[Cut]:
    """Cut a value inside; each piece behind its key again, and in its quotes, if it has such."""
    wrap = _wrap(text, part)
    escapes = _escapes(text, part)
    ceiling = max(sized.ceiling - _ESCAPE_TOKENS, 1) if escapes else sized.ceiling

    def size(stretch: str) -> int:
        return sized.size(f"{wrap.opening}{stretch}{wrap.closing}", pointer)

    found = cut_by_tokens(text[part.start : part.end], size, min(sized.target, ceiling), ceiling)
    ends = _ahead_of(escapes, part.start, [part.start + piece.end for piece in found])
    for first, behind in zip((part.start, *ends), ends, strict=False):
        start = _solid(text, first)
        end = trimmed(text, start, behind)
        opening = indentation(text, start) if start == part.start else wrap.opening
        if part.start < start == part.node.start:
            opening = part.lead  # The value's own quote or block mark is in the piece.
        # A key that is cut off its value has no quotes to close.
        closing = "" if end == part.end or end <= part.node.start else wrap.closing
        if start < end:
            yield Cut(start, end, pointer, Wrap(opening, closing))


def _escapes(text: str, part: Part) -> list[tuple[int, int]]:
    """Where the escapes of a value in quotes stand."""
    escape = _ESCAPES.get(text[part.node.start : part.node.start + 1])
    if not isinstance(part.node, Scalar) or escape is None:
        return []
    return [found.span() for found in escape.finditer(text, part.node.start + 1, part.end)]


def _ahead_of(escapes: SequenceType[tuple[int, int]], start: int, ends: Iterable[int]) -> list[int]:
    """The ends of pieces, those inside an escape moved ahead of it: half of one is another character."""
    moved: list[int] = []
    for end in ends:
        place = bisect_left(escapes, (end, 0)) - 1
        inside = place >= 0 and escapes[place][0] < end < escapes[place][1]
        # A piece that has nothing but the beginning of an escape cannot be shorter.
        start = escapes[place][0] if inside and escapes[place][0] > start else end
        moved.append(start)
    return moved


def _wrap(text: str, part: Part) -> Wrap:
    """How a piece out of the middle of a value becomes a value: a block again, or in the same quotes."""
    node = part.node
    if not isinstance(node, Scalar):
        return Wrap("", "")
    mark = text[node.start : node.start + 1]
    if mark in ("|", ">"):
        lines = text[node.start : node.end].splitlines()[1:]
        indented = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=1)
        return Wrap(f"{part.lead}{mark}\n{' ' * indented}", "")
    quote = mark if mark in ("'", '"') else ""
    return Wrap(part.lead + quote, quote)


def indentation(text: str, start: int) -> str:
    """The spaces with which a slice that begins at a character stands under the column that it has."""
    return " " * (start - text.rfind("\n", 0, start) - 1)


def passage(text: str, start: int, end: int) -> str:
    """A slice with its indentation."""
    return indentation(text, start) + text[start:end]


def _solid(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def trimmed(text: str, start: int, end: int) -> int:
    """Where a stretch ends without the white space at its end."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
