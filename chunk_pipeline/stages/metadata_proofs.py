"""What is checked about the metadata of heritage chunks, re-read from disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chunk_pipeline.chunking.facts.facts import FactsError
from chunk_pipeline.chunking.facts.rows import facts_of
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.stages.chunk_metadata import facted_chunks
from chunk_pipeline.stages.finding import WORST, Finding
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.chunk_tables import FACTS
from chunk_pipeline.warehouse.heritage_tables import CHUNK_METADATA_TABLE
from chunk_pipeline.warehouse.parquet import Partition

_FIELDS = tuple(field.name for field in FACTS)


def prove_chunk_metadata(workspace: Workspace, strategy: Strategy) -> Finding:
    """Check that each chunk with facts has one row, and that every row is valid for its kind of source."""
    stored = workspace.warehouse.read(CHUNK_METADATA_TABLE, Partition(strategy=strategy.name))
    rows = stored.to_pylist()
    needed = {
        row["chunk_id"]: row for row in facted_chunks(workspace, strategy).drop_columns(["facts"]).to_pylist()
    }
    wrong = [*_unpaired(needed, rows), *_invalid(rows)]
    worst = tuple(sorted(wrong, key=lambda row: (row["path"], row["chunk_id"]))[:WORST])
    return Finding("chunk_metadata_is_valid", not wrong, len(wrong), len(needed), worst)


def _unpaired(
    needed: Mapping[str, Mapping[str, str]], rows: list[dict[str, object]]
) -> Iterator[dict[str, str]]:
    """Chunks without a row, and rows without a chunk."""
    described = {str(row["chunk_id"]): row for row in rows}
    for chunk_id in sorted(needed.keys() - described.keys()):
        yield _named(needed[chunk_id], "no row in chunk_metadata; run the asset again")
    for chunk_id in sorted(described.keys() - needed.keys()):
        yield _named(described[chunk_id], "no such chunk any more; run the asset again")


def _invalid(rows: list[dict[str, object]]) -> Iterator[dict[str, str]]:
    for row in rows:
        try:
            facts_of({name: row[name] for name in _FIELDS})
        except FactsError as error:
            yield _named(row, str(error))


def _named(row: Mapping[str, object], what: str) -> dict[str, str]:
    return {"chunk_id": str(row["chunk_id"]), "path": f"{row['repository']}/{row['path']}", "error": what}
