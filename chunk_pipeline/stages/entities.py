"""From the facts of records to the gazetteer, and from chunks to the entities that they mention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.entities.coreference import CoreferenceResolver, NominalResolver
from chunk_pipeline.chunking.entities.gazetteer import build_gazetteer, gazetteer_of, gazetteer_table
from chunk_pipeline.chunking.entities.mention import Mention
from chunk_pipeline.chunking.entities.recogniser import EntityRecogniser, GazetteerRecogniser
from chunk_pipeline.chunking.facts.facts import Facts
from chunk_pipeline.chunking.facts.rows import facts_of
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.stages.refresh import Outcome, Target, Work, contents_digest, refresh
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.fingerprint import inputs_of
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, GAZETTEER, MENTIONS

VERSION = 1
"""Raised when the same facts and texts give other entities or mentions than before."""

RECORDS = ("csv_registry", "yaml_instance")
"""Kinds of source whose chunks are records of entities."""

_TEXT = ("chunk_id", "repository", "path", "ordinal", "text", "facts")


def telling(workspace: Workspace) -> tuple[Strategy, ...]:
    """The strategies that the sources file asks for and whose chunks have facts."""
    return tuple(each for each in workspace.strategies if each.gives_facts)


def collect_entities(workspace: Workspace) -> Outcome:
    """Collect the entities that the records of every repository name."""
    warehouse = workspace.warehouse
    strategies = telling(workspace)

    def compute() -> Work:
        entities = build_gazetteer(record for each in strategies for record in _records(workspace, each))
        rows = gazetteer_table(entities)
        return Work((rows,), {"entities": len(entities), "surfaces": rows.num_rows})

    inputs = inputs_of(
        stage=VERSION,
        chunks=[contents_digest(warehouse, CHUNKS, strategy=each.name) for each in strategies],
    )
    return refresh(workspace, (Target(GAZETTEER),), inputs, compute)


def _records(workspace: Workspace, strategy: Strategy) -> Iterator[tuple[str, Facts]]:
    """Repository and facts of each record chunk of a strategy."""
    for partition in workspace.warehouse.partitions(CHUNKS, strategy=strategy.name):
        rows = workspace.warehouse.read(CHUNKS, partition, columns=["repository", "facts"])
        kinds = pc.struct_field(rows["facts"], "source_type")
        for row in rows.filter(pc.is_in(kinds, pa.array(RECORDS))).to_pylist():
            yield row["repository"], facts_of(row["facts"])


def find_mentions(workspace: Workspace, strategy: Strategy) -> Outcome:
    """Find the entities that the strategy's chunks of every repository mention."""
    warehouse = workspace.warehouse

    def compute() -> Work:
        entities = gazetteer_of(warehouse.read(GAZETTEER))
        recogniser, resolver = GazetteerRecogniser(entities), NominalResolver(entities)
        partitions = warehouse.partitions(CHUNKS, strategy=strategy.name)
        tables = [MENTIONS.empty()]
        for done, partition in enumerate(partitions):
            workspace.progress(f"{strategy.name}: mentions", done, len(partitions))
            chunks = warehouse.read(CHUNKS, partition, columns=_TEXT)
            tables.append(mentions_table(strategy.name, chunks, recogniser, resolver))
        rows = pa.concat_tables(tables)
        return Work((rows,), {"mentions": rows.num_rows})

    inputs = inputs_of(
        stage=VERSION,
        gazetteer=contents_digest(warehouse, GAZETTEER),
        chunks=contents_digest(warehouse, CHUNKS, strategy=strategy.name),
    )
    return refresh(workspace, (Target(MENTIONS, Partition(strategy=strategy.name)),), inputs, compute)


class _Text(NamedTuple):
    """A chunk's text and what it is read together with, in its order."""

    repository: str
    path: str
    together: str
    ordinal: int
    chunk_id: str
    text: str


def mentions_table(
    strategy: str, chunks: pa.Table, recogniser: EntityRecogniser, resolver: CoreferenceResolver
) -> pa.Table:
    """The mentions in chunks that have facts.

    Args:
        strategy: Strategy of the rows.
        chunks: A table with ``chunk_id``, ``repository``, ``path``, ``ordinal``, ``text`` and ``facts``.
        recogniser: Finds entities in each text.
        resolver: Goes on from there over each conversation, page, document or record.

    Returns:
        A ``mentions`` table.
    """
    rows = []
    for _, group in groupby(sorted(_texts(chunks)), key=lambda each: each[:3]):
        texts = list(group)
        found = [recogniser.mentions(each.text) for each in texts]
        resolved = resolver.resolve([each.text for each in texts], found)
        rows += [
            _row(strategy, each, mention) for each, of_it in _zipped(texts, resolved) for mention in of_it
        ]
    return pa.Table.from_pylist(rows, schema=MENTIONS.schema)


def _texts(chunks: pa.Table) -> Iterator[_Text]:
    told = chunks.filter(pc.is_valid(chunks["facts"]))
    kinds, records, conversations = (
        pc.struct_field(told["facts"], name).to_pylist()
        for name in ("source_type", "source_id", "conversation_id")
    )
    rows = told.select(["repository", "path", "ordinal", "chunk_id", "text"]).to_pylist()
    for row, kind, record, conversation in zip(rows, kinds, records, conversations, strict=True):
        together = record if kind in RECORDS else conversation or ""
        yield _Text(together=together, **row)


def _zipped(
    texts: Sequence[_Text], resolved: Sequence[Sequence[Mention]]
) -> Iterator[tuple[_Text, Sequence[Mention]]]:
    return zip(texts, resolved, strict=True)


def _row(strategy: str, text: _Text, mention: Mention) -> dict[str, object]:
    return {"strategy": strategy, "chunk_id": text.chunk_id, **mention._asdict()}
