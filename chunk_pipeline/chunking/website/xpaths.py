"""Positional XPaths of elements, and whether one selects what it says.

``/html[1]/body[1]/div[2]``: every step names the element's place among those of its name, so that the path
selects one element or none. What does not belong here: which element a section has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.website.page import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

_POSITIONAL = re.compile(r"((?:/[\w.*-]+\[\d+\])*)/([\w.*-]+)\[([1-9]\d*)\]")
"""A path as ``xpath`` writes it, all of whose steps but the last select one element or none."""
_NAME = re.compile(r"[A-Za-z_][\w.-]*")


def xpath(page: Page, element: int) -> str:
    """The positional XPath of an element."""
    steps = [_step(page, each) for each in page.ancestors(element)]
    return "/" + "/".join(reversed(steps))


class Stored:
    """The stored page, on which paths are tried."""

    def __init__(self, root: _Element) -> None:
        self._tree = root.getroottree()
        self._texts: dict[str, str | None] = {}
        self._children: dict[tuple[str, str], list[object]] = {}

    def selects(self, path: str, texts: Sequence[str]) -> bool:
        """Whether a path selects one element, and that element holds the texts in their order.

        Args:
            path: An XPath.
            texts: Stretches of text; white space is not compared.
        """
        if path not in self._texts:
            self._texts[path] = self._text(path)
        held, place = self._texts[path], 0
        for text in texts:
            wanted = "".join(text.split())
            place = held.find(wanted, place) if held is not None else -1
            if place < 0:
                return False
            place += len(wanted)
        return held is not None

    def _text(self, path: str) -> str | None:
        """The text in the one element that a path selects; ``None`` where it selects none or several."""
        from lxml import etree

        try:
            found = self._selected(path)
        except etree.XPathError:
            return None
        if len(found) != 1 or not isinstance(found[0], etree._Element):
            return None
        return "".join("".join(str(each) for each in found[0].itertext()).split())

    def _selected(self, path: str) -> list[object]:
        """What a path selects. Siblings are looked up once: else the time is the square of their number."""
        positional = _POSITIONAL.fullmatch(path)
        if positional is None:
            found = self._tree.xpath(path)
            return list(found) if isinstance(found, list) else []
        above, name, place = positional.groups()
        if (above, name) not in self._children:
            found = self._tree.xpath(f"{above}/{name}")
            self._children[above, name] = list(found) if isinstance(found, list) else []
        children = self._children[above, name]
        return children[int(place) - 1 : int(place)]


def _step(page: Page, number: int) -> str:
    """One step; an element whose name XPath cannot spell is counted among all its siblings."""
    element = page.elements[number]
    if _NAME.fullmatch(element.tag):
        return f"{element.tag}[{element.position}]"
    return f"*[{element.place}]"
