"""A process that has one store and does with it what it is told, a line of JSON at a time.

``python -m benchmarks._incremental_worker STORE`` reads commands from its standard input and answers each
on its standard output; what a library prints goes to the standard error. Commands:

* ``{"open": {"files": PATH, "place": PATH}}``: close the store and open one that follows the files and keeps
  itself at the place.
* ``{"update": {"fail": false}}``: bring it up to date, timed; answers seconds, cpu, texts and error.
* ``{"judge": {"files": PATH}}``: hold it against the files; answers the counts of ``Exactness``.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks._incremental_contest import compare
from benchmarks._incremental_corpus import read
from benchmarks._incremental_store import CountingEncoder, Store, pieces, vectors_of

Opening = Callable[[Path, Path, CountingEncoder], Store]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A store that can take part.

    Attributes:
        name: As printed.
        package: That must be installed for it; empty for ours.
        durable: Whether its bookkeeping at least survives the process.
        by_default: Whether it takes part unless asked for by name.
        opening: Gives what opens it; imports its library.
    """

    name: str
    package: str
    durable: bool
    by_default: bool
    opening: Callable[[], Opening]


def _ours() -> Opening:
    from benchmarks._incremental_ours import Ours

    return Ours


def _ours_whole() -> Opening:
    from benchmarks._incremental_ours import Ours

    return lambda files, place, encoder: Ours(files, place, encoder, whole=True)


def _llamaindex() -> Opening:
    from benchmarks._incremental_llamaindex import LlamaIndex

    return LlamaIndex


def _llamaindex_persisted() -> Opening:
    from benchmarks._incremental_llamaindex import LlamaIndex

    return lambda files, place, encoder: LlamaIndex(files, place, encoder, persisted=True)


def _llamaindex_plain() -> Opening:
    from benchmarks._incremental_llamaindex import LlamaIndex

    return lambda files, place, encoder: LlamaIndex(files, place, encoder, metadata=False)


def _langchain_full() -> Opening:
    from benchmarks._incremental_langchain import LangChain

    return LangChain


def _langchain_incremental() -> Opening:
    from benchmarks._incremental_langchain import LangChain

    return lambda files, place, encoder: LangChain(files, place, encoder, "incremental")


def _cocoindex() -> Opening:
    from benchmarks._incremental_cocoindex import CocoIndex

    return CocoIndex


OURS = "ours"

ENTRANTS = {
    OURS: Entrant("ours, dense index", "", True, True, _ours),
    "ours_whole": Entrant("ours, BM25, tokens counted", "", True, True, _ours_whole),
    "cocoindex": Entrant("CocoIndex", "cocoindex", True, True, _cocoindex),
    "langchain_full": Entrant("LangChain index, full", "langchain_classic", True, True, _langchain_full),
    "langchain_incremental": Entrant(
        "LangChain index, incremental", "langchain_classic", True, True, _langchain_incremental
    ),
    "llamaindex": Entrant("LlamaIndex, in memory", "llama_index.core", False, True, _llamaindex),
    # It takes minutes for each update: JSON in, every number through dataclasses, JSON out.
    "llamaindex_persisted": Entrant(
        "LlamaIndex, persisted", "llama_index.core", True, False, _llamaindex_persisted
    ),
    # As fast as with metadata; it differs in what it does with equal documents.
    "llamaindex_plain": Entrant(
        "LlamaIndex, in memory, without metadata", "llama_index.core", False, False, _llamaindex_plain
    ),
}
"""The stores by the names that ``--only`` takes, in the order in which they are printed."""


class Session:
    """The store that is open, and the commands."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._encoder = CountingEncoder("counting")
        self._store: Store | None = None

    def answer(self, command: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """Do one command."""
        ((name, arguments),) = command.items()
        does: dict[str, Callable[..., dict[str, Any]]] = {
            "open": self._open,
            "update": self._update,
            "judge": self._judge,
        }
        return does[name](**arguments)

    @property
    def _opened(self) -> Store:
        if self._store is None:
            raise RuntimeError("no store is open; open one first")
        return self._store

    def _open(self, files: str, place: str) -> dict[str, Any]:
        if self._store is not None:
            self._store.close()
        Path(place).mkdir(parents=True)
        self._store = self._opening(Path(files), Path(place), self._encoder)
        return {}

    def _update(self, fail: bool) -> dict[str, Any]:
        store, error = self._opened, ""
        self._encoder.count, self._encoder.failing = 0, fail
        gc.collect()
        start, used = time.perf_counter(), _cpu()
        try:
            store.update()
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
        seconds = time.perf_counter() - start
        self._encoder.failing = False
        return {"seconds": seconds, "cpu": _cpu() - used, "texts": self._encoder.count, "error": error}

    def _judge(self, files: str) -> dict[str, Any]:
        rows = list(self._opened.rows())
        due = [(path, piece) for path, text in read(Path(files)) for piece in pieces(text)]
        made = vectors_of([row.text for row in rows])
        wrong = sum((row.vector != vector).any() for row, vector in zip(rows, made, strict=True))
        return asdict(compare([(row.path, row.text) for row in rows], due, int(wrong)))


def _cpu() -> float:
    """Seconds of a core that this process, its threads and its ended children used."""
    return sum(os.times()[:4])


def main() -> int:
    """Answer commands until there are no more."""
    # Libraries print as they like; the answers keep the standard output that was given.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    session = Session(ENTRANTS[sys.argv[1]].opening())
    for line in sys.stdin:
        print(json.dumps(session.answer(json.loads(line))), file=answers, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
