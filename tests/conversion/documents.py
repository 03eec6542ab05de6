"""Small DOCX and PDF files for the tests of this folder."""

from __future__ import annotations

import io
import runpy
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
FOLDER = SAMPLE / "heritage" / "documents"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def maker() -> dict[str, Any]:
    """The names of the script that makes the sample's documents."""
    return runpy.run_path(str(SAMPLE / "make_documents.py"))


def saved(fill: Callable[[Any], None]) -> bytes:
    """A DOCX file that python-docx writes."""
    import docx

    document = docx.Document()
    fill(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def with_body(content: str) -> bytes:
    """A DOCX file whose body is this XML."""
    body = f"<w:document {W} {R}><w:body>{content}</w:body></w:document>"
    return replaced(saved(lambda document: None), {"word/document.xml": body.encode()})


def replaced(data: bytes, parts: Mapping[str, bytes]) -> bytes:
    """The archive with some of its files replaced or added."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            if name not in parts:
                target.writestr(name, source.read(name))
        for name, content in parts.items():
            target.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
