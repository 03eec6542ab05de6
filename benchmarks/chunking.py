"""Claim: ours are the only splitters that keep text, places, limit and integrity at once, and they are fast.

Cuts the same Markdown, JSON and JavaScript with ours and with langchain-text-splitters, chonkie, semchunk
and semantic-text-splitter, in one thread each and in interleaved rounds. Prints what each reaches as a
multiple of LangChain's RecursiveCharacterTextSplitter with the same limit, and what its pieces are worth.
Exits with 1 where a target is missed, with 2 where there is nothing to cut or the peers are not installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks import _peers as peers
from benchmarks._contest import Contender, Judgement, judge, race
from benchmarks._documents import kept_documents
from benchmarks._packages import CACHE, PACKAGES, PROFILE, package_documents
from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.tokens import encode

LARGEST = 1_000_000
"""Characters of a file that takes part."""

SIZES = {"markdown": 3_000_000, "json": 3_700_000, "javascript": 4_000_000}
"""Characters of each format that take part, at most; files are taken at an even stride."""

SUFFIXES = {".md": "markdown", ".json": "json", ".js": "javascript", ".mjs": "javascript"}
NOTES = """MB: a million characters a second of processor time, the best of the rounds, one thread.
ratio: times LangChain Recursive with the same limit. exact spans: pieces that stand where they say.
cover: characters in some piece, found in order where no place is given; rewritten: most stand nowhere.
integrity: pieces that parse on their own, those of files that do not parse included. token: cold, with no
count remembered from a file before the first; semchunk likewise. no overlap: the cutter has none."""
BASELINE = "LangChain Recursive, split_text"


class Contest(NamedTuple):
    """Who cuts what.

    Attributes:
        mode: What is compared.
        format: Of the files.
        limit: Of a piece.
        contenders: Made with that limit.
        size: Measures a piece.
        target: How many times the fastest of ``rivals`` ours must be.
        rivals: Parts of the names of those peers that the target is about; all where empty.
    """

    mode: str
    format: str
    limit: int
    contenders: Sequence[Contender]
    size: Callable[[str], int]
    target: float
    rivals: tuple[str, ...] = ()


class Result(NamedTuple):
    """One contender's megabytes (millions of characters) a second, and what its pieces are worth."""

    contender: Contender
    speed: float
    judged: Judgement


def contests() -> list[Contest]:
    """All of them."""
    formats = tuple(SIZES)
    by_characters = [
        Contest("characters, 200 overlap", each, 1000, peers.characters(1000, 200), len, 2.0, (BASELINE,))
        for each in formats
    ]
    by_tokens = [
        Contest("tokens", each, 800, peers.tokens(800), lambda text: len(encode(text)), 2.0)
        for each in formats
    ]
    parsers = ("CodeChunker", "CodeSplitter")
    return [
        *by_characters,
        *by_tokens,
        Contest("syntax", "javascript", 800, peers.scripts(800), len, 1.0, parsers),
        Contest(
            "syntax", "markdown", 1000, peers.markdown(1000), len, 1.0, ("Experimental", "MarkdownSplitter")
        ),
        Contest("syntax", "json", 500, peers.trees(500), len, 1.0),
    ]


def files(folder: Path | None, cache: Path) -> tuple[str, list[Document]]:
    """What is cut, and where it is from: the folder, or else the packages, the corpora, the sample."""
    if folder is None and all((cache / each.tarball).exists() for each in PACKAGES):
        return "the packages of benchmarks.packages", package_documents(cache)
    corpora = os.environ.get("CHUNK_PIPELINE_CORPORA")
    if folder is None and corpora:
        folder = Path(corpora) / "corpora" / "kalisio"
    folder = folder or Path(__file__).resolve().parents[1] / "data" / "sample"
    return str(folder), kept_documents(folder.name, folder, PROFILE)


