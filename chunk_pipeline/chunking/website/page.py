"""A web page as lxml has it, each text node with its place in the reading.

Elements and text nodes are numbered in document order, so that what is inside an element is a range of
numbers. What does not belong here: what an element means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.reading import Reading
from chunk_pipeline.chunking.significance import solid
from chunk_pipeline.chunking.website.alignment import align
from chunk_pipeline.chunking.website.limits import DEEPEST, MOST_ELEMENTS
from chunk_pipeline.chunking.website.reading import read_html, too_many_elements
from chunk_pipeline.chunking.website.scanning import Data, Tag, scan

if TYPE_CHECKING:
    from lxml.etree import _Element

Places = npt.NDArray[np.int64]

_HTML_END = re.compile(r"</html", re.IGNORECASE)
_NOTHING_BEHIND = re.compile(r"</html\s*+>\s*+\Z", re.IGNORECASE)


class Element(NamedTuple):
    """An element of the page.

    Attributes:
        tag: Its name in lower case.
        attributes: By name.
        parent: Number of its parent; -1 for the root.
        position: Its place among the children of that name, from 1.
        place: Its place among all children, from 1.
    """

    tag: str
    attributes: Mapping[str, str]
    parent: int
    position: int
    place: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its numbers.

    Attributes:
        reading: Its character data.
        elements: Its elements in document order.
        last: For each element the number behind the last element in it.
        texts: The text nodes in document order.
        owners: For each text node the element that it stands in.
        nodes: For each element the first text node in it, and the one behind the last; shape (elements, 2).
        first: For each text node its first character in the reading that is no white space.
        behind: For each text node the place behind its last such character; equal to ``first`` where none is.
        unaligned: Characters that stand in the source and that lxml's tree lacks.
    """

    reading: Reading
    elements: tuple[Element, ...]
    last: Places
    texts: tuple[str, ...]
    owners: Places
    nodes: Places
    first: Places
    behind: Places
    unaligned: int

    def ancestors(self, element: int) -> Iterator[int]:
        """The element and those around it, from the inside out."""
        while element >= 0:
            yield element
            element = self.elements[element].parent

    def text_of(self, element: int) -> str:
        """The text in an element as the source has it, white space at its ends left out."""
        first, behind = self.nodes[element]
        shown = [node for node in range(first, behind) if self.first[node] < self.behind[node]]
        return self.reading.text[self.first[shown[0]] : self.behind[shown[-1]]] if shown else ""


def read_page(text: str) -> Page:
    """Read a stored page.

    Raises:
        UnparsableError: It is no HTML, or beyond the limits.
    """
    reading = read_html(text)
    root = parse(_without_early_end(text))
    elements, last, owners, texts, nodes = _number(root)
    first, behind, unaligned = _places(reading, texts)
    return Page(reading, elements, last, tuple(texts), owners, nodes, first, behind, unaligned)


def parse(text: str) -> _Element:
    """The root of lxml's tree of a page; entities are not expanded, and nothing is fetched.

    Raises:
        UnparsableError: There is no element in it.
    """
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_pis=True)
    try:
        root: _Element | None = etree.fromstring(text.encode(errors="replace"), parser)
    except etree.LxmlError as error:
        raise UnparsableError(f"not HTML: {error}") from error
    if root is None:
        raise UnparsableError("not HTML: there is no element in it")
    return root


def _without_early_end(text: str) -> str:
    """The page without an ``</html>`` that text follows: lxml drops what stands behind it."""
    end_tags = [found.start() for found in _HTML_END.finditer(text)]
    if not end_tags or (len(end_tags) == 1 and _NOTHING_BEHIND.match(text, end_tags[0])):
        return text
    ends: list[Tag] = []
    last_content = 0
    for token in scan(text):
        if isinstance(token, Tag) and token.closes:
            if token.name == "html":
                ends.append(token)
        elif isinstance(token, Tag) or (
            isinstance(token, Data) and not text[token.start : token.end].isspace()
        ):
            last_content = token.start
    for end in ends:
        if end.start < last_content:
            text = text[: end.start] + " " * (end.end - end.start) + text[end.end :]
    return text


def _number(root: _Element) -> tuple[tuple[Element, ...], Places, Places, list[str], Places]:
    """Elements and text nodes in document order, without recursion."""
    walk = _Walk()
    stack: list[tuple[_Element, bool]] = [(root, True)]
    while stack:
        node, enters = stack.pop()
        if enters:
            if isinstance(node.tag, str):
                walk.enter(node)
                stack.append((node, False))
                stack.extend((child, True) for child in reversed(node))
            else:  # A comment.
                walk.text(node.tail)
        else:
            walk.leave()
            walk.text(node.tail)
    return (
        tuple(walk.elements),
        np.array(walk.last, dtype=np.int64),
        np.array(walk.owners, dtype=np.int64),
        walk.texts,
        np.array(walk.nodes, dtype=np.int64),
    )


class _Walk:
    """The numbers given so far."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self.last: list[int] = []
        self.owners: list[int] = []
        self.texts: list[str] = []
        self.nodes: list[list[int]] = []
        self._open: list[tuple[int, dict[str, int]]] = []

    def enter(self, node: _Element) -> None:
        if len(self._open) >= DEEPEST:
            raise UnparsableError(f"elements stand more than {DEEPEST} deep in each other; exclude the page")
        if len(self.elements) >= MOST_ELEMENTS:
            raise UnparsableError(too_many_elements())
        parent, counts = self._open[-1] if self._open else (-1, {})
        tag = str(node.tag)
        counts[tag] = counts.get(tag, 0) + 1
        counts[""] = counts.get("", 0) + 1
        attributes = {str(name).lower(): str(value) for name, value in node.attrib.items()}
        self._open.append((len(self.elements), {}))
        self.nodes.append([len(self.texts), 0])
        self.last.append(0)
        self.elements.append(Element(tag, attributes, parent, counts[tag], counts[""]))
        self.text(node.text)

    def leave(self) -> None:
        element, _ = self._open.pop()
        self.last[element] = len(self.elements)
        self.nodes[element][1] = len(self.texts)

    def text(self, text: str | None) -> None:
        if text and self._open:
            self.owners.append(self._open[-1][0])
            self.texts.append(text)


def _places(reading: Reading, texts: list[str]) -> tuple[Places, Places, int]:
    """Where each text node stands in the reading: what only the source has belongs to the node before it."""
    solids = np.flatnonzero(solid(reading.text))
    squeezed = ["".join(each.split()) for each in texts]
    node_of = np.repeat(np.arange(len(texts)), [len(each) for each in squeezed])
    places = align("".join(reading.text.split()), "".join(squeezed))
    if not len(solids) or not len(node_of):
        nothing = np.zeros(len(texts), dtype=np.int64)
        return nothing, nothing, len(solids)
    known = np.maximum.accumulate(np.maximum(places, 0))
    nodes = node_of[known]
    first, behind = np.zeros(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=np.int64)
    starts = np.flatnonzero(np.diff(nodes, prepend=-1))
    ends = np.append(starts[1:], len(nodes)) - 1
    first[nodes[starts]], behind[nodes[starts]] = solids[starts], solids[ends] + 1
    return first, behind, int((places < 0).sum())
