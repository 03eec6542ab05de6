"""Claim: on a gold set that nobody here made, our metrics give the figures that others measured.

Five texts and 472 questions with the characters that answer them (brandonstarxel/chunking_evaluation). The
chunks of all five are one index; recall and IoU are on the characters of the first five chunks. Prints our
text strategies beside the chunkers of the reference table, under BM25; with ``--dense`` under dense retrieval
and the fusion of both too, which takes minutes. Exit code 1 where a count or a figure of the reference is
missed, 2 where ``CHUNK_PIPELINE_CORPORA`` does not name the folder with ``corpora/chunking_evaluation``.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import yaml
from langchain_text_splitters import RecursiveCharacterTextSplitter
from rich.console import Console
from rich.table import Table

from chunk_pipeline.chunking.chunk import Chunk, Document
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.text.recursive import recursive_cuts
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.models import DEFAULT_MODEL
from chunk_pipeline.embedding.vectors import Encoder
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, gold_table
from chunk_pipeline.evaluation.intervals import Int, union_lengths
from chunk_pipeline.evaluation.judgements import Judgements, judge
from chunk_pipeline.evaluation.ranking_metrics import Float, span_metrics
from chunk_pipeline.evaluation.significance import bootstrap_interval
from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, postings_of
from chunk_pipeline.retrieval.fusion import fuse_ranks, rank_order
from chunk_pipeline.retrieval.rankings import Scores, bm25_scores

REFERENCE = Path(__file__).with_name("_chunking_evaluation_figures.yaml")
DEPTH = 5
NAME = "chunking_evaluation"

Spans = Sequence[tuple[int, int]]
Cut = Callable[[str], Spans]


@dataclass(frozen=True, slots=True)
class Found:
    """Means over the questions in per cent: recall with its 95% interval, IoU, and IoU as in the reference.

    Ours is over the union of the retrieved characters; theirs counts a character as often as it is retrieved,
    which is less where chunks overlap.
    """

    recall: float
    low: float
    high: float
    iou: float
    repeated_iou: float

    def agrees(self, reference: Sequence[float], within: Sequence[float]) -> bool:
        """Whether (recall, IoU) are a reference's, within so many points each."""
        off = (self.recall - reference[0], self.repeated_iou - reference[1])
        return all(abs(each) <= limit for each, limit in zip(off, within, strict=True))

    def __str__(self) -> str:
        return (
            f"{self.recall:.1f} ({self.low:.1f}–{self.high:.1f}) / {self.iou:.2f} / {self.repeated_iou:.2f}"
        )


def chunkers(separators: Sequence[str]) -> dict[str, Cut]:
    """Those of the reference, then ours at the same sizes, then our strategies as registered."""
    made: dict[str, Cut] = {"fixed 800": lambda text: _fixed(text, 800)}
    for size, overlap in ((800, 0), (1600, 0), (800, 400)):
        name = f"{size}, overlap {overlap}" if overlap else f"{size}"
        splitter = RecursiveCharacterTextSplitter(
            separators=list(separators),
            keep_separator="end",
            strip_whitespace=False,
            chunk_size=size,
            chunk_overlap=overlap,
        )
        made[f"LangChain {name}"] = lambda text, splitter=splitter: _located(text, splitter.split_text(text))  # type: ignore[misc]  # mypy cannot infer it
        made[f"recursive {name}"] = lambda text, size=size, overlap=overlap: _ours(text, size, overlap)  # type: ignore[misc]  # likewise
    for name in ("recursive", "sentence", "semantic", "token"):
        made[f"strategy {name}"] = lambda text, name=name: _registered(text, name)  # type: ignore[misc]  # likewise
    return dict(sorted(made.items(), key=lambda item: ("fL rs".index(item[0][0]), item[0])))


def _fixed(text: str, size: int) -> Spans:
    return [(start, min(start + size, len(text))) for start in range(0, len(text), size)]


def _located(text: str, pieces: Iterable[str]) -> Spans:
    """Pieces that are slices of the text, each found behind the start of the one before."""
    spans: list[tuple[int, int]] = []
    for piece in pieces:
        start = text.index(piece, spans[-1][0] + 1 if spans else 0)
        spans.append((start, start + len(piece)))
    return spans


def _ours(text: str, size: int, overlap: int) -> Spans:
    return [(start, end) for start, end, _ in recursive_cuts(text, size, overlap)]


def _registered(text: str, name: str) -> Spans:
    document = Document(NAME, "text.md", text, "markdown")
    cut = strategy(name).cut(document)
    return [(each.spans[0].start, each.spans[0].end) for each in cut if isinstance(each, Chunk)]


def gold(folder: Path) -> pa.Table:
    """The questions with the spans that answer them."""
    with (folder / "questions_df.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return gold_table(
        GoldQuery(
            row["question"],
            NAME,
            NAME,
            row["corpus_id"],
            "markdown",
            tuple(
                RelevantSpan(NAME, row["corpus_id"], each["start_index"], each["end_index"], "")
                for each in json.loads(row["references"])
            ),
        )
        for row in rows
    )


