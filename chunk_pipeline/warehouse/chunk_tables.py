"""Tables of chunks, their vectors and postings, and the indexes over them."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.warehouse.table import (
    ATTRIBUTES,
    PATH,
    REPOSITORY,
    STRATEGY,
    TEXT,
    Partitioning,
    Table,
    column,
)

SPANS = pa.list_(
    pa.field(
        "item", pa.struct([pa.field("start", pa.int64(), False), pa.field("end", pa.int64(), False)]), False
    )
)
CHUNK_METADATA = pa.struct(
    [
        pa.field("language", pa.string()),
        pa.field("component", pa.string()),
        pa.field("fallback", pa.string()),
        pa.field("indivisible", pa.bool_()),
    ]
)
_TEXTS = pa.list_(pa.field("item", pa.string(), False))
_PAIR = [pa.field("scheme", pa.string(), False), pa.field("value", pa.string(), False)]
IDENTIFIERS = pa.list_(pa.field("item", pa.struct(_PAIR), False))
_SLOTS = pa.list_(
    pa.field(
        "item",
        pa.struct([pa.field("slot", pa.string(), False), pa.field("value", pa.string(), False)]),
        False,
    )
)
FACTS = pa.struct(
    [
        pa.field("source_type", pa.string()),
        pa.field("source_id", pa.string()),
        pa.field("primary_class", pa.string()),
        pa.field("custodian_type", _TEXTS),
        pa.field("names", _TEXTS),
        pa.field("identifiers", IDENTIFIERS),
        pa.field("ghcid", pa.string()),
        pa.field("country_code", pa.string()),
        pa.field("country_source", pa.string()),
        pa.field("region_code", pa.string()),
        pa.field("settlement", pa.string()),
        pa.field("data_tier", pa.string()),
        pa.field("extraction_date", pa.date32()),
        pa.field("confidence_score", pa.float64()),
        pa.field("language", pa.string()),
        pa.field("has_identifiers", pa.bool_()),
        pa.field("has_collections", pa.bool_()),
        pa.field("has_relationships", pa.bool_()),
        pa.field("warnings", _TEXTS),
        pa.field("conversation_id", pa.string()),
        pa.field("message_ids", _TEXTS),
        pa.field("senders", _TEXTS),
        pa.field("branch", pa.string()),
        pa.field("is_attachment", pa.bool_()),
        pa.field("xpath", pa.string()),
        pa.field("xpath_verified", pa.bool_()),
        pa.field("section_type", pa.string()),
        pa.field("heading_path", _TEXTS),
        pa.field("json_ld_types", _TEXTS),
        pa.field("row", pa.int32()),
        pa.field("registry", pa.string()),
        pa.field("slots", _SLOTS),
        pa.field("entity", pa.int32()),
        pa.field("pointer", pa.string()),
        pa.field("page", pa.int32()),
    ]
)
CHUNKS = Table(
    "chunks",
    "Chunks of every strategy, each with the exact spans of its source.",
    pa.schema(
        [
            column("chunk_id", pa.string(), "Digest of the file, then of strategy, spans, unit and text."),
            REPOSITORY,
            PATH,
            column("content_sha256", pa.string(), "Digest of the file's bytes."),
            column("encoding", pa.string(), "What gave the text of those bytes."),
            column("category", pa.string(), "Role of the file."),
            STRATEGY,
            column("strategy_version", pa.int32(), "Version of the strategy."),
            column("strategy_settings", pa.string(), "Its limit, and whatever else it was set to."),
            column("ordinal", pa.int32(), "Place among the file's chunks, from 0."),
            column(
                "unit",
                pa.string(),
                "Locator: a JSON Pointer, a heading path, a declaration or a block.",
            ),
            column("spans", SPANS, "Stretches [start, end) of the stored text, in characters."),
            column("start_line", pa.int32(), "First line, from 1."),
            column("end_line", pa.int32(), "Last line, from 1."),
            column("header", TEXT, "Context above the body; empty if none."),
            column("opening", TEXT, "What is written ahead of the body so that it parses; or empty."),
            column("body", TEXT, "Content of the file."),
            column("closing", TEXT, "What is written behind the body so that it parses; or empty."),
            column("text", TEXT, "What is embedded and indexed: header, opening, body, closing."),
            column("n_chars", pa.int32(), "Characters of the text."),
            column("n_tokens", pa.int32(), "cl100k_base tokens of the text."),
            column("overlap", pa.int32(), "Leading characters of the body that the chunk before holds too."),
            column(
                "oversized", pa.bool_(), "Whether the text is longer than 1.5 times the strategy's limit."
            ),
            column("parses", pa.bool_(), "Whether opening, body and closing together parse in their format."),
            column("metadata", CHUNK_METADATA, "Typed facts about the chunk."),
            column(
                "facts", FACTS, "What a heritage source says of it; null for other sources.", nullable=True
            ),
            column("attributes", ATTRIBUTES, "Metadata defaults of the source.", nullable=True),
            column("text_sha256", pa.string(), "SHA-256 of the text: the key of its vector."),
        ]
    ),
    key=("chunk_id",),
    sort=("path", "ordinal"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
    cut_by="path",
    cut_every=64,
)

SKIPS = Table(
    "skips",
    "Stretches that a strategy left out on purpose.",
    pa.schema(
        [
            REPOSITORY,
            PATH,
            column("content_sha256", pa.string(), "Digest of the file's bytes."),
            column("encoding", pa.string(), "What gave the text of those bytes."),
            column("category", pa.string(), "Role of the file."),
            STRATEGY,
            column("strategy_version", pa.int32(), "Version of the strategy."),
            column("strategy_settings", pa.string(), "Its limit, and whatever else it was set to."),
            column(
                "n_chunks", pa.int32(), "Chunks of the same file; tells a whole set of rows from a torn one."
            ),
            column("start", pa.int64(), "First character."),
            column("end", pa.int64(), "Character after the last."),
            column("reason", pa.string(), "Why it was left out."),
        ]
    ),
    key=("strategy", "repository", "path", "start"),
    sort=("path", "start"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
    committed_with="chunks",
    cut_by="path",
    cut_every=256,
)

VECTORS = Table(
    "vectors",
    "One vector for each distinct text of a strategy's indexed chunks.",
    pa.schema(
        [
            STRATEGY,
            REPOSITORY,
            column("model", pa.string(), "Model, digest and compute class."),
            column("text_sha256", pa.string(), "SHA-256 of what was embedded: prefix, context tag, text."),
            column(
                "n_tokens",
                pa.int32(),
                "Its tokens by the model, special ones included, before the model's limit cuts it; null if "
                "nobody counted.",
                nullable=True,
            ),
            # The list's width is the model's; the writer replaces it (vector_field).
            column("vector", pa.list_(pa.float32()), "Unit-length vector."),
        ]
    ),
    key=("strategy", "repository", "model", "text_sha256"),
    sort=("text_sha256", "model"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
    cut_by="text_sha256",
    cut_every=512,
    in_catalog=False,
)

POSTINGS = Table(
    "postings",
    "Terms of the indexed chunks with their frequencies.",
    pa.schema(
        [
            STRATEGY,
            REPOSITORY,
            column("chunk_id", pa.string(), "Chunk."),
            column("term", pa.string(), "Lower-cased token."),
            column("frequency", pa.int32(), "Occurrences in the chunk's text."),
            column("first", pa.int32(), "Place of its first occurrence among the chunk's tokens, from 0."),
            column("prose", pa.bool_(), "Whether the text was counted in the words of prose, not of code."),
        ]
    ),
    key=("strategy", "repository", "chunk_id", "term"),
    sort=("chunk_id", "term"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
    cut_by="chunk_id",
    cut_every=512,
)

BM25_TERMS = Table(
    "bm25_terms",
    "The eager BM25 index: for each term the chunks that hold it and what it adds to their score.",
    pa.schema(
        [
            STRATEGY,
            column("term", pa.string(), "Lower-cased token."),
            column("chunks", pa.list_(pa.int32()), "Ordinals into bm25_chunks, ascending."),
            column("scores", pa.list_(pa.float64()), "What one occurrence of the term in a query adds."),
        ]
    ),
    key=("strategy", "term"),
    sort=("term",),
    partitioning=Partitioning.STRATEGY,
    in_catalog=False,
)

BM25_CHUNKS = Table(
    "bm25_chunks",
    "The chunks of a BM25 index in the order of its ordinals.",
    pa.schema(
        [
            STRATEGY,
            column("ordinal", pa.int32(), "Place in the index, from 0."),
            column("chunk_id", pa.string(), "Chunk."),
            column("n_terms", pa.int32(), "Tokens of the chunk's text."),
            column("prose", pa.bool_(), "Whether they are the words of prose rather than of code."),
        ]
    ),
    key=("strategy", "ordinal"),
    sort=("ordinal",),
    partitioning=Partitioning.STRATEGY,
    committed_with="bm25_terms",
    in_catalog=False,
)

DENSE_INDEX = Table(
    "dense_index",
    "The vector of every indexed chunk, in the order of chunk ids.",
    pa.schema(
        [
            STRATEGY,
            column("model", pa.string(), "Model, digest and compute class."),
            column("chunk_id", pa.string(), "Chunk."),
            column("context", pa.string(), "Context tag that was embedded before its text; empty if none."),
            column("vector", pa.list_(pa.float32()), "Unit-length vector; the writer fixes the width."),
        ]
    ),
    key=("strategy", "chunk_id"),
    sort=("chunk_id",),
    partitioning=Partitioning.STRATEGY,
    cut_by="chunk_id",
    cut_every=512,
    in_catalog=False,
)
