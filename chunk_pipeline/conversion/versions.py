"""Which converter makes texts of files that are none: another version may give other texts."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

EXTRACTION_VERSION = 2
"""Raised when the same file gives another text than before, the libraries being the same."""

_DOCLING = ("docling-slim", "docling-core")
_READERS = ("docling-parse", "pypdfium2", "python-docx", "lxml", "marko")
"""What Docling, and we, read PDF, DOCX and Markdown with."""

_HTML_READERS = ("beautifulsoup4", "soupsieve")
"""What Docling reads HTML with."""


def converter() -> str:
    """Versions of all that has a say in the text of a converted file; libraries are not imported."""
    return " ".join([f"extraction {EXTRACTION_VERSION}", *map(_named, (*_DOCLING, *_READERS))])


def docling_version() -> str:
    """Versions of Docling and of what it reads web pages with, without a space."""
    return ",".join(_version(name) for name in (*_DOCLING, *_HTML_READERS))


def _named(name: str) -> str:
    return f"{name} {_version(name)}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
