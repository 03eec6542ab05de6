"""The real JSON files as documents, labelled by the rules of the reference study."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document


def _category(name: str) -> str:
    lowered = name.lower()
    if "/schemas/" in lowered and any(
        part in lowered.rsplit("/", 1)[-1] for part in (".create", ".update", ".get")
    ):
        return "schemas_validation"
    return "i18n_translations" if "/i18n/" in lowered else "other"


@pytest.fixture(scope="session")
def kalisio(corpora: Path) -> list[Document]:
    """Every JSON file of the five repositories; only schemas and translations have a category of note."""
    root = corpora / "corpora" / "kalisio"
    documents = []
    for file in sorted(root.rglob("*.json")):
        repository, path = file.relative_to(root).as_posix().split("/", 1)
        if file.name == "package.json":
            continue
        text = file.read_text(encoding="utf-8-sig")
        documents.append(Document(repository, path, text, _category(f"{repository}/{path}")))
    return documents
