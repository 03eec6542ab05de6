"""Docling's documents: made of a file's bytes without a network, and written as JSON.

What does not belong here: what has to be done to a file before Docling reads it (``docx``, ``pdf``), and
HTML.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

from chunk_pipeline.conversion.errors import ExtractionError

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
            result = converter.convert(stream, page_range=pages or (1, sys.maxsize))
    except Exception as error:
        raise ExtractionError(
            f"Docling cannot read it ({_reason(error)}); save it anew and try again"
        ) from error
    finally:
        logger.setLevel(level)
    if result.status is not ConversionStatus.SUCCESS:
        why = "; ".join(each.error_message for each in result.errors) or result.status.value
        raise ExtractionError(
            f"Docling reads only a part of it ({_one_line(why)}); save it anew and try again"
        )
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


def _reason(error: BaseException) -> str:
    """What went wrong first: Docling raises one error from another."""
    while error.__cause__ is not None:
        error = error.__cause__
    return f"{type(error).__name__}: {_one_line(str(error))}" if str(error) else type(error).__name__


def _one_line(text: str) -> str:
    """A message on one line and without addresses of objects, which differ from run to run."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x…", " ".join(text.split()))[:300]
