"""What is checked about heritage chunks besides what holds for all: words, records, XPaths, the text itself.

Everything is re-read from disk, as in ``chunk_proofs``, and the sources are counted apart from the chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.text_quality import text_quality
from chunk_pipeline.chunking.website.verification import misled_xpaths
from chunk_pipeline.chunking.word_coverage import word_coverage
from chunk_pipeline.stages.cut_documents import cut_documents
from chunk_pipeline.stages.finding import WORST, Finding, Row
from chunk_pipeline.stages.workspace import Workspace

_USUAL = "shared_element:"
"""What sections of flat pages say of their place, which is nothing to look at."""

COVERAGE = 0.995
"""Share of a document's words that its chunks must hold, what was skipped on purpose apart."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A document with its chunks and skips as stored."""

    document: Document
    chunks: Sequence[Chunk]
    skips: Sequence[Skip]


def prove_heritage(workspace: Workspace, name: str, strategy: Strategy) -> list[Finding]:
    """Check a source's chunks of one strategy that gives facts."""
    cuts = [Cut(*each) for each in cut_documents(workspace, name, strategy)]
    return [
        _coverage(cuts, strategy),
        _not_empty(cuts),
        _accounts(cuts, strategy),
        _xpaths(cuts),
        _sound_text(cuts),
        _certain(cuts),
    ]


def _coverage(cuts: Sequence[Cut], strategy: Strategy) -> Finding:
    """That every document's words are in its chunks; the figure is the lowest share."""
    lowest = 1.0
    rows: list[Row] = []
    for each in cuts:
        found = word_coverage(each.document.text, each.chunks, each.skips, strategy.format)
        lowest = min(lowest, found.share)
        if found.share < COVERAGE:
            missing = ", ".join(f"{word} ({number})" for word, number in found.missing)
            rows.append({"path": each.document.path, "share": round(found.share, 6), "missing": missing})
    rows.sort(key=lambda row: float(str(row["share"])))
    return _finding("source_coverage", rows, lowest, len(cuts))


def _not_empty(cuts: Sequence[Cut]) -> Finding:
    rows: list[Row] = [
        {"path": each.document.path, "unit": chunk.unit, "start": chunk.spans[0].start}
        for each in cuts
        for chunk in each.chunks
        if not chunk.body or chunk.body.isspace()
    ]
    return _finding("no_chunk_empty", rows, len(rows), sum(len(each.chunks) for each in cuts))


def _accounts(cuts: Sequence[Cut], strategy: Strategy) -> Finding:
    """That records in are records out."""
    rows: list[Row] = []
    records = 0
    for each in cuts:
        account = strategy.account(each.document, each.chunks, each.skips)
        if account is None:
            continue
        records += account.records
        if account.lost:
            skipped = ", ".join(f"{reason}: {number}" for reason, number in account.skipped)
            parts = {"records": account.records, "chunked": account.chunked, "joined": account.joined}
            rows.append({"path": each.document.path, "what": account.what, **parts, "skipped": skipped})
    return _finding("records_accounted", rows, len(rows), records)


def _xpaths(cuts: Sequence[Cut]) -> Finding:
    """That every section's XPath leads to its text, on the page as stored."""
    rows: list[Row] = []
    sections = 0
    for each in cuts:
        found, misled = misled_xpaths(each.document.text, each.chunks)
        sections += found
        rows += [{"path": each.document.path, "xpath": row.xpath, "why": row.reason} for row in misled]
    return _finding("xpaths_verify", rows, len(rows), sections)


def _sound_text(cuts: Sequence[Cut]) -> Finding:
    """That no text burst into lines of one character or holds what a wrong decoding leaves."""
    rows: list[Row] = []
    for each in cuts:
        found = text_quality(each.document.text)
        if found.damages:
            rows.append({"path": each.document.path, "why": "; ".join(found.damages)})
    return _finding("text_is_sound", rows, len(rows), len(cuts))


def _certain(cuts: Sequence[Cut]) -> Finding:
    """That no record was read with a warning: a type that is none, two columns for one slot."""
    warned = {
        (each.document.path, chunk.facts.source_id): chunk.facts.warnings
        for each in cuts
        for chunk in each.chunks
        if chunk.facts and chunk.facts.warnings
    }
    rows: list[Row] = [
        {"path": path, "record": record, "warning": warning}
        for (path, record), warnings in sorted(warned.items())
        for warning in warnings
        if not warning.startswith(_USUAL)
    ]
    return _finding("nothing_read_with_a_warning", rows, len(rows), sum(len(each.chunks) for each in cuts))


def _finding(name: str, rows: Sequence[Row], figure: float, of: int) -> Finding:
    return Finding(name, not rows, figure, of, tuple(rows[:WORST]))
