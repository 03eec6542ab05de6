"""The sections of a document: what stands under one heading, up to the next.

What does not belong here: how a section is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.text.sentences import sentences
from chunk_pipeline.conversion.placed import PlacedItem

_SKIPPED = {
    "page_header": "header of the pages",
    "page_footer": "footer of the pages",
    "invisible": "hidden text",
}
"""What is left out, by label or layer."""

_UNCUT = frozenset({"row", "list_item"})
"""Labels of items that are not cut at sentences."""


class Section(NamedTuple):
    """A stretch of a document.

    Attributes:
        start: First character.
        end: Behind the last one; the next section begins there.
        path: Headings from the outermost to its own; empty ahead of the first.
        skip: Why it is left out; empty where it is not.
        items: What stands in it.
    """

    start: int
    end: int
    path: tuple[str, ...]
    skip: str
    items: tuple[PlacedItem, ...]

    @property
    def is_bare(self) -> bool:
        """Whether it has a heading and nothing under it."""
        return bool(self.items) and all(item.is_heading for item in self.items)

    def page(self, start: int, end: int) -> int | None:
        """First page of a stretch of it; ``None`` where the format has no pages."""
        pages = [item.page for item in self.items if item.start < end and item.end > start and item.page]
        return min(pages) if pages else None


def sections(text: str, items: Sequence[PlacedItem]) -> tuple[Section, ...]:
    """The sections of a text; together they are all of it.

    Args:
        text: The text.
        items: Its items, in order.

    Returns:
        Sections in order. One that is only a heading is part of the one below it.
    """
    if not items:
        return (Section(0, len(text), (), "", ()),) if text else ()
    found: list[Section] = []
    for section in _runs(text, items):
        above = found[-1] if found else None
        if above and _joins(above, section):
            found[-1] = section._replace(start=above.start, items=above.items + section.items)
        else:
            found.append(section)
    return tuple(found)


def breaks(text: str, section: Section) -> list[int] | None:
    """Where a section may be cut: at its items, and at the sentences of those that are no row or list item.

    Returns:
        Offsets into the section's own text; ``None`` if it may be cut anywhere. Behind a heading it may not.
    """
    if not section.items or section.items[0].start < section.start:
        return None
    places: list[int] = []
    heading = False
    for item in section.items:
        if not heading:
            places.append(item.start - section.start)
        heading = item.is_heading
        if item.label not in _UNCUT and not heading:
            body = sentences(text[item.start : item.end])
            places.extend(item.start - section.start + start for start, _ in body[1:])
    return places


def _runs(text: str, items: Sequence[PlacedItem]) -> Iterator[Section]:
    """Items of one kind under one heading."""
    stack: list[tuple[int, str]] = []
    run: list[PlacedItem] = []
    path: tuple[str, ...] = ()
    start = 0
    for item in items:
        kind = _kind(item)
        if run and (item.is_heading or kind != _kind(run[-1])):
            yield Section(start, item.start, path, _skip(run[-1]), tuple(run))
            start, run = item.start, []
        if item.is_heading:
            while stack and stack[-1][0] >= item.level:
                stack.pop()
            stack.append((item.level, " ".join(item.raw.split())))
        if not run:
            path = tuple(title for _, title in stack) if item.layer == "body" else ()
        run.append(item)
    yield Section(start, len(text), path, _skip(run[-1]), tuple(run))


def _kind(item: PlacedItem) -> tuple[bool, str]:
    return item.layer == "body", _skip(item)


def _skip(item: PlacedItem) -> str:
    """Why an item is left out: headers and footers only where they stand aside of the body."""
    aside = item.layer != "body"
    return (_SKIPPED.get(item.label, "") if aside else "") or _SKIPPED.get(item.layer, "")


def _joins(above: Section, below: Section) -> bool:
    """Whether the section above is only a heading that the one below stands under."""
    deeper = len(below.path) > len(above.path) and below.path[: len(above.path)] == above.path
    return above.is_bare and not above.skip and not below.skip and deeper
