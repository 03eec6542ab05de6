"""From chunks with facts to those that say what others say; what the indexes therefore leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.deduplication import Candidate, Duplicate, deduplicate
from chunk_pipeline.chunking.entities.identity import identifiers_of
from chunk_pipeline.chunking.facts.rows import facts_of
from chunk_pipeline.chunking.near_duplicates import NearDuplicate, near_duplicates
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.stages.embeddings import indexed_chunks
from chunk_pipeline.stages.entities import RECORDS, telling
from chunk_pipeline.stages.finding import WORST, Finding
from chunk_pipeline.stages.refresh import Outcome, Target, Work, contents_digest, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.tables import CHUNKS, DUPLICATES, NEAR_DUPLICATES

VERSION = 2
"""Raised when the same chunks give other duplicates than before."""

_READ = ("chunk_id", "repository", "path", "strategy", "ordinal", "opening", "body", "closing", "facts")


def find_duplicates(workspace: Workspace) -> Outcome:
    """Find the duplicates among the chunks with facts of every strategy and repository."""
    warehouse = workspace.warehouse
    strategies = telling(workspace)

    def compute() -> Work:
        candidates = [found for each in strategies for found in _candidates(workspace, each)]
        duplicates = deduplicate(candidates)
        lost = {each.chunk_id for each in duplicates}
        near = near_duplicates(each for each in candidates if each.chunk_id not in lost)
        counts = {"chunks_compared": len(candidates), "duplicates": len(duplicates)}
        rows = (_near_table(near), _table(duplicates, candidates))
        return Work(rows, {**counts, "near_duplicates": len(near)})

    inputs = inputs_of(
        stage=VERSION,
        chunks=[contents_digest(warehouse, CHUNKS, strategy=each.name) for each in strategies],
    )
    return refresh(workspace, (Target(NEAR_DUPLICATES), Target(DUPLICATES)), inputs, compute)


def searched_chunks(
    workspace: Workspace, strategy: Strategy, columns: Sequence[str] | None = None
) -> pa.Table:
    """The chunks of a strategy's indexes: those of the indexed categories without the duplicates among them.

    A duplicate is left out only where its winner is in, which what another strategy's index holds is not,
    and where it says nothing that its winner does not say.
    """
    chunks = indexed_chunks(workspace, strategy, columns=columns)
    return without_duplicates(chunks, workspace.warehouse.read(DUPLICATES))


def without_duplicates(chunks: pa.Table, duplicates: pa.Table) -> pa.Table:
    """Chunks without those that say nothing more than another one of them.

    Args:
        chunks: A table with ``chunk_id``.
        duplicates: A ``duplicates`` table, of any chunks.
    """
    if not duplicates.num_rows:
        return chunks
    there = pc.is_in(duplicates["winner_id"], value_set=chunks["chunk_id"].combine_chunks())
    replaced = pc.and_(there, pc.invert(duplicates["says_more"]))
    lost = duplicates["chunk_id"].filter(replaced).combine_chunks()
    return chunks.filter(pc.invert(pc.is_in(chunks["chunk_id"], value_set=lost)))


def duplicates_of(workspace: Workspace, strategy: Strategy) -> list[list[str]]:
    """Loser and winner of each duplicate that indexes leave out, for the fingerprint of what does so."""
    rows = workspace.warehouse.read(DUPLICATES, columns=["strategy", "chunk_id", "winner_id", "says_more"])
    own = rows.filter(pc.and_(pc.equal(rows["strategy"], strategy.name), pc.invert(rows["says_more"])))
    own = own.sort_by("chunk_id")
    return [[row["chunk_id"], row["winner_id"]] for row in own.to_pylist()]


def _candidates(workspace: Workspace, strategy: Strategy) -> Iterator[Candidate]:
    for partition in workspace.warehouse.partitions(CHUNKS, strategy=strategy.name):
        rows = workspace.warehouse.read(CHUNKS, partition, columns=_READ)
        for row in rows.filter(pc.is_valid(rows["facts"])).to_pylist():
            yield candidate_of(row)


def candidate_of(row: Mapping[str, Any]) -> Candidate:
    """A row of ``CHUNKS`` that has facts, as deduplication sees it.

    Raises:
        FactsError: The facts are none.
    """
    facts = facts_of(row["facts"])
    is_record = facts.source_type in RECORDS
    return Candidate(
        chunk_id=row["chunk_id"],
        record_id=f"{row['repository']}/{facts.source_id}" if is_record else "",
        text=row["opening"] + row["body"] + row["closing"],
        is_record=is_record,
        identifiers=identifiers_of(facts) if is_record else (),
        data_tier=facts.data_tier,
        confidence=facts.confidence_score,
        extraction_date=facts.extraction_date,
        source_id=facts.source_id,
        strategy=row["strategy"],
        repository=row["repository"],
        path=row["path"],
        ordinal=row["ordinal"],
        language=facts.language,
    )


def _table(duplicates: tuple[Duplicate, ...], candidates: list[Candidate]) -> pa.Table:
    of_id = {each.chunk_id: each for each in candidates}
    rows = []
    for each in duplicates:
        lost = of_id[each.chunk_id]
        place = {"strategy": lost.strategy, "repository": lost.repository, "path": lost.path}
        rows.append({**each._asdict(), **place})
    return pa.Table.from_pylist(rows, schema=DUPLICATES.schema)


def _near_table(pairs: tuple[NearDuplicate, ...]) -> pa.Table:
    return pa.Table.from_pylist([each._asdict() for each in pairs], schema=NEAR_DUPLICATES.schema)


def prove_duplicates(workspace: Workspace) -> list[Finding]:
    """Check that kept chunks and duplicates are the input, and that every winner is there and kept."""
    chunks = Counter(chunk_id for each in telling(workspace) for chunk_id in _told_ids(workspace, each))
    rows = workspace.warehouse.read(DUPLICATES).to_pylist()
    lost = Counter(row["chunk_id"] for row in rows)
    kept = chunks.keys() - lost.keys()
    astray = [{"chunk_id": each, "times": lost[each]} for each in sorted(lost) if lost[each] > chunks[each]]
    unled = [row for row in rows if row["winner_id"] not in kept]
    conserved = len(kept) + sum(lost.values()) == len(chunks) and not astray
    return [
        Finding("kept_and_duplicates_are_all", conserved, len(rows), len(chunks), tuple(astray[:WORST])),
        Finding("winners_are_kept", not unled, len(unled), len(rows), tuple(unled[:WORST])),
    ]


def _told_ids(workspace: Workspace, strategy: Strategy) -> list[str]:
    """Ids of the strategy's chunks that have facts."""
    rows = workspace.warehouse.read(CHUNKS, strategy=strategy.name, columns=["chunk_id", "facts"])
    told: list[str] = rows["chunk_id"].filter(pc.is_valid(rows["facts"])).to_pylist()
    return told
