"""Claim: following 1,300 files, ours is exact after every change, and ahead of every durable peer at each.

Ours, LlamaIndex's IngestionPipeline, LangChain's ``index`` and CocoIndex get the same real files, the same
pieces of 500 characters and the same made vectors, whose making is counted. Each has a process and copies of
its own; every step is done with all of them before the next begins:

* cold, nothing changed, one word of one file edited (both three times), a file cut to half, a file deleted, a
  file renamed: seconds, texts encoded, and whether what is held is what the files say;
* after all of that, a build from scratch, which must hold the same;
* on four small files: what is left when the encoder fails, and when one of several equal files is deleted.

``--only NAME`` runs some of the stores. Exits with 1 where ours is not exact, or not ahead of a durable peer
in a column; with 2 where the peers are not installed or the files cannot be had.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks._incremental_contest import (
    STEPS,
    Figures,
    cpu_table,
    exactness_table,
    missed,
    seconds_table,
    texts_table,
)
from benchmarks._incremental_corpus import Files, corpus
from benchmarks._incremental_race import Race, StoreFailedError, Worker, troubles
from benchmarks._incremental_store import SIZE, pieces
from benchmarks._incremental_worker import ENTRANTS, OURS
from benchmarks._packages import PackagesUnavailableError


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and say by the exit code whether the claim holds."""
    keys = _asked(arguments)
    if lacking := [key for key in keys if not _installed(ENTRANTS[key].package)]:
        print(f"not installed: {', '.join(lacking)}; install the project's extra 'bench'", file=sys.stderr)
        return 2
    try:
        files = corpus()
        with tempfile.TemporaryDirectory() as folder:
            return _contest(keys, files, Path(folder))
    except (PackagesUnavailableError, StoreFailedError) as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, StoreFailedError) and error.key.startswith(OURS) else 2


def _contest(keys: Sequence[str], files: Files, folder: Path) -> int:
    n_pieces = sum(len(pieces(text)) for text in files.values())
    size = sum(len(text.encode("utf-8")) for text in files.values())
    print(f"{len(files)} files, {size / 1e6:.2f} MB, {n_pieces} pieces of at most {SIZE} characters")
    with ExitStack() as stack:
        workers = []
        for key in keys:
            workers.append(Worker(key, folder / key))
            stack.callback(workers[-1].close)
        race = Race(workers, files, _tell)
        figures = race.run()
        scratch = race.from_scratch()
        found = troubles(workers, files)
    ours = next((each for each in figures if each.name == ENTRANTS[OURS].name), None)
    for shown in (
        seconds_table(figures, ours),
        cpu_table(figures),
        texts_table(figures),
        exactness_table(figures),
    ):
        print(f"\n{shown}")
    print("\nbuilt from scratch at the end")
    for name, exactness in scratch.items():
        print(f"  {name}: {exactness}")
    for trouble, answers in found.items():
        print(f"\n{trouble}")
        for name, answer in answers.items():
            print(f"  {name}: {answer}")
    return _verdict(figures, ours)


def _verdict(figures: Sequence[Figures], ours: Figures | None) -> int:
    own = {ENTRANTS[key].name for key in ENTRANTS if key.startswith(OURS)}
    peers = [each for each in figures if each.name not in own]
    failures = missed(ours, peers) if ours else []
    for each in figures:
        if each.name in own and each is not ours:
            failures += [f"{each.name} is not exact" for step in STEPS if not each.exactness(step).exact][:1]
    print()
    for failure in failures:
        print(f"missed: {failure}")
    if not failures and ours:
        print("ours is exact, and ahead of every durable peer in every column")
    return 1 if failures else 0


def _asked(arguments: Sequence[str] | None) -> list[str]:
    parser = argparse.ArgumentParser(prog="benchmarks.incremental")
    parser.add_argument(
        "--only", action="append", choices=list(ENTRANTS), help="run this store; may be given several times"
    )
    only = parser.parse_args(arguments).only
    return [key for key, entrant in ENTRANTS.items() if (key in only if only else entrant.by_default)]


def _installed(package: str) -> bool:
    try:
        return not package or importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _tell(what: str) -> None:
    print(f"  {time.strftime('%H:%M:%S')} {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
