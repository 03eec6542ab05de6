"""The items of a document in its text: from its stored conversion, or by converting Markdown.

What does not belong here: conversion itself, and what is made of items.
"""

from __future__ import annotations

from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.document.alignment import aligned
from chunk_pipeline.chunking.document.limits import too_much
from chunk_pipeline.chunking.document.plain_items import plain_items
from chunk_pipeline.chunking.markdown.masks import front_matter_end
from chunk_pipeline.conversion.errors import ExtractionError
from chunk_pipeline.conversion.placed import PlacedItem, placed_items


class Items(NamedTuple):
    """What is known of a document.

    Attributes:
        items: Its items with their places in its text, in order; headings and texts without Docling.
        structure: The DoclingDocument as JSON; empty where there is none.
        fallback: Why there are none of Docling's; empty where there are.
    """

    items: tuple[PlacedItem, ...]
    structure: str
    fallback: str = ""


def document_items(document: Document) -> Items:
    """The items of a document."""
    if not document.structure:
        return _markdown(document.text)
    try:
        text, items = placed_items(document.structure)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return Items((), "", f"its structure cannot be read: {error}")
    if text != document.text:
        return Items((), "", "its structure is of another text")
    return Items(items, document.structure)


def _markdown(text: str) -> Items:
    """Markdown through Docling. Front matter is not shown to it: it reads its last line as a heading."""
    from chunk_pipeline.conversion.docling_documents import converted, written

    if not text.strip():
        return Items((), "")
    reason = too_much(text)
    if reason:
        return Items(plain_items(text), "", f"not given to Docling: {reason}")
    behind = text[front_matter_end(text) :]
    try:
        structure = written(converted(behind.encode("utf-8", "replace"), ".md"))
        _, items = placed_items(structure)
    except RecursionError:
        # Its message says how far the caller was.
        return Items(plain_items(text), "", "it is nested deeper than Docling writes")
    except (ExtractionError, ValueError) as error:
        return Items(plain_items(text), "", str(error))
    return Items(aligned(text, items), structure)
