"""The real JSON files that the reference study keeps, as documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.corpus.categories import category


@pytest.fixture(scope="session")
def kalisio(corpora: Path) -> list[Document]:
    """The 60 JSON files of the five repositories under ``js_vue_rag``: no package.json, no docs."""
    root = corpora / "corpora" / "kalisio"
    documents = []
    for file in sorted(root.rglob("*.json")):
        repository, path = file.relative_to(root).as_posix().split("/", 1)
        if file.name == "package.json" or "docs" in path.split("/"):
            continue
        text = file.read_text(encoding="utf-8-sig")
        documents.append(Document(repository, path, text, category(repository, path)))
    return documents