def of_format(documents: Sequence[Document], format: str) -> list[Document]:
    """Files of a format that every cutter can read, no more than ``SIZES`` says, at an even stride."""
    found = [
        each
        for each in documents
        if SUFFIXES.get(PurePosixPath(each.path).suffix.lower()) == format and len(each.text) <= LARGEST
    ]
    if format == "json":
        found = [each for each in found if parses("json", each.text)]
    stride = -(-sum(len(each.text) for each in found) // SIZES[format])
    return found[:: max(1, stride)]


def run(contest: Contest, documents: Sequence[Document]) -> list[Result]:
    """Race, then judge."""
    characters = sum(len(each.text) for each in documents)
    seconds = race(contest.contenders, documents)
    return [
        Result(
            each, characters / 1e6 / took, judge(each, documents, contest.format, contest.limit, contest.size)
        )
        for each, took in zip(contest.contenders, seconds, strict=True)
    ]


def show(contest: Contest, results: Sequence[Result], baseline: float, console: Console) -> None:
    """Print one table; ``baseline`` is the speed of LangChain Recursive."""
    unit = "tokens" if contest.mode == "tokens" else "characters"
    columns = ("MB/s", "ratio", "pieces", "over", "exact spans", "cover", "integrity")
    table = Table("cutter", *columns, title=f"{contest.format}: {contest.mode}, {contest.limit} {unit}")
    for each in results:
        judged = each.judged
        spans = share(judged.exact, judged.pieces) if judged.placed else "no offsets"
        table.add_row(
            each.contender.name,
            f"{each.speed:.1f}",
            f"{each.speed / baseline:.2f}",
            f"{judged.pieces:,}",
            share(judged.over, judged.pieces),
            spans,
            share(judged.covered, judged.characters) if judged.found > judged.pieces // 2 else "rewritten",
            share(judged.whole, judged.pieces),
            style="bold" if each.contender.ours else "",
        )
    console.print(table)


def share(part: int, whole: int) -> str:
    """A share in per cent; 0% and 100% only for none and all of it."""
    if part in (0, whole):
        return "100%" if part else "0%"
    return f"{min(max(100 * part / whole, 0.01), 99.99):.2f}%"


def verdict(contest: Contest, results: Sequence[Result]) -> tuple[bool, str]:
    """Whether the first of ours reaches the target, and a line that says so."""
    own = next(each for each in results if each.contender.ours)
    rivals = [
        each
        for each in results
        if not each.contender.ours
        and (not contest.rivals or any(part in each.contender.name for part in contest.rivals))
    ]
    fastest = max(rivals, key=lambda each: each.speed)
    ratio = own.speed / fastest.speed
    met = ratio >= contest.target
    names = f"{own.contender.name} is {ratio:.2f} times {fastest.contender.name}"
    word = "pass" if met else "MISS"
    return met, f"{word}  {contest.format}, {contest.mode}: {names} (target {contest.target:g})"


def main() -> int:
    """Race, print, and say by the exit code whether all targets are met."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.chunking", description=__doc__.splitlines()[0]
    )
    parser.add_argument("folder", nargs="?", type=Path, help="cut the files of this folder")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where benchmarks.packages keeps packages")
    parser.add_argument("--mode", help="only the contests of which the mode begins so")
    arguments = parser.parse_args()
    missing = [
        each
        for each in ("chonkie", "semchunk", "semantic_text_splitter")
        if not importlib.util.find_spec(each)
    ]
    if missing:
        print(
            f"{', '.join(missing)} not installed: pip install -c constraints.txt -e '.[bench]'",
            file=sys.stderr,
        )
        return 2
    origin, documents = files(arguments.folder, arguments.cache)
    console = Console(soft_wrap=True, width=max(Console().width, 140))
    console.print(f"files of {origin}", markup=False)
    taken = {each: of_format(documents, each) for each in SIZES}
    for name, each in taken.items():
        size = sum(len(document.text) for document in each)
        console.print(f"  {name}: {len(each):,} files, {size / 1e6:.2f} million characters", markup=False)
    if not all(taken.values()):
        print(f"{origin}: it must hold Markdown, JSON and JavaScript; give another folder", file=sys.stderr)
        return 2
    return 0 if _hold(contests(), taken, arguments.mode or "", console) else 1


def _hold(planned: Sequence[Contest], taken: dict[str, list[Document]], mode: str, console: Console) -> bool:
    """Hold the contests, print them and their targets; whether all are met."""
    verdicts = []
    for contest in planned:
        if contest.mode.startswith(mode):
            documents = taken[contest.format]
            results = run(contest, documents)
            show(contest, results, _baseline(contest, documents), console)
            verdicts.append(verdict(contest, results))
    console.print(NOTES, markup=False)
    for _, line in verdicts:
        console.print(line, markup=False)
    return all(met for met, _ in verdicts)


def _baseline(contest: Contest, documents: Sequence[Document]) -> float:
    """The speed of LangChain Recursive on the same files, measured again for each contest."""
    limit, overlap = (contest.limit, 200) if contest.mode != "tokens" else (1000, 200)
    seconds = race(peers.characters(limit, min(overlap, limit // 5))[:1], documents)
    return sum(len(each.text) for each in documents) / 1e6 / seconds[0]


if __name__ == "__main__":
    sys.exit(main())
