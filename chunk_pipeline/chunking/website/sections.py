"""The sections of a page: what stands between two headings, and the element that holds it.

Every text node that is content belongs to one section, whether Docling read it or not: that of the last
heading before it, in document order. What stands before the first heading is a section too. What does not
belong here: how a section is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunk_pipeline.chunking.website.outline import Heading
from chunk_pipeline.chunking.website.page import Page
from chunk_pipeline.chunking.website.xpaths import Stored, xpath


@dataclass(frozen=True, slots=True)
class Section:
    """A section.

    Attributes:
        path: Headings from the outermost to its own; empty before the first heading.
        nodes: Its text nodes, in document order; those of white space are left out.
        heading: Element of its heading; that of its first text where it has none.
    """

    path: tuple[str, ...]
    nodes: tuple[int, ...]
    heading: int


@dataclass(frozen=True, slots=True)
class Location:
    """Where a section stands.

    Attributes:
        xpath: The smallest element that holds all of it.
        anchor: An XPath that no other section has: the same, or that of the heading where the smallest
            element holds other sections too.
        verified: Whether ``xpath`` selects one element of the stored page, and that holds the section's text.
    """

    xpath: str
    anchor: str
    verified: bool

    @property
    def is_shared(self) -> bool:
        """Whether the element holds other sections too, as where headings and paragraphs are siblings."""
        return self.xpath != self.anchor


def sections(page: Page, reasons: Sequence[str], headings: Sequence[Heading]) -> tuple[Section, ...]:
    """The sections of a page in document order.

    Args:
        page: The page.
        reasons: For each element why it is left out.
        headings: The headings, in document order.
    """
    shown = [
        node
        for node in range(len(page.owners))
        if page.first[node] < page.behind[node] and not reasons[page.owners[node]]
    ]
    opens = {int(page.nodes[heading.element][0]): heading for heading in reversed(headings)}
    starts = sorted(opens)
    found: list[Section] = []
    stack: list[tuple[int, str]] = []
    current: list[int] = []
    heading, place = -1, 0
    for node in shown:
        last = -1
        while place < len(starts) and starts[place] <= node:
            last, place = starts[place], place + 1
            if node < page.nodes[opens[last].element][1]:
                if current:
                    found.append(_section(page, stack, current, heading))
                    current = []
                heading = opens[last].element
                stack = [each for each in stack if each[0] < opens[last].level]
                stack.append((opens[last].level, " ".join(page.text_of(heading).split())))
        current.append(node)
    if current:
        found.append(_section(page, stack, current, heading))
    return tuple(found)


def locate(page: Page, stored: Stored, all_sections: Sequence[Section]) -> tuple[Location, ...]:
    """Where each section stands, verified on the stored page."""
    shown = [node for section in all_sections for node in section.nodes]
    found, place = [], 0
    for section in all_sections:
        before = shown[place - 1] if place else -1
        place += len(section.nodes)
        behind = shown[place] if place < len(shown) else len(page.owners)
        element = _smallest(page, section)
        first, end = page.nodes[element]
        exclusive = before < first and end <= behind
        path = xpath(page, element)
        texts = [page.reading.text[page.first[node] : page.behind[node]] for node in section.nodes]
        found.append(
            Location(path, path if exclusive else xpath(page, section.heading), stored.selects(path, texts))
        )
    return tuple(found)


def _section(page: Page, stack: Sequence[tuple[int, str]], nodes: Sequence[int], heading: int) -> Section:
    path = tuple(text for _, text in stack if text)
    return Section(path, tuple(nodes), heading if heading >= 0 else int(page.owners[nodes[0]]))


def _smallest(page: Page, section: Section) -> int:
    """The lowest common ancestor of the section's text nodes."""
    last = section.nodes[-1]
    holders = (
        each for each in page.ancestors(int(page.owners[section.nodes[0]])) if last < page.nodes[each][1]
    )
    return next(holders, 0)
