"""What Markdown is written with besides CommonMark: front matter, ``:::`` containers and ``$$`` math.

A CommonMark parser would take them for paragraphs, lists or headings. So each of their lines that are no
CommonMark is shown to it as a thematic break, which ends any paragraph and any list as they do. What does not
belong here: the parse.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from chunk_pipeline.chunking.markdown.lines import Fence, Line, fence_of

_FRONT_MATTER = re.compile(r"(?:---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_FRONT_MATTER_ENDS = {
    "---": re.compile(r"\n(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)"),
    "+++": re.compile(r"\n\+\+\+[ \t]*(?=[\r\n]|\Z)"),
}
_CANDIDATE = re.compile(r"\n[ \t]*(?:```|~~~|:::|\$\$).*")
"""Lines that may matter here, with the line break ahead of them; what is between them does not."""
_CONTAINER = re.compile(r" {0,3}(:{3,})[ \t]*(\S?)")
_MATH = re.compile(r" {0,3}\$\$[ \t]*$")


class Masks(NamedTuple):
    """A text for a CommonMark parser, and what each masked line is; offsets are of line starts.

    Attributes:
        text: As long as the document's, character for character.
        whole: What is masked from its first to its last line: its kind (``front_matter`` or ``math``).
        containers: The line that ends a container, by the line that begins it.
    """

    text: str
    whole: dict[int, str]
    containers: dict[int, int]


def mask(text: str) -> Masks:
    """Hide from a CommonMark parser what is none."""
    begin = front_matter_end(text)
    if not begin and ":::" not in text and ("$" not in text or "$$" not in text):
        return Masks(text, {}, {})
    scan = _Scan()
    for found in _CANDIDATE.finditer(f"\n{text}", begin):
        scan.take(Line(found.start(), found.end() - 1, found[0][1:].rstrip("\r")))
    whole = dict.fromkeys((start for start, _ in scan.math), "math")
    stretches = [*scan.math, *scan.markers]
    if begin:
        whole[0] = "front_matter"
        stretches.append((0, begin))
    return Masks(_starred(text, sorted(stretches)), whole, scan.containers)


def front_matter_end(text: str) -> int:
    """Where front matter ends, the line break behind it left out; 0 without any."""
    first = _FRONT_MATTER.match(text)
    last = _FRONT_MATTER_ENDS[text[:3]].search(text, first.end() - 1) if first else None
    return last.end() if last else 0


class _Scan:
    """Finds containers and math outside of code fences, line by line.

    Attributes:
        math: ``[start, end)`` of each math block.
        markers: Likewise of each line that begins or ends a container.
        containers: As in ``Masks``.
    """

    def __init__(self) -> None:
        self.math: list[tuple[int, int]] = []
        self.markers: list[tuple[int, int]] = []
        self.containers: dict[int, int] = {}
        self._fence: Fence | None = None
        self._math: int | None = None
        self._open: list[tuple[Line, int]] = []

    def take(self, line: Line) -> None:
        """Look at the next line."""
        if self._fence:
            if self._fence.is_closed_by(line.content):
                self._fence = None
        elif self._math is not None:
            if _MATH.match(line.content):
                self.math.append((self._math, line.start + len(line.content)))
                self._math = None
        elif _MATH.match(line.content):
            self._math = line.start
        elif found := _CONTAINER.match(line.content):
            self._marker(line, len(found[1]), begins=bool(found[2]))
        else:
            self._fence = fence_of(line.content)

    def _marker(self, line: Line, length: int, begins: bool) -> None:
        """A container ends with as many colons at least as it began with."""
        if begins:
            self._open.append((line, length))
        elif self._open and self._open[-1][1] <= length:
            first, _ = self._open.pop()
            self.containers[first.start] = line.start
            self.markers += [_content(first), _content(line)]


def _content(line: Line) -> tuple[int, int]:
    return line.start, line.start + len(line.content)


def _starred(text: str, stretches: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in stretches:
        indent = len(text[start:end]) - len(text[start:end].lstrip(" "))
        parts += [text[last:start], " " * indent, "*" * (end - start - indent)]
        last = end
    return "".join(parts) + text[last:]
