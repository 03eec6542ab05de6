"""The regions of a style sheet in CSS, SCSS or Less: rules, and what is nested in them.

Read by its braces, which the three have in common; what is in values does not matter for cutting. What does
not belong here: Sass and Stylus, which have no braces (``vue.lines``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from chunk_pipeline.chunking.javascript.names import line
from chunk_pipeline.chunking.regions import Region
from chunk_pipeline.chunking.vue.around import BUDGET, LARGE, SLICE, Around, Outline

_TOKEN = re.compile(
    r"""(?P<comment>/\*(?s:.*?)\*/|//[^\n]*)|(?P<text>"(?:[^"\\\n]|\\(?s:.))*"|'(?:[^'\\\n]|\\(?s:.))*'"""
    r"""|(?<![\w-])url\([^"'()]*\)|\\(?s:.))|(?P<hole>[#@]\{)|(?P<mark>[{}();])"""
)
_SOLID = re.compile(r"\S")
_LABEL = 60
_PRELUDE = 120
"""Characters of a selector that are written again around the pieces of its rule."""


class Item(NamedTuple):
    """A rule, a declaration or a comment.

    Attributes:
        start: First character.
        end: Character after the last.
        open: Its opening brace, if it is a rule; else -1.
        items: What is in its braces.
        is_comment: Whether it is a comment.
    """

    start: int
    end: int
    open: int
    items: list[Item]
    is_comment: bool = False


def items_of(text: str, start: int, end: int, line_comments: bool) -> list[Item] | None:
    """The items of a style sheet at ``[start, end)``; nothing if its braces do not match.

    Args:
        text: The document.
        start: First character.
        end: Character after the last.
        line_comments: Whether ``//`` begins a comment.
    """
    reader = _Reader(text, start)
    for token in _TOKEN.finditer(text, start, end):
        if token.lastgroup == "comment":
            if token[0].startswith("//") and not line_comments:
                continue
            reader.comment(token.start(), token.end())
        elif token.lastgroup in ("hole", "mark") and not reader.mark(token[0], token.end()):
            return None
    return reader.finish(end)


class _Reader:
    """Builds items from tokens, with a stack of its own."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._rows: list[list[Item]] = [[]]
        self._begun: list[tuple[int, int]] = []
        self._place = start
        self._holes = self._brackets = 0

    def comment(self, start: int, end: int) -> None:
        """A comment: an item of its own unless it is inside one, or behind one on its line."""
        row, ahead = self._rows[-1], self._text[self._place : start]
        if ahead.strip():
            return
        if row and "\n" not in ahead and self._place == row[-1].end and not row[-1].is_comment:
            row[-1] = row[-1]._replace(end=end)
        else:
            row.append(Item(start, end, -1, [], True))
        self._place = end

    def mark(self, mark: str, end: int) -> bool:
        """A brace, bracket or semicolon that ends there; whether it can stand there."""
        if mark in ("#{", "@{"):
            self._holes += 1
        elif mark == "}" and self._holes:
            self._holes -= 1
        elif mark in "()":
            self._brackets = max(0, self._brackets + (1 if mark == "(" else -1))
        elif mark == "{":
            self._begun.append((self._begin(end - 1), end - 1))
            self._rows.append([])
            self._place, self._brackets = end, 0
        elif mark == "}":
            return self._close(end)
        elif not self._brackets:
            self._item(end)
        return True

    def finish(self, end: int) -> list[Item] | None:
        """All items, what is left to the end among them."""
        if self._begun or self._holes:
            return None
        self._item(end)
        return self._rows[0]

    def _close(self, end: int) -> bool:
        if not self._begun:
            return False
        self._item(end - 1)
        start, brace = self._begun.pop()
        items = self._rows.pop()
        self._rows[-1].append(Item(start, end, brace, items))
        self._place, self._brackets = end, 0
        return True

    def _item(self, end: int) -> None:
        start = self._begin(end)
        stop = start + len(self._text[start:end].rstrip())
        if start < stop:
            self._rows[-1].append(Item(start, stop, -1, []))
        self._place = end

    def _begin(self, end: int) -> int:
        found = _SOLID.search(self._text, self._place, end)
        return found.start() if found else end


class StyleRegions:
    """Takes a style sheet apart, as far as it is asked.

    Args:
        text: The document.
        limit: Characters of a chunk.

    Attributes:
        outline: The selectors of the rules that were seen.
    """

    def __init__(self, text: str, limit: int) -> None:
        self.outline = Outline()
        self._text = text
        self._budget = int(limit * BUDGET)
        self._large = int(limit * LARGE)
        self._slice = max(1, int(limit * SLICE))

    def root(self, items: Sequence[Item], start: int, end: int) -> Region:
        """The region of a style sheet at ``[start, end)``."""
        return Around().region(start, end, lambda: list(self._row(items, Around())))

    def _row(self, items: Sequence[Item], around: Around) -> Iterator[Region]:
        """Items, small comments with what follows them."""
        begin: int | None = None
        for place, item in enumerate(items):
            region = self._item(item, around)
            ahead = item.start if begin is None else begin
            if item.is_comment and item.end - ahead <= self._large and place + 1 < len(items):
                begin = ahead
            elif item.is_comment and begin is not None:
                yield around.region(begin, items[place - 1].end, tuple)
                begin = None
                yield region
            else:
                yield region._replace(start=ahead)
                begin = None

    def _item(self, item: Item, around: Around) -> Region:
        start, end = item.start, item.end
        if item.is_comment and self._text.startswith("/*", start):
            within = around.into("/*", "*/").sliced(self._text, start + 2, end - 2, self._slice)
            return within._replace(start=start, end=end)
        if item.open < 0:
            return around.sliced(self._text, start, end, self._slice)
        return self._rule(item, around)

    def _rule(self, item: Item, around: Around) -> Region:
        prelude = line(self._text[item.start : item.open], _PRELUDE)
        name = line(prelude, _LABEL)
        self.outline.note(item.start, around.label, name)
        opening = f"{prelude if not prelude.endswith('…') else '_'} {{\n"
        inside = around.into(opening, "\n}", name)
        if inside.size <= self._budget:
            return inside.region(item.start, item.end, partial(self._parts, item, around, inside))
        apart = Around(label=around.label)
        inside = apart.into(opening, "\n}", name)
        region = inside.region(item.start, item.end, partial(self._parts, item, apart, inside))
        return around.alone(region)

    def _parts(self, item: Item, around: Around, inside: Around) -> list[Region]:
        """The selector of a rule, if it is large, and what is in its braces."""
        regions = list(self._row(item.items, inside))
        if item.open - item.start > self._large:
            regions.insert(0, self._prelude(item, around))
        return regions

    def _prelude(self, item: Item, around: Around) -> Region:
        inside = around.into("", " {}")
        within = inside.sliced(self._text, item.start, item.open, self._slice)
        return within._replace(end=item.open + 1)
