"""Tables of heritage chunks over all sources: what is known of each, which entities, what is there twice."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.warehouse.chunk_tables import FACTS
from chunk_pipeline.warehouse.table import PATH, REPOSITORY, STRATEGY, Partitioning, Table, column

_TEXTS = pa.list_(pa.field("item", pa.string(), False))
_DESCRIPTIONS = {
    "source_type": "Kind of source.",
    "source_id": "The record, section or message: kind, path and locator.",
    "primary_class": "Class of what the chunk is about.",
    "custodian_type": "Type letters, X for mixed.",
    "names": "Labels and other names of the entity that it is about.",
    "identifiers": "Its identifiers, as scheme and value.",
    "ghcid": "Its GHCID.",
    "country_code": "ISO 3166-1 alpha-2.",
    "country_source": "How the country is known: explicit, ghcid, isil or source.",
    "region_code": "Region.",
    "settlement": "Place.",
    "data_tier": "How far the source can be trusted.",
    "extraction_date": "When the source was taken, as its metadata say.",
    "confidence_score": "0 to 1.",
    "language": "ISO 639-1.",
    "has_identifiers": "Whether the chunk holds identifiers.",
    "has_collections": "Whether it speaks of collections.",
    "has_relationships": "Whether it speaks of relationships.",
    "warnings": "What was odd and read all the same.",
    "conversation_id": "Conversations: the uuid.",
    "message_ids": "Conversations: uuids of the messages.",
    "senders": "Conversations: human and assistant, by message.",
    "branch": "Conversations: current or other.",
    "is_attachment": "Conversations: whether the text is an attached file's.",
    "xpath": "Web pages: positional XPath of the section's element.",
    "xpath_verified": "Web pages: whether the XPath selects one element that holds the section's text.",
    "section_type": "Web pages: what the section is for.",
    "heading_path": "Web pages and documents: headings from the outermost in.",
    "json_ld_types": "Web pages: types of the page's JSON-LD.",
    "row": "Registries: number of the record behind the header, from 1.",
    "registry": "Registries: name of the column mapping.",
    "slots": "Registries: mapped columns as slot and value.",
    "entity": "Instances: place in the file, from 0.",
    "pointer": "Instances: where it stands in the file.",
    "page": "Documents: first page that the chunk stands on.",
}
CHUNK_METADATA_TABLE = Table(
    "chunk_metadata",
    "What is known of every heritage chunk, one column a fact, with the entities that its text mentions.",
    pa.schema(
        [
            column("chunk_id", pa.string(), "Chunk."),
            STRATEGY,
            REPOSITORY,
            PATH,
            *(column(field.name, field.type, _DESCRIPTIONS[field.name], nullable=True) for field in FACTS),
            column("mentioned_entities", _TEXTS, "Ids of the entities that the text mentions."),
            column("mentioned_classes", _TEXTS, "Their classes."),
        ]
    ),
    key=("chunk_id",),
    sort=("repository", "path", "chunk_id"),
    partitioning=Partitioning.STRATEGY,
)

GAZETTEER = Table(
    "gazetteer",
    "The entities that registries and instances name, with each surface form that finds them in a text.",
    pa.schema(
        [
            column(
                "entity_id",
                pa.string(),
                "GHCID, else an identifier as scheme:value, else the record's source_id.",
            ),
            column("surface", pa.string(), "A name, another name or an identifier."),
            column("kind", pa.string(), "name, alias or identifier."),
            column("primary_class", pa.string(), "Class of the entity."),
            column("custodian_type", _TEXTS, "Its type letters."),
            column("source_ids", _TEXTS, "Records that say so, as repository/source_id."),
        ]
    ),
    key=("entity_id", "surface", "kind"),
    sort=("entity_id", "kind", "surface"),
    partitioning=Partitioning.WHOLE,
)

MENTIONS = Table(
    "mentions",
    "Where a heritage chunk's text mentions a known entity.",
    pa.schema(
        [
            STRATEGY,
            column("chunk_id", pa.string(), "Chunk."),
            column("start", pa.int32(), "First character, in the chunk's text."),
            column("end", pa.int32(), "Character after the last."),
            column("surface", pa.string(), "What stands there."),
            column("entity_id", pa.string(), "Entity; joins gazetteer."),
            column("resolved_by", pa.string(), "name, alias, identifier, acronym or nominal."),
            column("confidence", pa.float64(), "0 to 1."),
        ]
    ),
    key=("strategy", "chunk_id", "start", "entity_id"),
    sort=("chunk_id", "start", "entity_id"),
    partitioning=Partitioning.STRATEGY,
)

DUPLICATES = Table(
    "duplicates",
    "Heritage chunks for which another one stands; the indexes leave out those that say nothing more.",
    pa.schema(
        [
            column("chunk_id", pa.string(), "The chunk that another one stands for."),
            STRATEGY,
            REPOSITORY,
            PATH,
            column("winner_id", pa.string(), "The chunk that stands for it."),
            column("reason", pa.string(), "exact_text, or entity and the identifier that both have."),
            column(
                "says_more",
                pa.bool_(),
                "Whether its record holds a word that the winner's does not: then it stays in the indexes.",
            ),
        ]
    ),
    key=("chunk_id",),
    sort=("chunk_id",),
    partitioning=Partitioning.WHOLE,
)

NEAR_DUPLICATES = Table(
    "near_duplicates",
    "Pairs of heritage chunks that are nearly the same; both stay in the indexes.",
    pa.schema(
        [
            column("chunk_id", pa.string(), "The one with the smaller id."),
            column("other_id", pa.string(), "The other."),
            column("similarity", pa.float64(), "Jaccard similarity of their sets of five-word shingles."),
        ]
    ),
    key=("chunk_id", "other_id"),
    sort=("chunk_id", "other_id"),
    partitioning=Partitioning.WHOLE,
    committed_with="duplicates",
)
