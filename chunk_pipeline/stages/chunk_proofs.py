"""What is checked about the chunks of a repository, re-read from disk.

The orchestrator's checks show findings; which of them block is said there. Figures come from the stored rows,
not from the run that wrote them, so that damage is found as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.faults import Fault
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.stages.chunks import bound
from chunk_pipeline.stages.cut_documents import cut_documents
from chunk_pipeline.stages.finding import WORST, Finding, Row, quarantined
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, QUARANTINE


def prove_chunks(workspace: Workspace, name: str, strategy: Strategy) -> list[Finding]:
    """Check a repository's chunks of one strategy against the files that they were cut from."""
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name, repository=partition_key(name))
    stage = Partition(stage=f"chunks_{strategy.name}", repository=own.repository)
    chunks = warehouse.read(CHUNKS, own)
    proofs = list(_proofs(workspace, name, bound(workspace, name, strategy)))
    return [
        _unique_ids(chunks),
        _exact_spans(proofs),
        _cover(proofs),
        _integrity(proofs),
        _within_limit(proofs),
        _sizes(chunks, strategy),
        _own_way(proofs),
        quarantined("nothing_quarantined", warehouse.read(QUARANTINE, stage)),
    ]


def _proofs(workspace: Workspace, name: str, strategy: Strategy) -> Iterator[tuple[str, Proof]]:
    """The proof of every file that has chunks or skips, by path."""
    for document, chunks, skips in cut_documents(workspace, name, strategy):
        yield (
            document.path,
            prove(document.text, chunks, skips, strategy.format, strategy.ceiling, strategy.size),
        )


def _unique_ids(chunks: pa.Table) -> Finding:
    counted = pc.value_counts(chunks["chunk_id"])
    repeated = [each["values"] for each in counted.to_pylist() if each["counts"] > 1]
    worst = tuple({"chunk_id": chunk_id} for chunk_id in sorted(repeated)[:WORST])
    return Finding("chunk_ids_unique", not repeated, len(repeated), chunks.num_rows, worst)


def _exact_spans(proofs: Sequence[tuple[str, Proof]]) -> Finding:
    total = sum(proof.chunks for _, proof in proofs)
    sound = min(sum(getattr(proof, kind) for _, proof in proofs) for kind in ("exact", "ordered", "joined"))
    astray = any(proof.left_out.misplaced for _, proof in proofs)
    worst = [
        _row(path, fault)
        for path, proof in proofs
        for fault in (*proof.inexact, *proof.disordered, *proof.misjoined, *proof.left_out.misplaced)
    ]
    share = sound / total if total else 1.0
    return Finding("spans_exact", sound == total and not astray, share, total, tuple(worst[:WORST]))


def _cover(proofs: Sequence[tuple[str, Proof]]) -> Finding:
    total = sum(proof.characters for _, proof in proofs)
    covered = sum(proof.covered for _, proof in proofs)
    lost = [
        {
            "path": path,
            "start": each.span.start,
            "end": each.span.end,
            "characters": each.characters,
            "text": each.excerpt,
        }
        for path, proof in proofs
        for each in proof.uncovered
    ]
    lost.sort(key=lambda row: (-int(str(row["characters"])), str(row["path"])))
    share = covered / total if total else 1.0
    return Finding("cover_complete", covered == total, share, total, tuple(lost[:WORST]))


def _integrity(proofs: Sequence[tuple[str, Proof]]) -> Finding:
    total = sum(proof.chunks for _, proof in proofs)
    parsing = sum(proof.parsing for _, proof in proofs)
    worst = [_row(path, fault) for path, proof in proofs for fault in proof.unparsable]
    return Finding(
        "parse_integrity", parsing == total, parsing / total if total else 1.0, total, tuple(worst[:WORST])
    )


def _within_limit(proofs: Sequence[tuple[str, Proof]]) -> Finding:
    total = sum(proof.chunks for _, proof in proofs)
    over = sum(proof.sizes.over_limit for _, proof in proofs)
    longest = [
        {
            "path": path,
            "unit": each.unit,
            "size": each.size,
            "start": each.span.start,
            "end": each.span.end,
        }
        for path, proof in proofs
        for each in proof.sizes.longest
    ]
    longest.sort(key=lambda row: -int(str(row["size"])))
    return Finding("within_limit", over == 0, over / total if total else 0.0, total, tuple(longest[:WORST]))


def _own_way(proofs: Sequence[tuple[str, Proof]]) -> Finding:
    total = sum(proof.chunks for _, proof in proofs)
    fallen = [
        {"path": path, "chunks": count, "why": reason}
        for path, proof in proofs
        for reason, count in proof.fallbacks
    ]
    fallen.sort(key=lambda row: -int(str(row["chunks"])))
    share = sum(int(str(row["chunks"])) for row in fallen) / total if total else 0.0
    return Finding("nothing_fell_back", not fallen, share, total, tuple(fallen[:WORST]))


def _row(path: str, fault: Fault) -> Row:
    return {
        "path": path,
        "unit": fault.unit,
        "start": fault.span.start,
        "end": fault.span.end,
        "why": fault.reason,
    }


def _sizes(chunks: pa.Table, strategy: Strategy) -> Finding:
    oversized = chunks.filter(chunks["oversized"]).select(["path", "unit", "n_chars", "start_line"])
    largest = oversized.sort_by([("n_chars", "descending"), ("path", "ascending")]).slice(0, WORST)
    share = oversized.num_rows / chunks.num_rows if chunks.num_rows else 0.0
    return Finding(
        "no_chunk_oversized", oversized.num_rows == 0, share, chunks.num_rows, tuple(largest.to_pylist())
    )
