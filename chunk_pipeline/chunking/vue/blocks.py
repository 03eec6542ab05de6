"""Where the template, the scripts and the styles of a Vue component stand, by their tags and not by a parse.

As in the reference study, a block ends at the first end tag of its name: a template ends where one nested in
it does, and what follows is in a block only from the next opening tag on. Scripts with no other block between
them are one. What does not belong here: cutting blocks, and the blocks of the syntax strategies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Span

_ATTRIBUTES = r"""(?:\s(?:[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}'){0,500})?"""
"""Bounded, so that a tag which is never closed costs no more than its own length."""
_OPENING = re.compile(rf"<(template|script|style){_ATTRIBUTES}(?<!/)>")
_ENDING = {name: re.compile(rf"</{name}\s*>") for name in ("template", "script", "style")}
_UNINDENTED = re.compile(rf"^<(?:template|script|style)\b(?!{_ATTRIBUTES}/>)", re.MULTILINE)


class Block(NamedTuple):
    """A template, a script or a style.

    Attributes:
        name: Of its tag.
        start: First character of its opening tag.
        end: Character after its end tag.
        content: What is between the two, without the white space at its ends.
    """

    name: str
    start: int
    end: int
    content: Span


def vue_blocks(text: str) -> list[Block]:
    """The blocks of a component, in order and disjoint."""
    blocks: list[Block] = []
    for block in _elements(text):
        last = blocks[-1] if blocks else None
        if last and last.name == block.name == "script":
            whole = Span(last.content.start, max(last.content.end, block.content.end))
            blocks[-1] = Block("script", last.start, block.end, whole)
        else:
            blocks.append(block)
    return blocks


def nested_templates(text: str, block: Block) -> int:
    """How many templates are opened inside a block; none is closed there, or the block would have ended."""
    openings = _OPENING.finditer(text, block.content.start, block.content.end)
    return sum(opening[1] == "template" for opening in openings)


def unclosed_block(text: str, blocks: list[Block]) -> str | None:
    """An opening tag at the start of a line that is in no block, if there is any, with its line."""
    ends = iter([*blocks, Block("", len(text), len(text), Span(len(text), len(text)))])
    current = next(ends)
    for match in _UNINDENTED.finditer(text):
        while current.end <= match.start():
            current = next(ends)
        if match.start() < current.start:
            return f"{match[0]}> of line {text.count(chr(10), 0, match.start()) + 1}"
    return None


def _elements(text: str) -> Iterator[Block]:
    """The elements one by one; a name that is not closed again is not looked for twice."""
    closed = set(_ENDING)
    position = 0
    while closed and (opening := _OPENING.search(text, position)):
        name, position = opening[1], opening.end()
        ending = _ENDING[name].search(text, position) if name in closed else None
        if ending is None:
            closed.discard(name)
            continue
        yield Block(name, opening.start(), ending.end(), _trimmed(text, position, ending.start()))
        position = ending.end()


def _trimmed(text: str, start: int, end: int) -> Span:
    inside = text[start:end]
    begin = start + len(inside) - len(inside.lstrip())
    return Span(begin, max(begin, start + len(inside.rstrip())))
