"""Where an answer is left out of an index, the chunk that stands for it answers."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, gold_queries, gold_table
from chunk_pipeline.evaluation.gold.winners import with_winners
from chunk_pipeline.warehouse.tables import CHUNKS, DUPLICATES

Cut = tuple[str, str, list[tuple[int, int]]]


def chunks(strategy: str, *cuts: Cut) -> pa.Table:
    """Chunks with an id, a path and spans."""
    kinds = {name: CHUNKS.schema.field(name).type for name in ("spans", "n_tokens")}
    rows = [
        {
            "chunk_id": chunk_id,
            "strategy": strategy,
            "repository": "r",
            "path": path,
            "spans": [{"start": start, "end": end} for start, end in spans],
            "n_tokens": 5,
            "unit": f"unit of {chunk_id}",
        }
        for chunk_id, path, spans in cuts
    ]
    texts = [(name, pa.string()) for name in ("chunk_id", "strategy", "repository", "path", "unit")]
    return pa.Table.from_pylist(rows, schema=pa.schema([*texts, *kinds.items()]))


def duplicates(*pairs: tuple[str, str], strategy: str = "website", says_more: bool = False) -> pa.Table:
    rows = [
        {
            "chunk_id": loser,
            "strategy": strategy,
            "repository": "r",
            "path": "copy.html",
            "winner_id": winner,
            "reason": "exact_text",
            "says_more": says_more,
        }
        for loser, winner in pairs
    ]
    return pa.Table.from_pylist(rows, schema=DUPLICATES.schema)


def gold(*spans: tuple[str, int, int]) -> pa.Table:
    relevant = tuple(RelevantSpan("r", path, start, end, "") for path, start, end in spans)
    return gold_table([GoldQuery("wat", "route", "r", "q.html", "website", relevant)])


def spans_of(table: pa.Table) -> list[tuple[str, int, int]]:
    (query,) = gold_queries(table)
    return [(each.path, each.start, each.end) for each in query.relevant]


SITE = chunks(
    "website",
    ("copy", "copy.html", [(0, 50)]),
    ("more", "copy.html", [(50, 90)]),
    ("best", "best.html", [(10, 20), (40, 70)]),
)
ASKED = gold(("copy.html", 0, 40))


def test_the_winner_answers_where_only_a_duplicate_did() -> None:
    found = with_winners(ASKED, duplicates(("copy", "best")), SITE)
    assert spans_of(found) == [("copy.html", 0, 40), ("best.html", 10, 70)]
    (query,) = gold_queries(found)
    assert query.relevant[1].unit == "unit of best"
    assert found.schema.equals(ASKED.schema)


def test_nothing_is_added_where_a_kept_chunk_answers_as_well() -> None:
    pieces = chunks("website", ("copy", "copy.html", [(0, 20)]), ("more", "copy.html", [(20, 40)]))
    site = pa.concat_tables([pieces, SITE.slice(2)])
    assert with_winners(ASKED, duplicates(("copy", "best")), site).equals(ASKED)


def test_each_span_of_a_query_is_looked_at_by_itself() -> None:
    asked = gold(("copy.html", 0, 40), ("copy.html", 60, 90))
    found = with_winners(asked, duplicates(("copy", "best")), SITE)
    assert spans_of(found) == [("copy.html", 0, 40), ("copy.html", 60, 90), ("best.html", 10, 70)]


def test_a_duplicate_that_its_index_keeps_changes_nothing() -> None:
    rows = chunks("csv_registry", ("row", "a.csv", [(0, 9)]))
    both = pa.concat_tables([SITE, rows])
    assert with_winners(ASKED, duplicates(("copy", "row")), both).equals(ASKED)
    assert with_winners(ASKED, duplicates(("copy", "gone")), both).equals(ASKED)


def test_a_stretch_that_answers_already_is_not_added_again() -> None:
    asked = gold(("copy.html", 0, 40), ("best.html", 10, 70))
    assert spans_of(with_winners(asked, duplicates(("copy", "best")), SITE)) == spans_of(asked)


def test_without_gold_duplicates_or_chunks_nothing_happens() -> None:
    assert with_winners(ASKED, DUPLICATES.empty(), SITE).equals(ASKED)
    assert with_winners(ASKED, duplicates(("copy", "best")), SITE.slice(0, 0)).equals(ASKED)
    none = gold_table([])
    assert with_winners(none, duplicates(("copy", "best")), SITE).equals(none)
