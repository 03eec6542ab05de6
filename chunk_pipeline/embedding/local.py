"""Any model that sentence-transformers reads from a local folder, a text at a time.

A text is computed alone, not padded to its company's length, and on one thread: slower than batches, but its
vector has the same bits in any company. Nothing is downloaded. What does not belong here: BERT models, which
``encoder`` runs faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chunk_pipeline.embedding.compute import ComputeClass, choose_compute
from chunk_pipeline.embedding.model_files import model_key, verified_directory
from chunk_pipeline.embedding.models import Model, ModelError
from chunk_pipeline.embedding.reference import sentence_transformer
from chunk_pipeline.embedding.vectors import Progress, Vectors, check_vectors
from chunk_pipeline.settings import Compute

WINDOW = 256
"""Texts that are tokenised together: bounds memory, not speed."""


@dataclass(frozen=True)
class LocalEncoder:
    """An encoder over a ``SentenceTransformer``.

    Attributes:
        key: Name of the vector space.
        dimension: Width of the vectors.
        transformer: The model with its pooling.
        workers: Texts computed at once, each on one thread.
    """

    key: str
    dimension: int
    transformer: Any
    workers: int

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit-length float32 vectors of shape (texts, dimension), in the order of the texts.

        Raises:
            EncoderError: A vector is not finite or not of unit length.
        """
        import torch

        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        distinct = list(places)
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)
        threads = torch.get_num_threads()
        try:
            with ThreadPoolExecutor(self.workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
                for first in range(0, len(distinct), WINDOW):
                    # A fast tokenizer must not be called by two threads at once.
                    read = [self.transformer.preprocess([text]) for text in distinct[first : first + WINDOW]]
                    for place, vector in enumerate(pool.map(self._vector, read), start=first):
                        vectors[place] = vector
                        if progress is not None:
                            progress(place + 1, len(distinct))
        finally:
            # The matrix library's number of threads is the whole process's.
            torch.set_num_threads(threads)
        check_vectors(vectors, (len(distinct), self.dimension))
        return vectors[[places[text] for text in texts]]

    def _vector(self, features: dict[str, Any]) -> Vectors:
        import torch
        from torch.nn import functional as F

        device = self.transformer.device
        moved = {
            name: value.to(device) if torch.is_tensor(value) else value for name, value in features.items()
        }
        with torch.inference_mode():
            pooled = self.transformer(moved)["sentence_embedding"].float()
            vector: Vectors = F.normalize(pooled, dim=1)[0].cpu().numpy()
        return vector


def load_local(wanted: Model, compute: Compute = "fp32", directory: Path | None = None) -> LocalEncoder:
    """Load a model from its folder.

    Raises:
        ModelError: The folder is missing or holds another model than the registered one.
        ComputeError: The compute class is not usable here.
    """
    import torch

    folder = verified_directory(wanted, directory)
    choice = choose_compute(compute).compute
    transformer = sentence_transformer(folder)
    found = (transformer.get_embedding_dimension(), transformer.max_seq_length)
    if found != (wanted.dimension, wanted.max_tokens):
        raise ModelError(
            f"{folder}: gives {found[0]} numbers from {found[1]} tokens, but model {wanted.name} is "
            f"registered with {wanted.dimension} and {wanted.max_tokens}; put its own files there"
        )
    dtypes: dict[ComputeClass, torch.dtype] = {
        "fp32": torch.float32,
        "bf16": torch.bfloat16,
        "fp16": torch.float16,
    }
    device = "cuda" if choice == "fp16" else "cpu"
    return LocalEncoder(
        key=model_key(wanted, choice, folder),
        dimension=wanted.dimension,
        transformer=transformer.to(device=device, dtype=dtypes[choice]).eval(),
        workers=1 if device == "cuda" else torch.get_num_threads(),
    )
