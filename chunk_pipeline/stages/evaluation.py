"""Files to gold queries, indexes to rankings, rankings to reports; over all repositories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.evaluation.comparisons import comparisons_table
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.evaluation.gold.mining import mine
from chunk_pipeline.evaluation.gold.winners import JUDGED, with_winners
from chunk_pipeline.evaluation.html import render_html
from chunk_pipeline.evaluation.language_pairs import language_metrics
from chunk_pipeline.evaluation.metrics import metrics_table
from chunk_pipeline.evaluation.report import Report, render_markdown
from chunk_pipeline.evaluation.scopes import gold_asked, scopes_of
from chunk_pipeline.evaluation.scores import score
from chunk_pipeline.evaluation.structure import structure_metrics
from chunk_pipeline.evaluation.tuning import tuned_rankings
from chunk_pipeline.evaluation.viewer import viewer_payload
from chunk_pipeline.retrieval.bm25 import BM25Index
from chunk_pipeline.retrieval.dense import DenseIndex
from chunk_pipeline.stages.deduplication import searched_chunks
from chunk_pipeline.stages.embeddings import QUERIES, indexed_chunks
from chunk_pipeline.stages.entities import telling
from chunk_pipeline.stages.passages import queries_as_written
from chunk_pipeline.stages.refresh import Outcome, Target, Work, contents_digest, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import (
    BM25_CHUNKS,
    BM25_TERMS,
    CHUNKS,
    COMPARISONS,
    CONTENTS,
    DENSE_INDEX,
    DUPLICATES,
    FILES,
    GOLD_QUERIES,
    LANGUAGE_METRICS,
    QUARANTINE,
    RANKINGS,
    RETRIEVAL_METRICS,
    SKIPS,
    STRUCTURE_METRICS,
    VECTORS,
)

VERSION = 3
"""Raised when the same tables give other gold, rankings or figures than before."""

PAGES = 2
"""Raised when the same figures give other pages than before."""

DEPTH = 1000
"""Ranks that are stored of each ranking; a relevant chunk below counts as not found."""

_RANKED = ("retriever", "query", "rank", "chunk_id")
"""What the figures need of rankings."""

HTML_REPORT = "reports/report.html"
MARKDOWN_REPORT = "reports/report.md"


def mine_gold(workspace: Workspace) -> Outcome:
    """Mine gold queries from the files of the indexed categories."""
    warehouse = workspace.warehouse
    categories = sorted(workspace.sources.indexed_categories)

    def compute() -> Work:
        files = warehouse.read(FILES)
        indexed = files.filter(pc.is_in(files["category"], pa.array(categories, pa.string())))
        gold = _fair(workspace, mine(list(documents_of(indexed, warehouse.read(CONTENTS)))))
        return Work((gold,), {"gold_queries": gold.num_rows})

    inputs = inputs_of(
        stage=VERSION,
        files=contents_digest(warehouse, FILES),
        categories=categories,
        duplicates=contents_digest(warehouse, DUPLICATES),
        chunks=[
            contents_digest(warehouse, CHUNKS, strategy=each.name) for each in _with_duplicates(workspace)
        ],
    )
    return refresh(workspace, (Target(GOLD_QUERIES),), inputs, compute)


def _fair(workspace: Workspace, gold: pa.Table) -> pa.Table:
    """Gold in which the winners of what the indexes leave out answer as well."""
    duplicates = workspace.warehouse.read(DUPLICATES)
    for strategy in _with_duplicates(workspace):
        gold = with_winners(gold, duplicates, indexed_chunks(workspace, strategy).select(JUDGED))
    return gold


def _with_duplicates(workspace: Workspace) -> list[Strategy]:
    """The strategies that have duplicates."""
    names = set(workspace.warehouse.read(DUPLICATES, columns=["strategy"])["strategy"].to_pylist())
    return [each for each in telling(workspace) if each.name in names]


def rank(workspace: Workspace, strategy: Strategy) -> Outcome:
    """Rank a strategy's chunks for every distinct gold query of its categories, with every retriever."""
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name)

    def compute() -> Work:
        gold = warehouse.read(GOLD_QUERIES)
        vectors = queries_as_written(workspace, gold["query"].to_pylist(), warehouse.read(VECTORS, QUERIES))
        rows = tuned_rankings(
            strategy.name,
            gold_asked(strategy.categories, gold),
            searched_chunks(workspace, strategy),
            BM25Index.from_tables(warehouse.read(BM25_TERMS, own), warehouse.read(BM25_CHUNKS, own)),
            DenseIndex.from_table(warehouse.read(DENSE_INDEX, own)),
            vectors,
            depth=DEPTH,
        )
        return Work((rows,), {"rankings": rows.num_rows})

    inputs = inputs_of(
        stage=VERSION,
        depth=DEPTH,
        categories=sorted(strategy.categories),
        gold=contents_digest(warehouse, GOLD_QUERIES),
        queries=contents_digest(warehouse, VECTORS, strategy=QUERIES.strategy),
        chunks=contents_digest(warehouse, CHUNKS, strategy=strategy.name),
        indexes=[
            contents_digest(warehouse, table, strategy=strategy.name)
            for table in (BM25_TERMS, BM25_CHUNKS, DENSE_INDEX)
        ],
    )
    return refresh(workspace, (Target(RANKINGS, own),), inputs, compute)


