"""Claim: cutting JSON by category is no slower than RecursiveJsonSplitter, parsing included on both sides.

Runs on the Kalisio files where CHUNK_PIPELINE_CORPORA is set, else on data/sample, in interleaved rounds;
prints the median of the rounds' ratios (above 1: ours is faster), and exits with 1 where one is below target.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from langchain_text_splitters import RecursiveJsonSplitter

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.json.tree import validate_json
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.corpus.categories import category

TARGET = 1.0
ROUNDS = 15
LARGEST = 200_000
STRATEGIES = ("json_category", "json_category_breadcrumb")


def main() -> int:
    """Measure, print, and say by the exit code whether the target is met."""
    documents = _documents(_folder())
    size = sum(len(each.text) for each in documents)
    contenders: dict[str, Callable[[], None]] = {"RecursiveJsonSplitter": lambda: _split(documents)}
    for name in STRATEGIES:
        contenders[name] = lambda name=name: _cut(name, documents)  # type: ignore[misc]  # mypy cannot infer it
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, work in contenders.items():
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    print(f"{len(documents)} files, {size:,} characters, {ROUNDS} rounds")
    peer = seconds["RecursiveJsonSplitter"]
    print(f"RecursiveJsonSplitter: {size / statistics.median(peer) / 1e6:.1f} million characters a second")
    met = True
    for name in STRATEGIES:
        ratio = statistics.median(theirs / ours for theirs, ours in zip(peer, seconds[name], strict=True))
        met = met and ratio >= TARGET
        print(f"{name}: {ratio:.2f} times RecursiveJsonSplitter (target {TARGET:g} or more)")
    return 0 if met else 1


def _folder() -> Path:
    corpora = os.environ.get("CHUNK_PIPELINE_CORPORA")
    if corpora:
        return Path(corpora) / "corpora" / "kalisio"
    return Path(__file__).resolve().parents[1] / "data" / "sample"


def _documents(folder: Path) -> list[Document]:
    """The JSON files below the folder that both sides can read."""
    documents = []
    for file in sorted(folder.rglob("*.json")):
        repository, _, path = file.relative_to(folder).as_posix().partition("/")
        content = file.read_bytes()
        try:
            text = content.decode("utf-8-sig")
            validate_json(text)
        except (UnicodeDecodeError, UnparsableError):
            continue
        if len(content) <= LARGEST:
            documents.append(Document(repository, path, text, category(repository, path)))
    return documents


def _split(documents: list[Document]) -> None:
    splitter = RecursiveJsonSplitter(max_chunk_size=500, min_chunk_size=125)
    for each in documents:
        splitter.split_text(json.loads(each.text), convert_lists=True, ensure_ascii=False)


def _cut(name: str, documents: list[Document]) -> None:
    cutter = strategy(name)
    for each in documents:
        for _ in cutter.cut(each):
            pass


if __name__ == "__main__":
    sys.exit(main())
