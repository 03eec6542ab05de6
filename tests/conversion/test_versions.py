"""Another version of what reads a file makes its text anew."""

from __future__ import annotations

import pytest

from chunk_pipeline.conversion import versions
from chunk_pipeline.conversion.versions import converter, docling_version

READERS = ("docling-slim", "docling-core", "docling-parse", "pypdfium2", "python-docx", "lxml", "marko")


@pytest.mark.parametrize("reader", READERS)
def test_another_version_of_a_reader_is_another_converter(
    reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, known = converter(), versions._version
    monkeypatch.setattr(versions, "_version", lambda name: "0" if name == reader else known(name))
    assert converter() != before


def test_every_reader_is_installed() -> None:
    assert " none" not in converter()
    assert "none" not in docling_version()
