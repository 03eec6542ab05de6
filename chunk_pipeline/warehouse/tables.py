"""Every table, declared once: what the writer, the catalog, the UI and the docs read."""

from __future__ import annotations

from chunk_pipeline.warehouse.chunk_tables import (
    BM25_CHUNKS,
    BM25_TERMS,
    CHUNKS,
    DENSE_INDEX,
    POSTINGS,
    SKIPS,
    VECTORS,
)
from chunk_pipeline.warehouse.corpus_tables import (
    CONTENTS,
    FILES,
    FILTERED_FILES,
    QUARANTINE,
    RAW_FILES,
    SECRETS,
)
from chunk_pipeline.warehouse.evaluation_tables import (
    COMPARISONS,
    GOLD_QUERIES,
    LANGUAGE_METRICS,
    RANKINGS,
    RETRIEVAL_METRICS,
    STRUCTURE_METRICS,
)
from chunk_pipeline.warehouse.heritage_tables import (
    CHUNK_METADATA_TABLE,
    DUPLICATES,
    GAZETTEER,
    MENTIONS,
    NEAR_DUPLICATES,
)
from chunk_pipeline.warehouse.table import Partitioning, Table, with_dimension

__all__ = [
    "BM25_CHUNKS",
    "BM25_TERMS",
    "CHUNKS",
    "CHUNK_METADATA_TABLE",
    "COMPARISONS",
    "CONTENTS",
    "DENSE_INDEX",
    "DUPLICATES",
    "FILES",
    "FILTERED_FILES",
    "GAZETTEER",
    "GOLD_QUERIES",
    "LANGUAGE_METRICS",
    "MENTIONS",
    "NEAR_DUPLICATES",
    "POSTINGS",
    "QUARANTINE",
    "RANKINGS",
    "RAW_FILES",
    "RETRIEVAL_METRICS",
    "SECRETS",
    "SKIPS",
    "STRUCTURE_METRICS",
    "TABLES",
    "VECTORS",
    "Partitioning",
    "Table",
    "with_dimension",
]

TABLES: tuple[Table, ...] = (
    RAW_FILES,
    FILTERED_FILES,
    FILES,
    CONTENTS,
    QUARANTINE,
    SECRETS,
    CHUNKS,
    SKIPS,
    VECTORS,
    POSTINGS,
    BM25_TERMS,
    BM25_CHUNKS,
    DENSE_INDEX,
    CHUNK_METADATA_TABLE,
    GAZETTEER,
    MENTIONS,
    DUPLICATES,
    NEAR_DUPLICATES,
    GOLD_QUERIES,
    RANKINGS,
    STRUCTURE_METRICS,
    RETRIEVAL_METRICS,
    LANGUAGE_METRICS,
    COMPARISONS,
)
