"""The headings of a page, as Docling finds them, and which elements are items of a list.

Docling gets the page without what is left out of it, and without what it would fetch or that only takes
space; its elements are stamped with their numbers. What does not belong here: what a section is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from chunk_pipeline.chunking.website.limits import MOST_CONVERTED
from chunk_pipeline.chunking.website.page import Page
from chunk_pipeline.conversion.html_docling import STAMP, HtmlConversionError, HtmlItem, html_items

_VOID_NAMES = """
area base br col embed frame hr img input link meta param source track wbr
"""
_VOID = frozenset(_VOID_NAMES.split())
_LEFT_OUT = frozenset({"canvas", "embed", "link", "meta", "object", "source", "svg", "track"})
"""Elements of which Docling needs nothing; text in them is kept all the same (``sections``)."""
_WHOLE = frozenset({"body", "frameset", "head", "html"})
_KEPT = ("class", "colspan", "rowspan", "start", "type", "alt", "value", "checked")
_LONGEST_ATTRIBUTE = 200
_TAG = re.compile(r"[a-z][a-z0-9-]*")
_HEADING = re.compile(r"h[1-6]")


class Heading(NamedTuple):
    """A heading.

    Attributes:
        element: Its element.
        level: From 1.
    """

    element: int
    level: int


@dataclass(frozen=True, slots=True)
class Outline:
    """What Docling says of a page.

    Attributes:
        headings: In document order.
        items: Elements that are an item of a list.
        fallback: Why Docling could not be asked, and the headings are those of the tree; empty where it was.
    """

    headings: tuple[Heading, ...]
    items: frozenset[int]
    fallback: str


def outline(page: Page, reasons: Sequence[str]) -> Outline:
    """The headings of a page.

    Args:
        page: The page.
        reasons: For each element why it is left out, or nothing.
    """
    kept = sum(1 for reason in reasons if not reason)
    if kept > MOST_CONVERTED:
        return _by_tree(page, reasons, f"{kept} elements; Docling is given {MOST_CONVERTED}")
    try:
        found = html_items(stamped(page, reasons))
    except HtmlConversionError as error:
        return _by_tree(page, reasons, str(error))
    headings = {int(each.stamp): each.level for each in found if each.level and each.stamp}
    return Outline(
        tuple(Heading(element, headings[element]) for element in sorted(headings)),
        frozenset(int(each.stamp) for each in found if _is_list_item(each, page)),
        "",
    )


def stamped(page: Page, reasons: Sequence[str]) -> str:
    """The page for Docling: content only, the number of each element in ``STAMP``."""
    parts: list[str] = []
    open_elements: list[int] = []
    node = 0
    for number, element in enumerate(page.elements):
        while open_elements and page.last[open_elements[-1]] <= number:
            closed = open_elements.pop()
            node = _texts(page, reasons, parts, node, int(page.nodes[closed][1]))
            parts.append(_end(page.elements[closed].tag))
        node = _texts(page, reasons, parts, node, int(page.nodes[number][0]))
        if reasons[number] or element.tag in _LEFT_OUT:
            continue
        kept = "".join(
            f' {name}="{escape(value)}"'
            for name in _KEPT
            if len(value := element.attributes.get(name, "")) <= _LONGEST_ATTRIBUTE
            and name in element.attributes
        )
        parts.append(f'<{_name(element.tag)} {STAMP}="{number}"{kept}>')
        open_elements.append(number)
    while open_elements:
        closed = open_elements.pop()
        node = _texts(page, reasons, parts, node, int(page.nodes[closed][1]))
        parts.append(_end(page.elements[closed].tag))
    return "<!DOCTYPE html>" + "".join(parts)


def _texts(page: Page, reasons: Sequence[str], parts: list[str], first: int, behind: int) -> int:
    """Write the text nodes in between that are content, and give where to go on."""
    for node in range(first, behind):
        owner = int(page.owners[node])
        if not reasons[owner] and page.elements[owner].tag not in _LEFT_OUT:
            parts.append(escape(page.texts[node], quote=False))
    return max(first, behind)


def _name(tag: str) -> str:
    """The tag for Docling, which of a page with a body reads the body only, and drops what stands behind."""
    return tag if _TAG.fullmatch(tag) and tag not in _WHOLE else "div"


def _end(tag: str) -> str:
    return "" if tag in _VOID else f"</{_name(tag)}>"


def _is_list_item(item: HtmlItem, page: Page) -> bool:
    """Docling makes items of descriptions too; only what has a mark before it is one here."""
    return item.label == "list_item" and bool(item.stamp) and page.elements[int(item.stamp)].tag == "li"


def _by_tree(page: Page, reasons: Sequence[str], fallback: str) -> Outline:
    found = [
        (number, element.tag)
        for number, element in enumerate(page.elements)
        if not reasons[number] and (_HEADING.fullmatch(element.tag) or element.tag == "li")
    ]
    return Outline(
        tuple(Heading(number, int(tag[1])) for number, tag in found if tag != "li"),
        frozenset(number for number, tag in found if tag == "li"),
        fallback,
    )
