"""The text of files that are none: DOCX and PDF.

Called when files are filtered, so that from there on a document is text with a structure beside it. Nothing
is fetched, nothing is run, and no file is written. What does not belong here: chunks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunk_pipeline.conversion.docling_documents import converted, written
from chunk_pipeline.conversion.docx import docx_paragraphs, missing_paragraphs, plain_docx
from chunk_pipeline.conversion.errors import ExtractionError
from chunk_pipeline.conversion.pdf import pdf_document
from chunk_pipeline.conversion.placed import placed_items

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

EXTRACTED = frozenset({".docx", ".pdf"})
"""Suffixes of the files that are converted, in lower case."""

__all__ = ["EXTRACTED", "Extracted", "ExtractionError", "extract"]


class Extracted(NamedTuple):
    """What a file was converted to.

    Attributes:
        text: Its text; ``placed_items(structure)`` gives the same.
        encoding: How it was read: ``docx``, ``pdf (text only)`` or ``pdf (layout)``.
        structure: The DoclingDocument as JSON.
    """

    text: str
    encoding: str
    structure: str


def extract(data: bytes, suffix: str) -> Extracted:
    """Convert a file.

    Args:
        data: The file.
        suffix: One of ``EXTRACTED``.

    Raises:
        ExtractionError: No text can be taken from it; the message is the quarantine reason.
        KeyError: The suffix is of no such file.
    """
    document, encoding = {".docx": _docx, ".pdf": pdf_document}[suffix](data)
    structure = written(document)
    text, items = placed_items(structure)
    if not items:
        raise ExtractionError(
            f"the {suffix[1:].upper()} holds no text; leave it out, or recognise its text (OCR) first"
        )
    return Extracted(text, encoding, structure)


def _docx(data: bytes) -> tuple[DoclingDocument, str]:
    document = converted(plain_docx(data), ".docx")
    text, _ = placed_items(written(document))
    missing = missing_paragraphs(docx_paragraphs(data), text)
    if missing:
        _append(document, missing)
    return document, "docx"


def _append(document: DoclingDocument, paragraphs: list[tuple[str, str]]) -> None:
    """Put behind the document what Docling left out of it, such as text of shapes and hidden runs."""
    from docling_core.types.doc.common.content_layer import ContentLayer
    from docling_core.types.doc.labels import DocItemLabel

    for _, paragraph in paragraphs:
        document.add_text(label=DocItemLabel.TEXT, text=paragraph, content_layer=ContentLayer.NOTES)
