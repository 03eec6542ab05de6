"""An encoder that is watched while it works, and given less where memory runs out.

What an encoder must promise is in ``vectors``. Here is what goes wrong beyond that: it may hang, and a batch
may be too much for the machine. A vector depends on its text alone, so halving what it is given changes no
bit. What does not belong here: which texts are encoded (``vector_store``).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue

import numpy as np

from chunk_pipeline.embedding.vectors import Encoder, EncoderError, Progress, Vectors

_TOO_MUCH = ("out of memory", "can't allocate memory")
"""How the errors of matrix libraries, which have no class of their own, say that memory ran out."""

_Moved = tuple[int, int]
"""Texts that are done, and how many there are."""


class _StoppedError(Exception):
    """Nobody waits any more for what the encoder gives."""


@dataclass(frozen=True)
class CarefulEncoder:
    """An encoder within limits of time and memory.

    Attributes:
        encoder: What encodes.
        seconds: How long it may give nothing; a model's first batch is meant too.
    """

    encoder: Encoder
    seconds: float

    @property
    def key(self) -> str:
        """Name of the vector space."""
        return self.encoder.key

    @property
    def dimension(self) -> int:
        """Width of the vectors."""
        return self.encoder.dimension

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit-length float32 vectors of shape (texts, dimension), in the order of the texts.

        Raises:
            EncoderError: It gave nothing for too long, gave another number of vectors than of texts, or
                memory does not suffice for a single text.
            Exception: What the encoder raised.
        """
        return self._halving(texts, _Share(progress, 0, len(texts)))

    def _halving(self, texts: Sequence[str], share: _Share) -> Vectors:
        try:
            vectors = self._watched(texts, share)
        except (MemoryError, RuntimeError) as error:
            if not _is_too_much(error):
                raise
            problem = str(error)
        else:
            if vectors.shape != (len(texts), self.dimension):
                raise EncoderError(
                    f"the encoder {self.key} gave vectors of shape {vectors.shape}, not "
                    f"{(len(texts), self.dimension)}; check the model's files"
                )
            return vectors
        if len(texts) <= 1:
            raise EncoderError(
                f"the encoder {self.key} has too little memory for one text of {len(texts[0])} characters "
                f"({problem}); end other programs, or take a smaller model"
            )
        middle = len(texts) // 2
        first = self._halving(texts[:middle], share)
        second = self._halving(texts[middle:], share.after(middle))
        return np.concatenate((first, second))

    def _watched(self, texts: Sequence[str], share: _Share) -> Vectors:
        """What the encoder gives, from a thread of its own, so that this one can stop waiting."""
        told: SimpleQueue[_Moved | Vectors | BaseException] = SimpleQueue()
        stopped = threading.Event()
        worker = threading.Thread(target=_work, args=(self.encoder, texts, told, stopped), daemon=True)
        worker.start()
        try:
            while True:
                answer = told.get(timeout=self.seconds)
                if isinstance(answer, tuple):
                    share.tell(answer[0])
                elif isinstance(answer, BaseException):
                    raise answer
                else:
                    return answer
        except Empty:
            raise EncoderError(
                f"the encoder {self.key} gave nothing for {self.seconds:g} seconds and was left alone; run "
                "again, or set CHUNK_PIPELINE_ENCODER_SECONDS if the machine is that slow"
            ) from None
        finally:
            stopped.set()


@dataclass(frozen=True, slots=True)
class _Share:
    """Tells the progress of a part of all texts."""

    progress: Progress | None
    before: int
    total: int

    def tell(self, done: int) -> None:
        if self.progress is not None:
            self.progress(self.before + done, self.total)

    def after(self, done: int) -> _Share:
        return _Share(self.progress, self.before + done, self.total)


def _work(
    encoder: Encoder,
    texts: Sequence[str],
    told: SimpleQueue[_Moved | Vectors | BaseException],
    stopped: threading.Event,
) -> None:
    def moved(done: int, total: int) -> None:
        if stopped.is_set():
            raise _StoppedError
        told.put((done, total))

    try:
        told.put(encoder.encode(texts, moved))
    except BaseException as error:
        told.put(error)


def _is_too_much(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or any(each in str(error).lower() for each in _TOO_MUCH)
