"""Docling's documents: made of a file's bytes without a network, and written as JSON.

What does not belong here: what has to be done to a file before Docling reads it (``docx``, ``pdf``), and
HTML.
"""

from __future__ import annotations

import io
import json
import logging
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from chunk_pipeline.conversion.errors import ExtractionError
from chunk_pipeline.conversion.own_stack import on_own_stack
from chunk_pipeline.conversion.unreadable import unreadable

if TYPE_CHECKING:
    from docling.document_converter import FormatOption
    from docling_core.types.doc.document import DoclingDocument

OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY")
"""Switches of what Docling would fetch with."""

NAME = "document"
"""Docling names a document after its file; the same text under two names has to give the same structure."""

_DIGITS = 2
"""Decimals of coordinates, in points."""


def converted(
    data: bytes, suffix: str, option: FormatOption | None = None, pages: tuple[int, int] | None = None
) -> DoclingDocument:
    """A file as Docling reads it.

    Args:
        data: The file.
        suffix: ``.md``, ``.docx`` or ``.pdf``; Docling looks at nothing else.
        option: Backend and pipeline; Docling's own if none are given.
        pages: First and last page that are read, from 1; all where ``None``.

    Raises:
        ExtractionError: Docling fails, or reads only a part.
        MemoryError: It has too little memory: that says nothing of the file.
    """
    for switch in OFFLINE:
        os.environ.setdefault(switch, "1")
    from docling.datamodel.base_models import ConversionStatus, DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter

    format = {".md": InputFormat.MD, ".docx": InputFormat.DOCX, ".pdf": InputFormat.PDF}[suffix]
    converter = DocumentConverter(
        allowed_formats=[format], format_options={format: option} if option is not None else None
    )
    stream = DocumentStream(name=NAME + suffix, stream=io.BytesIO(data))
    logger = logging.getLogger("docling")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = on_own_stack(lambda: converter.convert(stream, page_range=pages or (1, sys.maxsize)))
    except Exception as error:
        raise _failure(suffix, _said(error)) from error
    finally:
        logger.setLevel(level)
    if result.status is not ConversionStatus.SUCCESS:
        raise _failure(suffix, " ".join(each.error_message for each in result.errors))
    return result.document


def written(document: DoclingDocument) -> str:
    """A document as JSON: the same document gives the same bytes. Pictures are left out."""
    content = document.export_to_dict(mode="json", coord_precision=_DIGITS)
    content.pop("origin", None)
    content["name"] = NAME
    for picture in (*content.get("pictures", ()), *content.get("tables", ())):
        picture.pop("image", None)
    for page in content.get("pages", {}).values():
        page.pop("image", None)
    return json.dumps(content, ensure_ascii=True, separators=(",", ":"))


def read_back(structure: str) -> DoclingDocument:
    """The document of a JSON that ``written`` made."""
    from docling_core.types.doc.document import DoclingDocument

    content: dict[str, Any] = json.loads(structure)
    return DoclingDocument.model_validate(content)


def _failure(suffix: str, said: str) -> Exception:
    return MemoryError(said) if "MemoryError" in said else ExtractionError(unreadable(suffix, said))


def _said(error: BaseException) -> str:
    """All that was said: Docling raises one error from another."""
    said: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        said.append(f"{type(cause).__name__} {cause}")
        cause = cause.__cause__
    return " ".join(said)