def chunk_table(texts: Mapping[str, str], cut: Cut) -> pa.Table:
    """The chunks of all texts: what judging and the index need of them."""
    spans = [(name, start, end) for name, text in texts.items() for start, end in cut(text)]
    return pa.table(
        {
            "chunk_id": [f"{place:06}" for place in range(len(spans))],
            "repository": [NAME] * len(spans),
            "path": [name for name, _, _ in spans],
            "spans": [[{"start": start, "end": end}] for _, start, end in spans],
            "n_tokens": [0] * len(spans),
            "text": [texts[name][start:end] for name, start, end in spans],
        }
    )


def measure(questions: pa.Table, chunks: pa.Table, encoder: Encoder | None) -> dict[str, Found]:
    """Recall and IoU by retriever."""
    asked = questions["query"].to_pylist()
    ids = chunks["chunk_id"].to_pylist()
    index = BM25Index.from_tables(*build_bm25(NAME, ids, postings_of(chunks, NAME, NAME)))
    scores: dict[str, Scores] = {"BM25": bm25_scores(index, asked)}
    if encoder is not None:
        dense = encoder.encode(asked) @ encoder.encode(chunks["text"].to_pylist()).T
        scores = {"dense": dense, **scores, "RRF": fuse_ranks((scores["BM25"], dense))}
    judgements = judge(questions, chunks)
    found = {}
    for retriever, each in scores.items():
        ranking = rank_order(each)[:, :DEPTH].astype(np.int64)
        recall, _, iou = span_metrics(judgements, ranking, DEPTH)
        low, high = bootstrap_interval(recall[:, None], np.ones(len(recall)))
        repeated = _repeated_iou(judgements, ranking, recall)
        figures = (recall.mean(), low[0], high[0], iou.mean(), repeated.mean())
        found[retriever] = Found(*(100 * float(figure) for figure in figures))
    return found


def _repeated_iou(judgements: Judgements, ranking: Int, recall: Float) -> Float:
    """IoU that counts a retrieved character as often as it is retrieved, shape (questions,)."""
    n_gold = union_lengths(judgements.gold_spans, judgements.n_rows)
    shared = recall * n_gold
    retrieved = judgements.chunk_spans.lengths(judgements.n_chunks)[ranking].sum(axis=1)
    iou: Float = shared / (retrieved + n_gold - shared)
    return iou


def main() -> int:
    """Measure, print, and say by the exit code whether the reference was met."""
    console = Console(soft_wrap=True, width=max(Console().width, 190))
    corpora = os.environ.get("CHUNK_PIPELINE_CORPORA")
    folder = Path(corpora or "") / "corpora" / NAME
    if not corpora or not folder.is_dir():
        console.print(f"set CHUNK_PIPELINE_CORPORA to the folder that holds corpora/{NAME}")
        return 2
    reference: dict[str, Any] = yaml.safe_load(REFERENCE.read_text(encoding="utf-8"))
    questions = gold(folder)
    texts = {path.stem: path.read_bytes().decode("utf-8") for path in sorted(folder.glob("*.md"))}
    encoder = load_encoder(DEFAULT_MODEL) if "--dense" in sys.argv[1:] else None
    retrievers = ("dense", "BM25", "RRF") if encoder else ("BM25",)
    title = "Recall (95% interval) / IoU / IoU with repeats counted, as the reference does; per cent"
    table = Table("chunker", "chunks", *retrievers, "reference: recall / IoU", title=title)
    missed = 0
    for name, cut in chunkers(reference["separators"]).items():
        chunks = chunk_table(texts, cut)
        found = measure(questions, chunks, encoder)
        told, off = _beside(reference, name, chunks.num_rows, found)
        missed += off
        table.add_row(name, f"{chunks.num_rows:,}", *(str(found[each]) for each in retrievers), told)
    console.print(table)
    console.print(f"{questions.num_rows} questions, {sum(map(len, texts.values())):,} characters")
    console.print(f"{missed} figures of the reference are missed" if missed else "the reference is met")
    return 1 if missed else 0


def _beside(
    reference: Mapping[str, Any], name: str, n_chunks: int, found: Mapping[str, Found]
) -> tuple[str, int]:
    """(the reference's figures, how many of them are missed)."""
    if name not in reference["figures"]:
        return "", 0
    count, *pairs = reference["figures"][name]
    known = dict(zip(("dense", "BM25", "RRF"), pairs, strict=True))
    off = [name for name, each in found.items() if not each.agrees(known[name], reference["within"][name])]
    missed = [*(["chunks"] if n_chunks != count else []), *off]
    told = "; ".join([f"{count:,}", *(f"{each} {known[each][0]} / {known[each][1]:.2f}" for each in found)])
    return told + (f" (off: {', '.join(missed)})" if missed else ""), len(missed)


if __name__ == "__main__":
    sys.exit(main())
