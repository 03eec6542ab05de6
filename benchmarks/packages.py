"""Claim: on large npm packages nothing is lost, every span is exact and every syntax chunk is whole and fits.

Cuts every kept file of the packages with every strategy that takes it, proves each cut, and prints a line a
strategy. Exits with 1 where a strategy has cover or exact spans below 100% or breaks the integrity that it
promises, or a ``*_syntax`` strategy has a chunk over the limit (a JSON scalar that alone is longer is counted
apart), a file that it could not read, or falls back too often; with 2 where the packages cannot be had.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks._packages import CACHE, PACKAGES, PackagesUnavailableError, package_documents
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.registry import Strategy, select
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.corpus.categories import language

MOST_FALLEN = 0.002
"""Share of chunks that may be plain text for a named reason: integrity is not asked of them."""

SHOWN = 5
"""Faults and reasons that are printed of each kind."""

COLUMNS = (
    *("files", "MB", "MB/s", "chunks", "cover", "exact", "integrity", "over", "alone"),
    *("fallback", "of it whole", "quarantined"),
)


@dataclass(slots=True)
class Tally:
    """What one strategy did on all files; sums of the figures of ``Proof`` of the same names."""

    strategy: Strategy
    files: int = 0
    size: int = 0
    seconds: float = 0.0
    chunks: int = 0
    characters: int = 0
    covered: int = 0
    exact: int = 0
    parsing: int = 0
    unsound: int = 0
    over_limit: int = 0
    indivisible: int = 0
    fallen_whole: int = 0
    fallbacks: Counter[str] = field(default_factory=Counter)
    quarantined: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, document: Document) -> None:
        """Cut a document, prove the cut, and count."""
        self.files += 1
        self.size += len(document.text)
        start = time.perf_counter()
        try:
            cut = list(self.strategy.cut(document))
        except UnparsableError as error:
            self.quarantined.append(f"{document.name}: {error}")
            return
        finally:
            self.seconds += time.perf_counter() - start
        chunks = [each for each in cut if isinstance(each, Chunk)]
        skips = [each for each in cut if isinstance(each, Skip)]
        proof = prove(document.text, chunks, skips, self.strategy.format, self.strategy.limit)
        self._count(document, proof)
        fallen = [each for each in chunks if each.metadata.fallback]
        self.fallen_whole += sum(parses(self.strategy.format, each.passage) for each in fallen)

    def _count(self, document: Document, proof: Proof) -> None:
        self.chunks += proof.chunks
        self.characters += proof.characters
        self.covered += proof.covered
        self.exact += proof.exact
        self.parsing += proof.parsing
        self.unsound += not proof.holds
        self.over_limit += proof.sizes.over_limit
        self.indivisible += proof.sizes.indivisible
        self.fallbacks.update(dict(proof.fallbacks))
        kinds = (proof.uncovered, proof.inexact, proof.unparsable, proof.sizes.longest)
        self.faults += [f"{document.name}: {each}" for kind in kinds for each in kind[:1]]

    @property
    def fallen(self) -> int:
        """Chunks that were not cut in the strategy's own way."""
        return sum(self.fallbacks.values())

    @property
    def is_syntax(self) -> bool:
        """Whether it is one of those of which everything is claimed."""
        return self.strategy.name.endswith("_syntax")

    @property
    def broken(self) -> bool:
        """Whether it breaks what is claimed of it."""
        if self.exact < self.chunks or self.covered < self.characters:
            return True
        if self.is_syntax and (self.unsound or self.over_limit or self.quarantined):
            return True
        fell = self.is_syntax and self.fallen > MOST_FALLEN * self.chunks
        return fell or (self.strategy.promises_integrity and self.parsing < self.chunks)


def tallies(ways: Sequence[Strategy], documents: Sequence[Document]) -> Iterator[Tally]:
    """Each strategy on all the documents that it takes."""
    for way in ways:
        tally = Tally(way)
        for document in documents:
            if way.takes(document.category, language(document.path)):
                tally.add(document)
        yield tally


def _print_files(documents: Sequence[Document], console: Console) -> None:
    table = Table("package", "format", "files", "MB", title="Kept files")
    counts = Counter((each.name.split("/")[0], language(each.path)) for each in documents)
    sizes = Counter[tuple[str, str]]()
    for each in documents:
        sizes[each.name.split("/")[0], language(each.path)] += len(each.text.encode())
    for key in sorted(counts):
        table.add_row(*key, f"{counts[key]:,}", f"{sizes[key] / 1e6:.2f}")
    for kind in sorted({kind for _, kind in counts}):
        number = sum(count for key, count in counts.items() if key[1] == kind)
        size = sum(size for key, size in sizes.items() if key[1] == kind)
        table.add_row("all", kind, f"{number:,}", f"{size / 1e6:.2f}", style="bold")
    table.add_row("all", "all", f"{len(documents):,}", f"{sizes.total() / 1e6:.2f}", style="bold")
    console.print(table)


def _print_tallies(rows: Sequence[Tally], console: Console) -> None:
    table = Table("strategy", *COLUMNS, title="Every strategy on every file that it takes")
    for each in rows:
        figures = (
            f"{each.files:,}",
            f"{each.size / 1e6:.2f}",
            f"{each.size / 1e6 / each.seconds:.1f}" if each.seconds else "",
            f"{each.chunks:,}",
            share(each.covered, each.characters),
            share(each.exact, each.chunks),
            share(each.parsing, each.chunks),
            f"{each.over_limit:,}",
            f"{each.indivisible:,}",
            f"{each.fallen:,}",
            f"{each.fallen_whole:,}",
            f"{len(each.quarantined):,}",
        )
        style = "red" if each.broken else "bold" if each.is_syntax else ""
        table.add_row(each.strategy.name, *figures, style=style)
    console.print(table)
    console.print(
        "MB are a million characters. over: chunks over the limit; alone: those of one scalar that nothing\n"
        "can cut; fallback: chunks cut as plain text for a named reason, which integrity does not ask of;\n"
        "of it whole: those that parse all the same."
    )


def share(part: int, whole: int) -> str:
    """A share in per cent; 100% only for all of it."""
    if part == whole:
        return "100%"
    return f"{min(100 * part / whole, 99.999):.3f}%"


def _print_reasons(rows: Sequence[Tally], console: Console) -> None:
    for each in rows:
        for reason, count in each.fallbacks.most_common(SHOWN):
            console.print(f"{each.strategy.name}: {count:,} chunks fell back: {reason}", markup=False)
        for line in each.quarantined[:SHOWN]:
            console.print(f"{each.strategy.name}: quarantined {line}", markup=False)
        for line in each.faults[:SHOWN] if each.broken else ():
            console.print(f"{each.strategy.name}: BROKEN {line}", markup=False)


def main() -> int:
    """Fetch, cut, prove, print, and say by the exit code whether the claims hold."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.packages", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for the packages (%(default)s)")
    parser.add_argument("strategies", nargs="*", help="strategies to try; all if none is named")
    arguments = parser.parse_args()
    console = Console(soft_wrap=True, width=max(Console().width, 150))
    try:
        documents = package_documents(arguments.cache)
    except PackagesUnavailableError as error:
        print(error, file=sys.stderr)
        return 2
    console.print("packages: " + ", ".join(f"{each.name} {each.version}" for each in PACKAGES), markup=False)
    _print_files(documents, console)
    rows = list(tallies(select(arguments.strategies or None), documents))
    _print_tallies(rows, console)
    _print_reasons(rows, console)
    broken = [each.strategy.name for each in rows if each.broken]
    console.print(f"BROKEN: {', '.join(broken)}" if broken else "every claim holds")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
