"""LangChain's ``index`` as a store of the benchmark: its records in an SQLite file, its vectors in memory.

That the vectors are not durable is in its favour: a store on a disk costs it time besides.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from benchmarks._incremental_corpus import read
from benchmarks._incremental_store import CountingEncoder, Row, pieces


class LangChain:
    """A vector store, with a record manager that knows what is in it."""

    def __init__(
        self,
        files: Path,
        place: Path,
        encoder: CountingEncoder,
        cleanup: Literal["full", "incremental"] = "full",
    ) -> None:
        from langchain_classic.indexes import SQLRecordManager
        from langchain_core.vectorstores import InMemoryVectorStore

        self._files = files
        self._cleanup = cleanup
        self._vectors = InMemoryVectorStore(_embeddings(encoder))
        self._records = SQLRecordManager("benchmark", db_url=f"sqlite:///{place / 'records.sqlite'}")
        self._records.create_schema()

    def update(self) -> None:
        """Index the documents of all files, in batches of the default size."""
        from langchain_core.documents import Document
        from langchain_core.indexing import index

        documents = [
            Document(page_content=piece, metadata={"source": path})
            for path, text in read(self._files)
            for piece in pieces(text)
        ]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*SHA-1.*")
            index(documents, self._records, self._vectors, cleanup=self._cleanup, source_id_key="source")

    def rows(self) -> Iterator[Row]:
        """The vector store."""
        for held in self._vectors.store.values():
            vector = np.array(held["vector"], np.float32)
            yield Row(held["metadata"]["source"], held["text"], vector)

    def close(self) -> None:
        """Close the file of the records."""
        engine: Any = self._records.engine
        engine.dispose()


def _embeddings(encoder: CountingEncoder) -> Any:
    from langchain_core.embeddings import Embeddings

    class Counting(Embeddings):
        """The counting encoder."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = encoder.encode(texts).tolist()
            return vectors

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return Counting()
