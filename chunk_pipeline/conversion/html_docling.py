"""A web page through Docling, each item with the element that it was made of.

Docling keeps no place of what it reads from HTML: provenance is of rendered pages. The page is stamped first,
an attribute on each element, and a subclass of Docling's backend hands the stamp on as provenance. Its hooks
are private: the version is checked, and a test fails where one is gone. Nothing is fetched, and nothing is
written. What does not belong here: what the stamps mean.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from chunk_pipeline.conversion.own_stack import on_own_stack

if TYPE_CHECKING:
    from bs4 import Tag
    from docling.backend.html_backend import HTMLDocumentBackend
    from docling_core.types.doc.common.reference import ProvenanceItem
    from docling_core.types.doc.document import DoclingDocument

STAMP = "data-stamp"
"""The attribute that holds an element's stamp."""

TESTED_VERSION = "2.143.0"
"""The version of Docling whose hooks are known."""

_OPTIONS = MappingProxyType(
    {
        # By default all that stands ahead of the first heading is dropped.
        "infer_furniture": False,
        "add_title": False,
        "fetch_images": False,
        "enable_local_fetch": False,
        "enable_remote_fetch": False,
    }
)

HOOKS = ("_make_prov", "_make_text_prov", "_make_text_prov_for_source_tag_ids")
"""The methods that make provenance."""


class HtmlItem(NamedTuple):
    """An item of Docling's, in its order.

    Attributes:
        label: ``title``, ``section_header``, ``text``, ``list_item``, ``table``, ``code``, ``caption``, …
        level: Level of the heading from 1 to 6; 0 for other items.
        stamp: Stamp of the element that it was made of; empty where nothing around it has one.
        text: Its text as it was before Docling normalised it; that of the cells for a table.
    """

    label: str
    level: int
    stamp: str
    text: str


class HtmlConversionError(ValueError):
    """A page that Docling cannot convert, or a Docling whose hooks are not known; the message says which."""


def html_items(page: str) -> tuple[HtmlItem, ...]:
    """What Docling reads in a page.

    Args:
        page: HTML, its elements stamped.

    Raises:
        HtmlConversionError: Docling fails on it, or is another version than the one that is known.
    """
    return tuple(_item(each) for each, _ in _converted(page, _stamped_backend()).iterate_items())


def html_document(page: str) -> DoclingDocument:
    """A page as Docling reads it by itself, nothing taken out of it before.

    Args:
        page: HTML as stored.

    Raises:
        HtmlConversionError: Docling fails on it.
    """
    from docling.backend.html_backend import HTMLDocumentBackend

    # What a page says of its encoding was true of its bytes; behind this mark it is not looked at.
    return _converted(f"\ufeff{page}", HTMLDocumentBackend)


def _converted(page: str, backend_class: type[HTMLDocumentBackend]) -> DoclingDocument:
    from docling.datamodel.backend_options import HTMLBackendOptions
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument

    def convert() -> DoclingDocument:
        source = InputDocument(
            path_or_stream=BytesIO(page.encode(errors="replace")),
            format=InputFormat.HTML,
            backend=backend_class,
            backend_options=HTMLBackendOptions.model_validate(_OPTIONS),
            filename="page.html",
        )
        backend = source._backend  # Made with the source; another would parse the page again.
        assert isinstance(backend, backend_class)
        return backend.convert()

    try:
        return on_own_stack(convert)
    except Exception as error:
        raise HtmlConversionError(f"Docling cannot convert the page: {type(error).__name__}") from error


def _item(item: Any) -> HtmlItem:
    from docling_core.types.doc.items.table.table import TableItem
    from docling_core.types.doc.items.text import SectionHeaderItem, TitleItem

    level = 0
    if isinstance(item, TitleItem):
        level = 1
    elif isinstance(item, SectionHeaderItem):
        level = item.level + 1
    provenance = getattr(item, "prov", None)
    text = getattr(item, "orig", "")
    if isinstance(item, TableItem):
        text = "\n".join(cell.text for cell in item.data.table_cells)
    return HtmlItem(
        str(item.label.value), level, getattr(provenance[0], "stamp", "") if provenance else "", text
    )


@cache
def _stamped_backend() -> type[HTMLDocumentBackend]:
    """Docling's backend with provenance of the stamps.

    Raises:
        HtmlConversionError: It is not the version whose hooks are known.
    """
    from importlib.metadata import version

    from docling.backend.html_backend import HTMLDocumentBackend
    from docling_core.types.doc.base import BoundingBox
    from docling_core.types.doc.common.reference import ProvenanceItem

    installed = version("docling-slim")
    missing = [name for name in HOOKS if not hasattr(HTMLDocumentBackend, name)]
    if installed != TESTED_VERSION or missing:
        raise HtmlConversionError(
            f"docling-slim {installed} is installed; the hooks of {TESTED_VERSION} are known: install that"
        )

    class StampedProvenance(ProvenanceItem):
        stamp: str

    def stamped(text: str, tag: Tag | None) -> ProvenanceItem | None:
        while tag is not None and not tag.get(STAMP):
            tag = tag.parent
        if tag is None:
            return None
        nowhere = BoundingBox(l=0, t=0, r=0, b=0)
        return StampedProvenance(page_no=1, bbox=nowhere, charspan=(0, len(text)), stamp=str(tag[STAMP]))

    class StampedBackend(HTMLDocumentBackend):
        def _make_prov(
            self, text: str, tag: Tag | None = None, source_tag_id: str | None = None
        ) -> ProvenanceItem | None:
            return stamped(text, tag)

        def _make_text_prov(
            self, text: str, tag: Tag | None = None, source_tag_id: str | None = None
        ) -> ProvenanceItem | None:
            return stamped(text, tag)

        def _make_text_prov_for_source_tag_ids(
            self, text: str, tag: Tag | None, source_tag_ids: list[str]
        ) -> ProvenanceItem | None:
            return stamped(text, tag)

    return StampedBackend
