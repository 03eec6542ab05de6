"""What an incremental store is to the benchmark: something that follows a folder and tells what it holds.

All are given the same pieces and the same made vectors, so that nothing but the keeping of them differs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from chunk_pipeline.embedding.vectors import Progress, Vectors

SIZE = 500
"""Characters that a piece has at most."""

DIMENSION = 384


class Row(NamedTuple):
    """A piece as a store holds it.

    Attributes:
        path: Of its file, below the folder.
        text: The piece; found by its vector where the store keeps no texts.
        vector: float32, of shape (DIMENSION,).
    """

    path: str
    text: str
    vector: Vectors


class Store(Protocol):
    """A store that follows a folder."""

    def update(self) -> None:
        """Bring it up to date with the folder."""
        ...

    def rows(self) -> Iterator[Row]:
        """Everything that is held now, read from where the store keeps it."""
        ...

    def close(self) -> None:
        """Let go of files and threads; what is durable stays."""
        ...


class EncoderFailure(RuntimeError):
    """The encoder was told to fail, and does."""


class CountingEncoder:
    """Makes vectors from digests, counts the texts, and fails when told to.

    Attributes:
        key: As ``chunk_pipeline.embedding.vectors.Encoder`` wants it.
        dimension: Width of the vectors.
        count: How many texts were encoded since it was last set to 0.
        failing: Whether the next call fails; it is the only one.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.dimension = DIMENSION
        self.count = 0
        self.failing = False
        self._texts: dict[bytes, str] = {}

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit-length float32 vectors of shape (texts, DIMENSION).

        Raises:
            EncoderFailure: It was told to fail.
        """
        if self.failing:
            self.failing = False
            raise EncoderFailure("the encoder was told to fail")
        self.count += len(texts)
        made = vectors_of(texts)
        self._texts.update((vector.tobytes(), text) for vector, text in zip(made, texts, strict=True))
        return made

    def text_of(self, vector: Vectors) -> str:
        """The text whose vector this is; empty if it was never encoded."""
        return self._texts.get(vector.tobytes(), "")


def vectors_of(texts: Sequence[str]) -> Vectors:
    """The vectors of texts: each decided by its text alone."""
    digests = b"".join(hashlib.shake_256(text.encode("utf-8")).digest(2 * DIMENSION) for text in texts)
    made = np.frombuffer(digests, np.uint16).reshape(len(texts), DIMENSION).astype(np.float32) - 32767.5
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


@lru_cache(maxsize=1)
def splitter() -> Any:
    """LangChain's recursive splitter, which all stores use."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=0)


def pieces(text: str) -> list[str]:
    """The pieces of a text, in their order."""
    cut: list[str] = splitter().split_text(text)
    return cut
