"""The text of a converted document and where each of its items stands in it, from Docling's JSON alone.

The text is made here and nowhere else, so the items of a stored structure are found again without converting
the file once more, and without importing Docling. Blocks are separated by one blank line; rows of a table and
items of a list follow each other. What does not belong here: the conversion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

CELLS: Final = " | "
"""Between the cells of a row."""

BULLET: Final = "- "
"""In front of an item of a list without a number."""

DEPTH: Final = 200
"""Groups inside each other that are followed."""

_HEADINGS = frozenset({"title", "section_header"})
_ASIDE = {"page header": "page_header", "page footer": "page_footer"}
"""Label of what stands in groups of these names, which Docling makes of the headers and footers of a DOCX."""

_TIGHT = frozenset({"list_item", "row"})
_UNWRITABLE = {each: "\N{REPLACEMENT CHARACTER}" for each in (0, *range(0xD800, 0xE000))}


class PlacedItem(NamedTuple):
    """An item of a document and its place.

    Attributes:
        start: First character of it in the text.
        end: Behind its last one.
        label: Docling's: ``title``, ``section_header``, ``text``, ``list_item``, ``footnote``, …; ``row`` for
            a row of a table.
        level: Of a heading: 1 of the title, 2 of a section, and so on; 0 of what is none.
        page: First page that it is on, from 1; 0 where the format has no pages.
        layer: Docling's: ``body``, ``furniture`` (headers, footers, notes), ``invisible``, …
        raw: The item's text without number or bullet.
        ref: Docling's name of the item, such as ``#/texts/3``; rows have that of their table.
    """

    start: int
    end: int
    label: str
    level: int
    page: int
    layer: str
    raw: str
    ref: str

    @property
    def is_heading(self) -> bool:
        """Whether it is the title or the heading of a section of the body."""
        return self.label in _HEADINGS and self.layer == "body" and bool(self.raw.strip())


class _Block(NamedTuple):
    label: str
    level: int
    page: int
    layer: str
    lead: str
    raw: str
    ref: str


def placed_items(structure: str) -> tuple[str, tuple[PlacedItem, ...]]:
    """The text of a document, and its items in the order of the text.

    Args:
        structure: A DoclingDocument as JSON.

    Raises:
        ValueError: It is no such JSON.
    """
    document = json.loads(structure)
    if not isinstance(document, dict) or "body" not in document:
        raise ValueError("not a DoclingDocument: it has no body")
    pieces: list[str] = []
    items: list[PlacedItem] = []
    length, before = 0, ""
    for block in _blocks(document):
        if pieces:
            joint = "\n" if block.label == before and block.label in _TIGHT else "\n\n"
            pieces.append(joint)
            length += len(joint)
        shown = block.lead + block.raw
        pieces.append(shown)
        items.append(
            PlacedItem(
                start=length,
                end=length + len(shown),
                label=block.label,
                level=block.level,
                page=block.page,
                layer=block.layer,
                raw=block.raw,
                ref=block.ref,
            )
        )
        length += len(shown)
        before = block.label
    return "".join(pieces), tuple(items)


def _blocks(document: Mapping[str, Any]) -> Iterator[_Block]:
    """The blocks that have text, in reading order: the body, then notes, headers and footers."""
    walked: set[str] = set()
    late: list[_Block] = []
    for root in (document["body"], document.get("furniture") or {}):
        for block in _walk(document, root, walked, 0):
            if not block.raw.strip():
                continue
            if block.layer == "furniture" and not block.page:
                late.append(block)
            else:
                yield block
    yield from late


def _walk(
    document: Mapping[str, Any], node: Mapping[str, Any], walked: set[str], depth: int
) -> Iterator[_Block]:
    aside = _ASIDE.get(str(node.get("name", "")), "")
    if depth > DEPTH:
        raise ValueError(f"groups inside each other over {DEPTH} deep")
    for reference in node.get("children") or ():
        name = reference.get("$ref", "")
        child = _resolved(document, name)
        if child is None or name in walked:
            continue
        walked.add(name)
        blocks, is_leaf = _own(document, child, walked)
        below = [] if is_leaf else _walk(document, child, walked, depth + 1)
        for block in (*blocks, *below):
            yield block._replace(label=aside) if aside and block.layer == "furniture" else block


def _own(document: Mapping[str, Any], node: Mapping[str, Any], walked: set[str]) -> tuple[list[_Block], bool]:
    """The node's own blocks, and whether they hold the text of its children too."""
    label = str(node.get("label", ""))
    if isinstance(node.get("data"), Mapping):
        _take_all(document, node, walked)
        return list(_rows(node)), True
    if label == "inline":
        return [_block(node, "text", _joined(document, node, walked))], True
    if "text" not in node:
        return [], False
    text = _text(node)
    if not text.strip() and label in {*_HEADINGS, "list_item"}:
        # Formatted items hold their text in one inline group.
        text = _first_inline(document, node, walked)
    return [_block(node, label, text)], False


