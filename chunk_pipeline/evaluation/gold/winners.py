"""Keep the gold fair to what the indexes leave out: where an answer is a duplicate, its winner answers too.

What does not belong here: which chunks are duplicates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.judgements import judge
from chunk_pipeline.warehouse.tables import GOLD_QUERIES

JUDGED = ("chunk_id", "strategy", "repository", "path", "spans", "n_tokens", "unit")
"""Columns of ``chunks`` that are needed here."""


def with_winners(gold: pa.Table, duplicates: pa.Table, chunks: pa.Table) -> pa.Table:
    """Gold in which the winners of duplicates answer as well.

    A winner's stretch, from its first span to its last, is added where a relevant span is answered, among the
    chunks of some strategy, only by chunks that its index leaves out. It is then right for every strategy:
    what is said there is what the duplicate says, or of the same entity.

    Args:
        gold: A ``gold_queries`` table.
        duplicates: A ``duplicates`` table.
        chunks: Indexed ``chunks`` of any strategies, with duplicates; the columns ``JUDGED``. A duplicate
            whose winner is not among those of its strategy is not left out, and changes nothing.

    Returns:
        The ``gold_queries`` rows in their order; the same as were given where there is nothing to add.
    """
    spans = [(row, span) for row, each in enumerate(gold["relevant"].to_pylist()) for span in each]
    added: dict[int, dict[str, dict[str, Any]]] = defaultdict(dict)
    for strategy in sorted(pc.unique(chunks["strategy"]).to_pylist()):
        own = chunks.select(JUDGED).filter(pc.equal(chunks["strategy"], strategy))
        winner_of = _left_out(duplicates, own)
        if not winner_of or not spans:
            continue
        stretches = _stretches(own, set(winner_of.values()))
        for place, answering in _answering([span for _, span in spans], own).items():
            if all(each in winner_of for each in answering):
                winners = sorted({winner_of[each] for each in answering})
                added[spans[place][0]].update({each: stretches[each] for each in winners})
    if not added:
        return gold
    relevant = [
        _joined(each, added[row].values() if row in added else ())
        for row, each in enumerate(gold["relevant"].to_pylist())
    ]
    field = gold.schema.field("relevant")
    return gold.set_column(gold.schema.get_field_index("relevant"), field, pa.array(relevant, field.type))


def _left_out(duplicates: pa.Table, chunks: pa.Table) -> dict[str, str]:
    """Winner of each chunk that an index of these leaves out."""
    there = set(chunks["chunk_id"].to_pylist())
    columns = (duplicates[name].to_pylist() for name in ("chunk_id", "winner_id", "says_more"))
    return {
        loser: winner
        for loser, winner, says_more in zip(*columns, strict=True)
        if loser in there and winner in there and not says_more
    }


def _answering(spans: Sequence[dict[str, Any]], chunks: pa.Table) -> Mapping[int, list[str]]:
    """The chunks that answer each span, of the spans that any chunk answers."""
    kind = GOLD_QUERIES.schema.field("relevant").type
    single = pa.table({"relevant": pa.array([[span] for span in spans], kind)})
    ids = chunks["chunk_id"].to_pylist()
    found: dict[int, list[str]] = defaultdict(list)
    for pair in judge(single, chunks).chunk_pairs.tolist():
        found[pair // len(ids)].append(ids[pair % len(ids)])
    return found


def _stretches(chunks: pa.Table, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """Where each wanted chunk stands, as a relevant span."""
    rows = chunks.filter(pc.is_in(chunks["chunk_id"], value_set=pa.array(sorted(wanted), pa.string())))
    return {
        row["chunk_id"]: {
            "repository": row["repository"],
            "path": row["path"],
            "start": min(span["start"] for span in row["spans"]),
            "end": max(span["end"] for span in row["spans"]),
            "unit": row["unit"],
        }
        for row in rows.to_pylist()
    }


def _joined(relevant: Sequence[dict[str, Any]], more: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Relevant spans and those of winners, each stretch once."""
    found: dict[tuple[str, str, int, int], dict[str, Any]] = {}
    for span in (*relevant, *more):
        found.setdefault((span["repository"], span["path"], span["start"], span["end"]), span)
    return list(found.values())
