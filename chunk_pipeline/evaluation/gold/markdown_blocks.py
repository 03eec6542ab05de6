"""Markdown as the routes read it: headings with their sections, and the blocks that mention a word.

Lines are enough for this: a block is a heading, a fence, a list item, a table row or a paragraph. Cutting for
the index is ``chunking``'s and needs the whole of CommonMark; nothing here is used for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*\Z")
_OPENS_BLOCK = re.compile(r"[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|\|)")
_CONTAINER = re.compile(r"[ \t]*:{3,}")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[`*]+|(?<!\w)_+|_+(?!\w)|<[^>]*>")
_INLINE_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_BOLD = re.compile(r"\*\*.+?\*\*")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, fence, list item, table row or paragraph, in characters of the document.

    Attributes:
        kind: ``heading``, ``fence`` or ``text``.
        start: First character.
        end: Character after the last, line end left out.
        text: A heading's own text, a fence's content, else the source.
        level: Of a heading, from 1; 0 for the others.
        language: Of a fence, in lower case, or empty.
    """

    kind: str
    start: int
    end: int
    text: str
    level: int = 0
    language: str = ""


def front_title(text: str) -> str:
    """``title`` of the front matter, or nothing."""
    front = _FRONT_MATTER.match(text)
    found = _FRONT_TITLE.search(front[1]) if front else None
    return found[1].strip("\"'") if found else ""


def blocks(text: str) -> list[Block]:
    """The blocks of a document, in order; front matter and blank lines are in none."""
    front = _FRONT_MATTER.match(text)
    found: list[Block] = []
    fence: tuple[str, str, int, int] | None = None
    for start, end in _lines(text, front.end() if front else 0):
        line = text[start:end]
        marker = _FENCE.match(line)
        if fence:
            if marker and marker[1].startswith(fence[0]) and not line[marker.end(1) :].strip():
                found.append(_fence(text, fence, start, end))
                fence = None
        elif marker:
            fence = (marker[1], marker[2].lower(), start, end)
        else:
            _take(found, text, start, end)
    if fence:
        found.append(_fence(text, fence, len(text), len(text)))
    return [block for block in found if block.end > block.start]


def section(document: Sequence[Block], heading: int) -> tuple[int, int]:
    """Span of the section that a heading opens: up to the next heading that is not below it."""
    end = heading + 1
    while end < len(document) and not 0 < document[end].level <= document[heading].level:
        end += 1
    return document[heading].start, document[end - 1].end


def lead(document: Sequence[Block], heading: int) -> list[Block]:
    """What a heading says first: the blocks up to the next heading, past headings right below it."""
    place = heading + 1
    while place < len(document) and document[place].level > document[heading].level:
        place += 1
    end = place
    while end < len(document) and not document[end].level:
        end += 1
    return list(document[place:end])


def plain(markdown: str) -> str:
    """Markdown without its marks: links as their text, no emphasis, no code ticks, no tags."""
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", markdown)).split())


def without_code(markdown: str, mask: str = " ") -> str:
    """Markdown with every code span replaced."""
    return _INLINE_CODE.sub(mask, markdown)


def mentions(block: Block, name: str) -> bool:
    """Whether a block names an identifier as code: in a fence, a heading, a code span or bold text."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    if block.kind != "text":
        return bool(word.search(block.text))
    return any(
        word.search(span[0]) for pattern in (_INLINE_CODE, _BOLD) for span in pattern.finditer(block.text)
    )


def _lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Span of each line, without its end."""
    while start < len(text):
        found = _LINE.match(text, start)
        assert found is not None  # the pattern matches the empty text
        yield start, start + len(found[0].rstrip("\r\n"))
        start = found.end()


def _fence(text: str, opening: tuple[str, str, int, int], start: int, end: int) -> Block:
    return Block("fence", opening[2], end, text[opening[3] : start], language=opening[1])


def _take(found: list[Block], text: str, start: int, end: int) -> None:
    """Add a line outside fences: a block of its own, more of the last one, or a blank that ends it."""
    line = text[start:end]
    heading = _HEADING.match(line)
    last = found[-1] if found and found[-1].kind == "text" and found[-1].end > found[-1].start else None
    if heading:
        found.append(Block("heading", start, end, heading[2] or "", len(heading[1])))
    elif not line.strip() or _CONTAINER.match(line):
        found.append(Block("text", start, start, ""))  # empty: nothing is joined to what stands before it
    elif last and (underline := _UNDERLINE.match(line)) and not _OPENS_BLOCK.match(last.text):
        level = 1 if underline[1][0] == "=" else 2
        found[-1] = Block("heading", last.start, end, last.text.strip(), level)
    elif last and not _OPENS_BLOCK.match(line):
        found[-1] = replace(last, end=end, text=text[last.start : end])
    else:
        found.append(Block("text", start, end, line))