def _block(node: Mapping[str, Any], label: str, text: str) -> _Block:
    level = {"title": 1, "section_header": 1 + int(node.get("level") or 1)}.get(label, 0)
    lead = ""
    if label == "list_item":
        marker = str(node.get("marker") or "").strip()
        lead = f"{marker} " if node.get("enumerated") and marker else BULLET
    return _Block(label, level, _page(node), str(node.get("content_layer", "body")), lead, text, _name(node))


def _rows(node: Mapping[str, Any]) -> Iterator[_Block]:
    """One block a row; a cell that spans several stands in the first."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in node["data"].get("table_cells") or ():
        row, column = int(cell.get("start_row_offset_idx", 0)), int(cell.get("start_col_offset_idx", 0))
        text = " ".join(_writable(str(cell.get("text", ""))).split())
        rows.setdefault(row, []).append((column, text))
    layer = str(node.get("content_layer", "body"))
    for _, cells in sorted(rows.items()):
        text = CELLS.join(text for _, text in sorted(cells))
        if any(text for _, text in cells):
            yield _Block("row", 0, _page(node), layer, "", text, _name(node))


def _joined(document: Mapping[str, Any], node: Mapping[str, Any], walked: set[str]) -> str:
    """The texts of an inline group; Docling has trimmed them, so a space stands between."""
    found: list[str] = []
    for reference in node.get("children") or ():
        child = _resolved(document, reference.get("$ref", ""))
        if child is None:
            continue
        walked.add(reference["$ref"])
        found.append(_text(child) if "text" in child else _joined(document, child, walked))
    return " ".join(text for text in found if text.strip())


def _first_inline(document: Mapping[str, Any], node: Mapping[str, Any], walked: set[str]) -> str:
    for reference in node.get("children") or ():
        child = _resolved(document, reference.get("$ref", ""))
        if child is not None and child.get("label") == "inline":
            walked.add(reference["$ref"])
            return _joined(document, child, walked)
    return ""


def _take_all(document: Mapping[str, Any], node: Mapping[str, Any], walked: set[str]) -> None:
    """Mark what stands inside a table as read: its cells have the text too."""
    waiting = [node]
    while waiting:
        for reference in waiting.pop().get("children") or ():
            name = reference.get("$ref", "")
            child = _resolved(document, name)
            if child is not None and name not in walked:
                walked.add(name)
                waiting.append(child)


def _resolved(document: Mapping[str, Any], reference: str) -> Mapping[str, Any] | None:
    """The node of a reference such as ``#/texts/3``."""
    parts = reference.split("/")
    if len(parts) != 3 or not parts[2].isdigit():
        return None
    nodes = document.get(parts[1])
    if not isinstance(nodes, list) or int(parts[2]) >= len(nodes):
        return None
    node = nodes[int(parts[2])]
    return node if isinstance(node, Mapping) else None


def _name(node: Mapping[str, Any]) -> str:
    return str(node.get("self_ref", ""))


def _page(node: Mapping[str, Any]) -> int:
    places = node.get("prov") or ()
    return int(places[0].get("page_no", 0)) if places else 0


def _text(node: Mapping[str, Any]) -> str:
    """As it stands in the file; of formulas and the like what Docling made of it."""
    return _writable(str(node.get("orig") or node.get("text") or ""))


def _writable(text: str) -> str:
    return text.translate(_UNWRITABLE)
