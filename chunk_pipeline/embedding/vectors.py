"""What every encoder must promise, and how a promise is checked. Any encoder imports this, and it none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]
"""Called with how many texts are done and how many there are."""

_UNIT = 1e-3
"""Largest difference of a vector's length from 1."""


class EncoderError(RuntimeError):
    """The encoder gave, or would give, vectors that are not what they should be."""


class Encoder(Protocol):
    """What turns texts into vectors. A text is taken as it is: prefix and context are already in it.

    Attributes:
        key: Name of the vector space (``model_key``).
        dimension: Width of the vectors.
    """

    @property
    def key(self) -> str:
        """Name of the vector space."""
        ...

    @property
    def dimension(self) -> int:
        """Width of the vectors."""
        ...

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit-length float32 vectors of shape (texts, dimension), in the order of the texts."""
        ...


def check_vectors(vectors: Vectors, shape: tuple[int, ...]) -> None:
    """Hold vectors to their promise: shape, finite, unit length.

    Raises:
        EncoderError: They break it; the message names the first row that does.
    """
    if vectors.shape != shape:
        raise EncoderError(f"the encoder gave vectors of shape {vectors.shape}, not {shape}")
    # A component that is not finite makes the length so, and the comparison false.
    wrong = ~(np.abs(np.linalg.norm(vectors, axis=1) - 1) <= _UNIT)
    if wrong.any():
        row = int(wrong.argmax())
        length = float(np.linalg.norm(vectors[row]))
        raise EncoderError(
            f"vector {row} of {len(vectors)} has length {length}, not 1; check the model's files"
        )
