"""Repositories of files that are too much for their parser, cut within budgets."""

from __future__ import annotations

import os
from pathlib import Path

from chunk_pipeline.chunking.chunk import Document, digest
from chunk_pipeline.chunking.repository import Chunked, chunk_repository
from chunk_pipeline.chunking.unusual import DEEP
from chunk_pipeline.isolation.limits import FileLimits
from chunk_pipeline.isolation.process import Isolated
from tests.bad_inputs.hazards import Hazardous
from tests.chunking.chunking_documents import tables

LIMITS = FileLimits(seconds=2, memory_mb=300)


def children() -> set[int]:
    """Processes of this one, ended ones that nobody took leave of among them."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(path.parent.name))
    return found


def hazard(word: str) -> Document:
    """A document that is cut in a process of its own, and does there what its first word says."""
    text = f"{word} {'(' * (DEEP + 1)}"
    return Document("shop", f"{word}.txt", text, "text", digest(text), language="text", encoding="utf-8")


def cut(words: list[str], isolated: Isolated, previous: Chunked | None = None) -> Chunked:
    """A repository of such documents, cut."""
    return chunk_repository(Hazardous(), *tables([hazard(word) for word in words]), previous, None, isolated)
