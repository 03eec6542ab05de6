"""LlamaIndex's ``IngestionPipeline`` as a store of the benchmark, with upserts and deletes by document.

In memory it keeps everything between two updates, and nothing is durable. Persisted, each update loads
what the last one wrote, and writes it again, by the calls that its documentation gives for that. Without
metadata the path is the document's id alone, and equal documents have one digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._incremental_corpus import read
from benchmarks._incremental_store import CountingEncoder, Row, splitter

VECTORS = "vector_store.json"


class LlamaIndex:
    """A pipeline with a document store and a vector store, by default in memory."""

    def __init__(
        self,
        files: Path,
        place: Path,
        encoder: CountingEncoder,
        persisted: bool = False,
        metadata: bool = True,
    ) -> None:
        self._files = files
        self._metadata = metadata
        self._place = place if persisted else None
        self._encoder = encoder
        self._pipeline = self._made()

    def _made(self) -> Any:
        from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
        from llama_index.core.node_parser import LangchainNodeParser
        from llama_index.core.storage.docstore import SimpleDocumentStore
        from llama_index.core.vector_stores import SimpleVectorStore

        return IngestionPipeline(
            transformations=[LangchainNodeParser(splitter()), _embedding(self._encoder)],
            docstore=SimpleDocumentStore(),
            vector_store=SimpleVectorStore(),
            docstore_strategy=DocstoreStrategy.UPSERTS_AND_DELETE,
            # Written down, the cache of transformations holds every vector a second time, and a file that
            # changed is not in it: persisted, the pipeline is faster without.
            disable_cache=self._place is not None,
        )

    def update(self) -> None:
        """Run the pipeline on all documents; it finds out which changed."""
        if self._place is not None:
            self._load(self._place)
        self._pipeline.run(documents=self._documents())
        if self._place is not None:
            self._pipeline.persist(str(self._place))
            self._pipeline.vector_store.persist(str(self._place / VECTORS))

    def _load(self, place: Path) -> None:
        from llama_index.core.vector_stores import SimpleVectorStore

        self._pipeline = self._made()
        if (place / VECTORS).exists():
            self._pipeline.load(str(place))
            self._pipeline.vector_store = SimpleVectorStore.from_persist_path(str(place / VECTORS))

    def _documents(self) -> list[Any]:
        from llama_index.core import Document

        # The path is kept with each piece but not embedded: no other store embeds it either.
        return [
            Document(
                text=text,
                id_=path,
                metadata={"path": path} if self._metadata else {},
                excluded_embed_metadata_keys=["path"],
            )
            for path, text in read(self._files)
        ]

    def rows(self) -> Iterator[Row]:
        """The vector store, which keeps no texts: they are found by the vectors."""
        if self._place is not None:
            self._load(self._place)
        data = self._pipeline.vector_store.data
        for node, values in data.embedding_dict.items():
            vector = np.array(values, np.float32)
            yield Row(data.text_id_to_ref_doc_id[node], self._encoder.text_of(vector), vector)

    def close(self) -> None:
        """Nothing is open between two updates."""


def _embedding(encoder: CountingEncoder) -> Any:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    class Embedding(BaseEmbedding):
        """The counting encoder, in the batches of its default size."""

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = encoder.encode(texts).tolist()
            return vectors

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Embedding(model_name="counting")
