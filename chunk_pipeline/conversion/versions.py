"""Which converter makes texts of files that are none: another version may give other texts."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

EXTRACTION_VERSION = 1
"""Raised when the same file gives another text than before, the libraries being the same."""

_LIBRARIES = ("docling-slim", "docling-core")


def converter() -> str:
    """Versions of all that has a say in the text of a converted file; libraries are not imported."""
    return " ".join(
        [f"extraction {EXTRACTION_VERSION}", *(f"{name} {_version(name)}" for name in _LIBRARIES)]
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