def report(workspace: Workspace) -> Outcome:
    """Measure structure and retrieval, compare, and write the report as Markdown and as one HTML page."""
    warehouse = workspace.warehouse
    inputs = inputs_of(
        stage=VERSION,
        pages=PAGES,
        model=workspace.model_keys,
        categories=list(workspace.sources.indexed_categories),
        strategies={each.name: sorted(each.categories) for each in workspace.strategies},
        tables={
            table.name: contents_digest(warehouse, table)
            for table in (FILES, CONTENTS, CHUNKS, DUPLICATES, SKIPS, QUARANTINE, GOLD_QUERIES, RANKINGS)
        },
    )
    made = (STRUCTURE_METRICS, COMPARISONS, LANGUAGE_METRICS, RETRIEVAL_METRICS)
    targets = tuple(Target(table) for table in made)
    return refresh(workspace, targets, inputs, lambda: _measure(workspace))


def _measure(workspace: Workspace) -> Work:
    warehouse = workspace.warehouse
    files, compared = warehouse.read(FILES), workspace.strategies
    structure = _structure(workspace, compared, files)
    gold = warehouse.read(GOLD_QUERIES)
    scores = score(
        gold,
        _ByStrategy(compared, lambda each: warehouse.read(RANKINGS, strategy=each.name, columns=_RANKED)),
        _ByStrategy(compared, lambda each: searched_chunks(workspace, each)),
        scopes_of(compared, workspace.sources.indexed_categories),
    )
    found = Report(
        gold=gold,
        retrieval=metrics_table(scores),
        comparisons=comparisons_table(scores),
        structure=structure,
        quarantine=warehouse.read(QUARANTINE),
        skips=warehouse.read(SKIPS),
        languages=language_metrics(scores),
        notes=_notes(workspace, files),
    )
    pages = {
        HTML_REPORT: render_html(found, _viewer(workspace, found, files)).encode(),
        MARKDOWN_REPORT: render_markdown(found).encode(),
    }
    counts = {"strategies": len(compared), "gold_queries": gold.num_rows}
    return Work((structure, found.comparisons, found.languages, found.retrieval), counts, pages)


def _structure(workspace: Workspace, compared: Sequence[Strategy], files: pa.Table) -> pa.Table:
    """``structure_metrics`` of the strategies."""
    warehouse = workspace.warehouse
    contents = warehouse.read(CONTENTS)
    return pa.concat_tables(
        structure_metrics(
            each.name,
            warehouse.read(CHUNKS, strategy=each.name),
            warehouse.read(SKIPS, strategy=each.name),
            files,
            contents,
        )
        for each in compared
    )


class _ByStrategy(Mapping[str, pa.Table]):
    """A table of each strategy, read when it is asked for and not kept: rankings are large."""

    def __init__(self, strategies: Sequence[Strategy], read: Callable[[Strategy], pa.Table]) -> None:
        self._strategies = {each.name: each for each in strategies}
        self._read = read

    def __getitem__(self, name: str) -> pa.Table:
        return self._read(self._strategies[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._strategies)

    def __len__(self) -> int:
        return len(self._strategies)


def _notes(workspace: Workspace, files: pa.Table) -> tuple[tuple[str, str], ...]:
    snapshots = files.group_by("repository").aggregate([("snapshot", "max")]).sort_by("repository")
    return (
        ("Model", workspace.model_keys),
        ("Indexed categories", ", ".join(workspace.sources.indexed_categories)),
        ("Ranks stored", str(DEPTH)),
        *((f"Snapshot of {row['repository']}", row["snapshot_max"]) for row in snapshots.to_pylist()),
    )


def _viewer(workspace: Workspace, found: Report, files: pa.Table) -> Mapping[str, Any]:
    """What the chunk viewer shows of the strategies."""
    warehouse = workspace.warehouse
    chunks = _ByStrategy(workspace.strategies, lambda each: warehouse.read(CHUNKS, strategy=each.name))
    recommended = {each.category: each.strategy for each in found.recommendations()}
    return viewer_payload(files, warehouse.read(CONTENTS), chunks, found.skips, found.quarantine, recommended)
