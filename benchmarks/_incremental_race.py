"""The stores, each in a process of its own, side by side: the same files, the same edits, step by step.

A step is done with one store after the other before the next begins, so that a machine that becomes slower
becomes so for all of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks._incremental_contest import STEPS, Exactness, Figures, Measured, after_failure
from benchmarks._incremental_corpus import (
    Files,
    Targets,
    edited,
    renamed,
    rewritten,
    shrunk,
    targets,
    write,
)
from benchmarks._incremental_worker import ENTRANTS, Entrant

ROUNDS = 3
"""How often nothing is changed, and one file is."""

SLOW = 5.0
"""Seconds of an update from which it is not repeated: the median of three would say no more."""

Tell = Callable[[str], None]
Change = Callable[[Path], None]


class StoreFailedError(RuntimeError):
    """A store could not do a step; the message names both and gives its error."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(f"{ENTRANTS[key].name}: {message}")


class Updated(NamedTuple):
    """An update: its seconds, those of a core, texts encoded, and the error or an empty text."""

    seconds: float
    cpu: float
    texts: int
    error: str


class Worker:
    """A store in its process, with copies of the files that are its own.

    Attributes:
        key: In ``ENTRANTS``.
        files: The folder that it follows now.
    """

    def __init__(self, key: str, root: Path) -> None:
        self.key = key
        self._root = root
        root.mkdir(parents=True)
        self._log = (root / "log").open("w", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "benchmarks._incremental_worker", key],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
        )
        self.files = root

    @property
    def entrant(self) -> Entrant:
        """What it is."""
        return ENTRANTS[self.key]

    def open(self, files: Files, place: str) -> None:
        """Follow files that are written for this, in a store that is empty."""
        self.files = self._root / place / "files"
        write(files, self.files)
        self.reopen(place)

    def reopen(self, place: str) -> None:
        """Follow the same files with another store that is empty."""
        store = self._root / place / f"store_{len(list((self._root / place).iterdir()))}"
        self._ask("open", files=str(self.files), place=str(store))

    def update(self, fail: bool = False) -> Updated:
        """Bring the store up to date; it is told to fail by its encoder."""
        return Updated(**self._ask("update", fail=fail))

    def judge(self, files: Path | None = None) -> Exactness:
        """Hold the store against its files, or others."""
        return Exactness(**self._ask("judge", files=str(files or self.files)))

    def _ask(self, name: str, **arguments: Any) -> dict[str, Any]:
        line = ""
        if self._process.stdin is not None and self._process.stdout is not None:
            try:
                self._process.stdin.write(json.dumps({name: arguments}) + "\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except BrokenPipeError:
                pass
        if not line:
            self._log.flush()
            said = (self._root / "log").read_text(encoding="utf-8").strip().splitlines()
            raise StoreFailedError(self.key, f"{name} ended its process: {' / '.join(said[-3:])}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()


@dataclass
class Race:
    """All stores on the same files.

    Attributes:
        workers: The stores.
        files: What they are given.
        tell: Told about each update.
    """

    workers: Sequence[Worker]
    files: Files
    tell: Tell
    _steps: dict[str, dict[str, list[Measured]]] = field(default_factory=dict)

    def run(self) -> list[Figures]:
        """Cold, then nothing and an edit in turns, then what happens once.

        Raises:
            StoreFailedError: A store raised an error where none was asked of it.
        """
        chosen = targets(self.files)
        for worker in self.workers:
            self._steps[worker.key] = {step: [] for step in STEPS}
            worker.open(self.files, "large")
        self._all("cold", _nothing)
        for round_ in range(ROUNDS):
            self._all("nothing", _nothing, round_)
            self._all("edit", _changed(chosen.edited[round_], edited), round_)
        for step, change in _once(chosen).items():
            self._all(step, change)
        return [
            Figures(each.entrant.name, each.entrant.durable, self._steps[each.key]) for each in self.workers
        ]

    def from_scratch(self) -> dict[str, Exactness]:
        """What each store holds when built from nothing on the files as they have become."""
        built = {}
        for worker in self.workers:
            worker.reopen("large")
            seconds, _, _, error = worker.update()
            if error:
                raise StoreFailedError(worker.key, f"from scratch: {error}")
            built[worker.entrant.name] = worker.judge()
            self.tell(f"from scratch: {worker.entrant.name} {seconds:.2f} s, {built[worker.entrant.name]}")
        return built

    def _all(self, step: str, change: Change, round_: int = 0) -> None:
        for worker in self.workers:
            done = self._steps[worker.key][step]
            if done and done[0].seconds > SLOW:
                continue
            change(worker.files)
            seconds, cpu, texts, error = worker.update()
            if error:
                raise StoreFailedError(worker.key, f"{step}: {error}")
            measured = Measured(seconds, cpu, texts, worker.judge())
            done.append(measured)
            self.tell(
                f"{step} {round_ + 1}: {worker.entrant.name} {seconds:.2f} s, "
                f"{texts} texts, {measured.exactness}"
            )


def _once(chosen: Targets) -> dict[str, Change]:
    def delete(folder: Path) -> None:
        (folder / chosen.deleted).unlink()

    def rename(folder: Path) -> None:
        (folder / chosen.renamed).rename(folder / renamed(chosen.renamed))

    return {"shrink": _changed(chosen.shrunk, shrunk), "delete": delete, "rename": rename}


def _nothing(folder: Path) -> None:
    """Change nothing."""


def _changed(path: str, change: Callable[[str], str]) -> Change:
    def apply(folder: Path) -> None:
        place = folder / path
        place.write_bytes(change(place.read_bytes().decode("utf-8")).encode("utf-8"))

    return apply


TWINS = ("twin_1.md", "twin_2.md", "twin_3.md")
"""Files of one text: the first and the last are deleted."""

FAILING = "changed.md"
"""The file that is rewritten when the encoder fails."""


def troubles(workers: Sequence[Worker], files: Files) -> Mapping[str, Mapping[str, str]]:
    """What an update that fails leaves, and what happens to texts that several files have.

    Args:
        workers: The stores.
        files: One text is taken for the file that changes, another for the twins.

    Returns:
        For each trouble the answer of each store, by its name.
    """
    chosen = targets(files)
    small = {FAILING: files[chosen.shrunk], **dict.fromkeys(TWINS, files[chosen.deleted])}
    found: dict[str, dict[str, str]] = {}
    for worker in workers:
        worker.open(small, "small")
        worker.update()
        before = worker.files.parent / "before"
        write(small, before)
        (worker.files / FAILING).write_bytes(rewritten(small[FAILING]).encode("utf-8"))
        error = worker.update(fail=True).error
        answers = {
            "the encoder fails: left": after_failure(worker.judge(before), worker.judge()),
            "the encoder fails: the caller is told": "yes" if error else "no",
        }
        worker.update()
        answers["the next update"] = str(worker.judge())
        for number, twin in enumerate((TWINS[0], TWINS[-1])):
            (worker.files / twin).unlink()
            worker.update()
            answers[f"{('first', 'last')[number]} of equal files deleted"] = str(worker.judge())
        for trouble, answer in answers.items():
            found.setdefault(trouble, {})[worker.entrant.name] = answer
    return found
