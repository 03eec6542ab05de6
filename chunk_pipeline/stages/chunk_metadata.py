"""From chunks with facts, and the entities that their texts mention, to one table: a column for each fact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.stages.refresh import Outcome, Target, Work, contents_digest, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.chunk_tables import FACTS
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.heritage_tables import CHUNK_METADATA_TABLE, GAZETTEER, MENTIONS
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS

VERSION = 1
"""Raised when the same chunks and mentions give other rows than before."""

_PLACE = ("chunk_id", "strategy", "repository", "path")


def describe(workspace: Workspace, strategy: Strategy) -> Outcome:
    """Write what is known of the strategy's chunks of every repository; chunks without facts have no row."""
    warehouse = workspace.warehouse
    own = Partition(strategy=strategy.name)

    def compute() -> Work:
        chunks = facted_chunks(workspace, strategy)
        mentions = warehouse.read(MENTIONS, own, columns=["chunk_id", "entity_id"])
        classes = warehouse.read(GAZETTEER, columns=["entity_id", "primary_class"])
        rows = metadata_rows(chunks, mentions, classes)
        return Work((rows,), {"chunks_described": rows.num_rows})

    inputs = inputs_of(
        stage=VERSION,
        chunks=contents_digest(warehouse, CHUNKS, strategy=strategy.name),
        mentions=contents_digest(warehouse, MENTIONS, strategy=strategy.name),
        gazetteer=contents_digest(warehouse, GAZETTEER),
    )
    return refresh(workspace, (Target(CHUNK_METADATA_TABLE, own),), inputs, compute)


def facted_chunks(workspace: Workspace, strategy: Strategy) -> pa.Table:
    """Place and facts of the strategy's chunks that have facts, of every repository."""
    chunks = workspace.warehouse.read(CHUNKS, strategy=strategy.name, columns=[*_PLACE, "facts"])
    return chunks.filter(pc.is_valid(chunks["facts"]))


def metadata_rows(chunks: pa.Table, mentions: pa.Table, classes: pa.Table) -> pa.Table:
    """Rows of ``CHUNK_METADATA_TABLE``.

    Args:
        chunks: Chunks with facts: their place and the ``facts`` struct.
        mentions: Chunk and entity of each mention.
        classes: Class of each entity, as often as the gazetteer has it.
    """
    entities = _grouped(mentions["chunk_id"].to_pylist(), mentions["entity_id"].to_pylist())
    class_of = _grouped(classes["entity_id"].to_pylist(), classes["primary_class"].to_pylist())
    ids = chunks["chunk_id"].to_pylist()
    mentioned = [sorted(entities.get(chunk_id, ())) for chunk_id in ids]
    columns = {name: chunks[name] for name in _PLACE}
    columns |= {field.name: pc.struct_field(chunks["facts"], field.name) for field in FACTS}
    columns["mentioned_entities"] = mentioned
    columns["mentioned_classes"] = [
        sorted({each for entity in found for each in class_of.get(entity, ())}) for found in mentioned
    ]
    schema = CHUNK_METADATA_TABLE.schema
    return pa.table({name: columns[name] for name in schema.names}, schema=schema)


def _grouped(keys: Iterable[str], values: Iterable[str]) -> Mapping[str, set[str]]:
    groups: dict[str, set[str]] = {}
    for key, value in zip(keys, values, strict=True):
        groups.setdefault(key, set()).add(value)
    return groups
