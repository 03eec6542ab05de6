"""Cut the JavaScript and Vue of the reference study and compare files, chunks and mean lengths with it.

Takes the folder that holds the five repositories' trees, as an argument or by ``CHUNK_PIPELINE_KALISIO``.
Prints one line a figure. Exit code 1 where one is off by more than its tolerance, 2 where the trees are not
there. The figures, with the reason of each tolerance, are in ``_code_reference_figures.yaml``.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.line_ends import UnixText
from chunk_pipeline.chunking.registry import Strategy, strategy
from chunk_pipeline.chunking.rows import document_of
from chunk_pipeline.corpus.filtering import filter_files, scan
from chunk_pipeline.corpus.folder import open_folder
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.profiles import BUILT_IN
from chunk_pipeline.corpus.source import Source

FIGURES = Path(__file__).with_name("_code_reference_figures.yaml")
VARIABLE = "CHUNK_PIPELINE_KALISIO"
PROFILE = BUILT_IN["js_vue_rag"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the study beside ours; ``within`` is how far ours may be off, and ``why`` the reason."""

    name: str
    reference: float
    measured: float
    within: float = 0
    why: str = ""

    @property
    def agrees(self) -> bool:
        """Whether ours is the study's, or off by no more than is allowed."""
        return abs(self.measured - self.reference) <= self.within


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was scanned and kept of the five trees."""

    scanned: int
    documents: Sequence[Document]

    def of(self, suffix: str) -> list[Document]:
        """The documents with that suffix."""
        return [each for each in self.documents if PurePosixPath(each.path).suffix == suffix]


def read(folder: Path, names: Sequence[str]) -> Corpus:
    """Filter the trees as the pipeline does."""
    scanned = 0
    documents: list[Document] = []
    for name in names:
        source = Source(name=name, kind="folder", path=folder / name, profile=PROFILE.name)
        snapshot = open_folder(source, PROFILE)
        raw = scan(source, PROFILE, snapshot)
        scanned += raw.num_rows
        filtered = filter_files(raw, snapshot, source, PROFILE)
        digests, texts = (filtered.contents[column].to_pylist() for column in ("content_sha256", "text"))
        stored = dict(zip(digests, texts, strict=True))
        rows = label_files(filtered.files, source).to_pylist()
        documents += [
            document_of(row, stored[row["content_sha256"]]) for row in rows if row["fate"] == "kept"
        ]
    return Corpus(scanned, documents)


def measure(corpus: Corpus, expected: dict[str, Any]) -> Iterator[Figure]:
    """Every figure of the file beside ours."""
    cuts = {
        entry["name"]: _cut(strategy(entry["name"]), corpus.of(entry["suffix"]))
        for entry in expected["strategies"]
    }
    counts = {
        "scanned": corpus.scanned,
        "kept": len(corpus.documents),
        **{f"kept {suffix}": len(corpus.of(suffix)) for suffix in (".json", ".js", ".vue")},
        "lost or inexact": sum(faulty for _, faulty in cuts.values()),
    }
    for entry in expected["files"]:
        measured = counts[entry["name"]]
        yield Figure(
            f"files {entry['name']}",
            entry["reference"],
            measured,
            entry.get("within", 0),
            entry.get("why", ""),
        )
    for entry in expected["strategies"]:
        lengths, _ = cuts[entry["name"]]
        yield Figure(f"{entry['name']}: chunks", entry["chunks"], len(lengths))
        if "mean" in entry:
            mean = math.floor(statistics.mean(lengths))
            within, why = entry.get("within", 0), entry.get("why", "")
            yield Figure(f"{entry['name']}: mean", entry["mean"], mean, within, why)


def _cut(way: Strategy, documents: Sequence[Document]) -> tuple[list[int], int]:
    """The lengths of the chunks, and how many documents have a part that is lost or a span that is wrong."""
    lengths: list[int] = []
    faulty = 0
    for document in documents:
        cut = list(way.cut(document))
        chunks = [each for each in cut if isinstance(each, Chunk)]
        skips = [each for each in cut if isinstance(each, Skip)]
        lengths += [len(UnixText(chunk.text).text) for chunk in chunks]
        faulty += not prove(document.text, chunks, skips, "text").holds
    return lengths, faulty


def show(figures: Sequence[Figure], console: Console) -> int:
    """Print the figures and why some may be off; returns how many deviate."""
    table = Table("figure", "reference", "measured", "may be off by", "verdict", title="JavaScript and Vue")
    for each in figures:
        verdict = "ok" if each.agrees else "DEVIATES"
        table.add_row(each.name, f"{each.reference:g}", f"{each.measured:g}", f"{each.within:g}", verdict)
    console.print(table)
    for each in figures:
        if each.measured != each.reference and each.why:
            console.print(f"{each.name}: {each.why}", markup=False)
    return sum(not each.agrees for each in figures)


def main() -> int:
    """Compare, and say how it went by the exit code."""
    console = Console(soft_wrap=True, width=max(Console().width, 100))
    expected = yaml.safe_load(FIGURES.read_text(encoding="utf-8"))
    repositories: dict[str, list[str]] = expected["repositories"]
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get(VARIABLE)
    missing = [name for name in repositories if not given or not (Path(given) / name).is_dir()]
    if not given or missing:
        console.print(f"the trees of {', '.join(missing)} are not there; make them in a folder of yours:")
        for name, (address, commit) in repositories.items():
            console.print(f"  git clone {address} {name} && git -C {name} checkout {commit}", markup=False)
        console.print(f"then give that folder as the argument or in {VARIABLE}")
        return 2
    figures = list(measure(read(Path(given), list(repositories)), expected))
    deviations = show(figures, console)
    console.print(f"{deviations} figures deviate" if deviations else "every figure agrees")
    return 1 if deviations else 0


if __name__ == "__main__":
    sys.exit(main())
