"""Documents and tables for the tests of chunking."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.corpus.categories import category
from chunk_pipeline.warehouse.tables import CONTENTS, FILES

NAMES = ("json_recursive_text", "json_recursive_tree", "json_category", "json_category_breadcrumb")
OURS = NAMES[2:]


def document(text: str, category: str = "other", path: str = "data.json") -> Document:
    return Document("shop", path, text, category, hashlib.sha256(text.encode()).hexdigest())


def cut(name: str, source: Document) -> tuple[list[Chunk], list[Skip]]:
    pieces = list(strategy(name).cut(source))
    return [each for each in pieces if isinstance(each, Chunk)], [
        each for each in pieces if isinstance(each, Skip)
    ]


def proof_of(name: str, source: Document) -> Proof:
    chunks, skips = cut(name, source)
    return prove(source.text, chunks, skips, strategy(name).format)


def bodies(name: str, text: str, category: str = "other", path: str = "data.json") -> list[str]:
    return [chunk.body for chunk in cut(name, document(text, category, path))[0]]


def kalisio(corpora: Path, fates: Iterable[str] = ("kept",)) -> Iterator[Document]:
    """The JSON documents of the Kalisio study whose fate is among these."""
    with (corpora / "corpora/kalisio_manifest/files_json_md.csv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            file = corpora / "corpora/kalisio" / row["path"]
            if row["path"].endswith(".json") and row["filter_fate"] in fates and file.exists():
                repository, _, path = row["path"].partition("/")
                text = file.read_bytes().decode("utf-8")
                yield Document(repository, path, text, category(repository, path))


def tables(documents: Iterable[Document], fate: str = "kept") -> tuple[pa.Table, pa.Table]:
    """``files`` and ``contents`` of these documents."""
    files, contents = [], {}
    for each in documents:
        files.append(
            {
                "repository": each.repository,
                "path": each.path,
                "size": len(each.text.encode()),
                "object_id": each.content_sha256,
                "content_sha256": each.content_sha256,
                "encoding": each.encoding or "utf-8",
                "fate": fate,
                "profile": "default",
                "snapshot": "1",
                "category": each.category,
                "language": "json" if each.path.endswith(".json") else "text",
                "attributes": list(each.attributes),
            }
        )
        contents[each.content_sha256] = {
            "repository": each.repository,
            "content_sha256": each.content_sha256,
            "text": each.text,
            "structure": each.structure,
        }
    return (
        pa.Table.from_pylist(files, schema=FILES.schema),
        pa.Table.from_pylist(list(contents.values()), schema=CONTENTS.schema),
    )
