"""Every table, declared once: the Arrow schema, a description per column, the key and the sort order.

The UI, the catalog, the docs and the Parquet writer all read these declarations. What does not belong here:
how a table is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pyarrow as pa


class Partitioning(StrEnum):
    """How a table is laid out in files."""

    WHOLE = "whole"
    REPOSITORY = "repository"
    STRATEGY = "strategy"
    STRATEGY_REPOSITORY = "strategy_repository"
    STAGE_REPOSITORY = "stage_repository"


@dataclass(frozen=True, slots=True)
class Table:
    """A table's declaration.

    Attributes:
        name: Folder in the warehouse and name in the catalog.
        description: One sentence for people.
        schema: Arrow schema; each field's metadata holds its description.
        key: Columns that identify a row over the whole table.
        sort: Columns that rows are sorted by inside a file.
        partitioning: How it is laid out in files.
        in_catalog: Whether the DuckDB catalog holds it.
    """

    name: str
    description: str
    schema: pa.Schema
    key: tuple[str, ...]
    sort: tuple[str, ...]
    partitioning: Partitioning
    in_catalog: bool = True

    def describe(self, column: str) -> str:
        """The description of a column."""
        return str((self.schema.field(column).metadata or {}).get(b"description", b"").decode())

    def empty(self) -> pa.Table:
        """A table of this schema with no rows."""
        return self.schema.empty_table()


def _column(name: str, kind: pa.DataType, description: str, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata={"description": description})


TEXT = pa.large_string()
SPANS = pa.list_(
    pa.field(
        "item", pa.struct([pa.field("start", pa.int64(), False), pa.field("end", pa.int64(), False)]), False
    )
)
RELEVANT = pa.list_(
    pa.field(
        "item",
        pa.struct(
            [
                pa.field("repository", pa.string(), False),
                pa.field("path", pa.string(), False),
                pa.field("start", pa.int64(), False),
                pa.field("end", pa.int64(), False),
                pa.field("unit", pa.string(), False),
            ]
        ),
        False,
    )
)
CHUNK_METADATA = pa.struct(
    [
        pa.field("language", pa.string()),
        pa.field("component", pa.string()),
        pa.field("fallback", pa.string()),
    ]
)
ATTRIBUTES = pa.map_(pa.string(), pa.string())

_REPOSITORY = _column("repository", pa.string(), "Name of the source; the partition key is its slug.")
_PATH = _column("path", pa.string(), "Path relative to the repository's root.")
_SNAPSHOT = _column("snapshot", pa.string(), "Commit of a git source, content digest of a folder.")
_STRATEGY = _column("strategy", pa.string(), "Name of the chunking strategy.")
_SIZE = _column("size", pa.int64(), "Size in bytes.")

RAW_FILES = Table(
    "raw_files",
    "Every path of a snapshot outside the pruned directories, before any rule has been applied.",
    pa.schema(
        [
            _REPOSITORY,
            _PATH,
            _SIZE,
            _column("kind", pa.string(), "file, symlink, submodule, special or unreadable."),
            _column(
                "object_id", pa.string(), "Git object id, or SHA-256 of a folder's file; empty if not read."
            ),
            _SNAPSHOT,
        ]
    ),
    key=("repository", "path"),
    sort=("path",),
    partitioning=Partitioning.REPOSITORY,
    in_catalog=False,
)

_FILE_COLUMNS = [
    _REPOSITORY,
    _PATH,
    _SIZE,
    _column("object_id", pa.string(), "Git object id, or SHA-256 of a folder's file; empty if not read."),
    _column(
        "content_sha256", pa.string(), "SHA-256 of the bytes; null where they were not read.", nullable=True
    ),
    _column(
        "encoding",
        pa.string(),
        "Encoding that decoded the bytes; null where they were not read.",
        nullable=True,
    ),
    _column("fate", pa.string(), "kept, dropped or quarantined."),
    _column(
        "reason",
        pa.string(),
        "Rule that dropped it or error that quarantined it; null if kept.",
        nullable=True,
    ),
    _column("profile", pa.string(), "Filter profile that decided."),
    _SNAPSHOT,
]

FILTERED_FILES = Table(
    "filtered_files",
    "Every scanned file with exactly one fate and its reason.",
    pa.schema(_FILE_COLUMNS),
    key=("repository", "path"),
    sort=("path",),
    partitioning=Partitioning.REPOSITORY,
    in_catalog=False,
)

FILES = Table(
    "files",
    "Every scanned file with its fate and, where it is kept, its category.",
    pa.schema(
        [
            *_FILE_COLUMNS,
            _column("category", pa.string(), "Role of the file; null unless kept.", nullable=True),
            _column(
                "language",
                pa.string(),
                "Format of the file (json, markdown, …); null unless kept.",
                nullable=True,
            ),
            _column("attributes", ATTRIBUTES, "Metadata defaults of the source.", nullable=True),
        ]
    ),
    key=("repository", "path"),
    sort=("path",),
    partitioning=Partitioning.REPOSITORY,
)

CONTENTS = Table(
    "contents",
    "Decoded text of the kept files, once for each distinct content of a repository.",
    pa.schema(
        [
            _REPOSITORY,
            _column("content_sha256", pa.string(), "SHA-256 of the file's bytes."),
            _column("text", TEXT, "Decoded text, byte order mark removed, line ends as they were."),
        ]
    ),
    key=("repository", "content_sha256"),
    sort=("content_sha256",),
    partitioning=Partitioning.REPOSITORY,
)

QUARANTINE = Table(
    "quarantine",
    "Files that a stage could not read; the run went on without them.",
    pa.schema(
        [
            _REPOSITORY,
            _PATH,
            _column("stage", pa.string(), "Asset that refused the file."),
            _column("error", pa.string(), "Why."),
            _column("first_bytes", pa.string(), "First 64 bytes, escaped."),
            _column("content_sha256", pa.string(), "SHA-256 of the bytes; null if unread.", nullable=True),
        ]
    ),
    key=("repository", "path", "stage"),
    sort=("path",),
    partitioning=Partitioning.STAGE_REPOSITORY,
)

CHUNKS = Table(
    "chunks",
    "Chunks of every strategy, each with the exact spans of its source.",
    pa.schema(
        [
            _column("chunk_id", pa.string(), "Digest of strategy, repository, path, spans, unit and text."),
            _REPOSITORY,
            _PATH,
            _column("content_sha256", pa.string(), "Digest of the file's bytes."),
            _column("category", pa.string(), "Role of the file."),
            _STRATEGY,
            _column("strategy_version", pa.int32(), "Version of the strategy."),
            _column("ordinal", pa.int32(), "Place among the file's chunks, from 0."),
            _column("unit", pa.string(), "Locator in the file: a JSON Pointer for JSON."),
            _column("spans", SPANS, "Stretches [start, end) of the stored text, in characters."),
            _column("start_line", pa.int32(), "First line, from 1."),
            _column("end_line", pa.int32(), "Last line, from 1."),
            _column("header", TEXT, "Context above the body; empty if none."),
            _column("body", TEXT, "Content of the file."),
            _column("text", TEXT, "What is embedded and indexed: header and body."),
            _column("n_chars", pa.int32(), "Characters of the text."),
            _column("n_tokens", pa.int32(), "cl100k_base tokens of the text."),
            _column("overlap", pa.int32(), "Leading characters of the body that the chunk before holds too."),
            _column(
                "oversized", pa.bool_(), "Whether the text is longer than 1.5 times the strategy's limit."
            ),
            _column("parses", pa.bool_(), "Whether the body parses on its own in its format."),
            _column("metadata", CHUNK_METADATA, "Typed facts about the chunk."),
            _column("attributes", ATTRIBUTES, "Metadata defaults of the source.", nullable=True),
            _column("text_sha256", pa.string(), "SHA-256 of the text: the key of its vector."),
        ]
    ),
    key=("chunk_id",),
    sort=("path", "ordinal"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
)

SKIPS = Table(
    "skips",
    "Stretches that a strategy left out on purpose.",
    pa.schema(
        [
            _REPOSITORY,
            _PATH,
            _column("content_sha256", pa.string(), "Digest of the file's bytes."),
            _column("category", pa.string(), "Role of the file."),
            _STRATEGY,
            _column("start", pa.int64(), "First character."),
            _column("end", pa.int64(), "Character after the last."),
            _column("reason", pa.string(), "Why it was left out."),
        ]
    ),
    key=("strategy", "repository", "path", "start"),
    sort=("path", "start"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
)

VECTORS = Table(
    "vectors",
    "One vector for each distinct text of a strategy's indexed chunks.",
    pa.schema(
        [
            _STRATEGY,
            _REPOSITORY,
            _column("model", pa.string(), "Model, digest and compute class."),
            _column("text_sha256", pa.string(), "SHA-256 of the embedded text."),
            # The list's width is the model's; the writer replaces it (vector_field).
            _column("vector", pa.list_(pa.float32()), "Unit-length vector."),
        ]
    ),
    key=("strategy", "repository", "model", "text_sha256"),
    sort=("model", "text_sha256"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
    in_catalog=False,
)

POSTINGS = Table(
    "postings",
    "Terms of the indexed chunks with their frequencies.",
    pa.schema(
        [
            _STRATEGY,
            _REPOSITORY,
            _column("chunk_id", pa.string(), "Chunk."),
            _column("term", pa.string(), "Lower-cased token."),
            _column("frequency", pa.int32(), "Occurrences in the chunk's text."),
            _column("first", pa.int32(), "Place of its first occurrence among the chunk's tokens, from 0."),
        ]
    ),
    key=("strategy", "repository", "chunk_id", "term"),
    sort=("chunk_id", "term"),
    partitioning=Partitioning.STRATEGY_REPOSITORY,
)

BM25_TERMS = Table(
    "bm25_terms",
    "The eager BM25 index: for each term the chunks that hold it and what it adds to their score.",
    pa.schema(
        [
            _STRATEGY,
            _column("term", pa.string(), "Lower-cased token."),
            _column("chunks", pa.list_(pa.int32()), "Ordinals into bm25_chunks, ascending."),
            _column("scores", pa.list_(pa.float64()), "What one occurrence of the term in a query adds."),
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
            _STRATEGY,
            _column("ordinal", pa.int32(), "Place in the index, from 0."),
            _column("chunk_id", pa.string(), "Chunk."),
            _column("n_terms", pa.int32(), "Tokens of the chunk's text."),
        ]
    ),
    key=("strategy", "ordinal"),
    sort=("ordinal",),
    partitioning=Partitioning.STRATEGY,
    in_catalog=False,
)

DENSE_INDEX = Table(
    "dense_index",
    "The vector of every indexed chunk, in the order of chunk ids.",
    pa.schema(
        [
            _STRATEGY,
            _column("model", pa.string(), "Model, digest and compute class."),
            _column("chunk_id", pa.string(), "Chunk."),
            _column("vector", pa.list_(pa.float32()), "Unit-length vector; the writer fixes the width."),
        ]
    ),
    key=("strategy", "chunk_id"),
    sort=("chunk_id",),
    partitioning=Partitioning.STRATEGY,
    in_catalog=False,
)

GOLD_QUERIES = Table(
    "gold_queries",
    "Queries with the spans that answer them, and the route that mined them.",
    pa.schema(
        [
            _column("query_id", pa.string(), "Digest of route, query and the file it was mined from."),
            _column("query", pa.string(), "Words a person would type."),
            _column("route", pa.string(), "How it was mined."),
            _column("repository", pa.string(), "Repository of the file it was mined from."),
            _column("path", pa.string(), "File it was mined from: the cluster for intervals."),
            _column("category", pa.string(), "Category of the files that answer it."),
            _column("relevant", RELEVANT, "Spans that answer it."),
        ]
    ),
    key=("query_id",),
    sort=("route", "repository", "path", "query_id"),
    partitioning=Partitioning.WHOLE,
)

RANKINGS = Table(
    "rankings",
    "Best chunks of each retriever for each distinct query.",
    pa.schema(
        [
            _STRATEGY,
            _column("retriever", pa.string(), "bm25, dense, rrf or convex."),
            _column("query", pa.string(), "Query text; joins gold_queries."),
            _column("rank", pa.int32(), "Place, from 1."),
            _column("chunk_id", pa.string(), "Chunk."),
            _column("score", pa.float64(), "Retriever's score, higher is better."),
        ]
    ),
    key=("strategy", "retriever", "query", "rank"),
    sort=("retriever", "query", "rank"),
    partitioning=Partitioning.STRATEGY,
)

_VERDICT = _column(
    "verdict", pa.string(), "What a person may conclude; null where it is only a figure.", nullable=True
)

STRUCTURE_METRICS = Table(
    "structure_metrics",
    "How a strategy cuts: counts, sizes, integrity, leaf coverage and duplication.",
    pa.schema(
        [
            _STRATEGY,
            _column("category", pa.string(), "Category, or 'all'."),
            _column("metric", pa.string(), "Name of the metric."),
            _column("value", pa.float64(), "Its value.", nullable=True),
            _column("n", pa.int64(), "How many items it is over."),
        ]
    ),
    key=("strategy", "category", "metric"),
    sort=("strategy", "category", "metric"),
    partitioning=Partitioning.WHOLE,
)

RETRIEVAL_METRICS = Table(
    "retrieval_metrics",
    "How well a retriever over a strategy's chunks answers the gold queries.",
    pa.schema(
        [
            _STRATEGY,
            _column("retriever", pa.string(), "bm25, dense, rrf or convex."),
            _column("level", pa.string(), "file or chunk: what must be found."),
            _column("category", pa.string(), "Category of the gold, or 'all'."),
            _column("metric", pa.string(), "hit@K, mrr or ndcg@10."),
            _column("value", pa.float64(), "Mean over the gold rows."),
            _column("low", pa.float64(), "Lower end of the 95% confidence interval."),
            _column("high", pa.float64(), "Upper end of the 95% confidence interval."),
            _column("n", pa.int64(), "Gold rows."),
            _column("n_distinct", pa.int64(), "Distinct queries."),
            _VERDICT,
        ]
    ),
    key=("strategy", "retriever", "level", "category", "metric"),
    sort=("strategy", "retriever", "level", "category", "metric"),
    partitioning=Partitioning.WHOLE,
)

COMPARISONS = Table(
    "comparisons",
    "Pairs of strategies under one retriever, with the difference and whether it is beyond noise.",
    pa.schema(
        [
            _column("left_strategy", pa.string(), "First strategy."),
            _column("left_retriever", pa.string(), "Its retriever."),
            _column("right_strategy", pa.string(), "Second strategy."),
            _column("right_retriever", pa.string(), "Its retriever."),
            _column("level", pa.string(), "file or chunk."),
            _column("category", pa.string(), "Category of the gold, or 'all'."),
            _column("metric", pa.string(), "hit@K, mrr or ndcg@10."),
            _column("difference", pa.float64(), "Right minus left, over distinct queries."),
            _column("low", pa.float64(), "Lower end of its 95% interval, clustered by file."),
            _column("high", pa.float64(), "Upper end."),
            _column("wins", pa.int64(), "Distinct queries where right is better."),
            _column("losses", pa.int64(), "Distinct queries where left is better."),
            _column("ties", pa.int64(), "Distinct queries with no difference."),
            _column("p_value", pa.float64(), "McNemar for hits, sign-flip otherwise."),
            _column("p_adjusted", pa.float64(), "After Holm's correction."),
            _column(
                "minimum_detectable", pa.float64(), "Smallest difference that this many queries could show."
            ),
            _column("n", pa.int64(), "Distinct queries."),
            _column("verdict", pa.string(), "better, worse or not distinguishable."),
        ]
    ),
    key=(
        "left_strategy",
        "left_retriever",
        "right_strategy",
        "right_retriever",
        "level",
        "category",
        "metric",
    ),
    sort=(
        "left_strategy",
        "left_retriever",
        "right_strategy",
        "right_retriever",
        "level",
        "category",
        "metric",
    ),
    partitioning=Partitioning.WHOLE,
)

TABLES: tuple[Table, ...] = (
    RAW_FILES,
    FILTERED_FILES,
    FILES,
    CONTENTS,
    QUARANTINE,
    CHUNKS,
    SKIPS,
    VECTORS,
    POSTINGS,
    BM25_TERMS,
    BM25_CHUNKS,
    DENSE_INDEX,
    GOLD_QUERIES,
    RANKINGS,
    STRUCTURE_METRICS,
    RETRIEVAL_METRICS,
    COMPARISONS,
)


def with_dimension(table: Table, dimension: int) -> pa.Schema:
    """The table's schema with its ``vector`` column as a fixed-size list of that many float32."""
    index = table.schema.get_field_index("vector")
    field = table.schema.field(index).with_type(pa.list_(pa.float32(), dimension))
    return table.schema.set(index, field)
