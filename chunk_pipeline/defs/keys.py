"""Names of assets, groups and pools, as constants: asset objects are never imported across modules."""

from __future__ import annotations

import dagster as dg

RAW_FILES = dg.AssetKey("raw_files")
FILTERED_FILES = dg.AssetKey("filtered_files")
LABELLED_FILES = dg.AssetKey("labelled_files")
GOLD_QUERIES = dg.AssetKey("gold_queries")
GAZETTEER = dg.AssetKey("gazetteer")
DUPLICATES = dg.AssetKey("duplicates")
QUERY_EMBEDDINGS = dg.AssetKey("query_embeddings")
REPORTS = dg.AssetKey("reports")
CATALOG = dg.AssetKey("catalog")

GROUPS = ("corpus", "chunks", "embeddings", "heritage", "indexes", "evaluation", "catalog")

NETWORK_POOL = "network"
ENCODER_POOL = "encoder"
CATALOG_POOL = "catalog"

PARTITION_TAG = "dagster/partition"
"""Tag that Dagster gives to the runs of one partition."""

SNAPSHOT = "snapshot"
"""Metadata of ``raw_files``: what was scanned."""

OWNERS = ["team:corpus-maintainers"]


def chunks(strategy: str) -> dg.AssetKey:
    """Key of a strategy's chunks."""
    return dg.AssetKey(f"chunks_{strategy}")


def embeddings(strategy: str) -> dg.AssetKey:
    """Key of a strategy's vectors."""
    return dg.AssetKey(f"embeddings_{strategy}")


def postings(strategy: str) -> dg.AssetKey:
    """Key of a strategy's postings."""
    return dg.AssetKey(f"postings_{strategy}")


def mentions(strategy: str) -> dg.AssetKey:
    """Key of the entities that a strategy's chunks mention."""
    return dg.AssetKey(f"mentions_{strategy}")


def chunk_metadata(strategy: str) -> dg.AssetKey:
    """Key of what is known of a strategy's chunks."""
    return dg.AssetKey(f"chunk_metadata_{strategy}")


def dense_index(strategy: str) -> dg.AssetKey:
    """Key of a strategy's dense index."""
    return dg.AssetKey(f"dense_index_{strategy}")


def bm25_index(strategy: str) -> dg.AssetKey:
    """Key of a strategy's BM25 index."""
    return dg.AssetKey(f"bm25_index_{strategy}")


def rankings(strategy: str) -> dg.AssetKey:
    """Key of a strategy's rankings."""
    return dg.AssetKey(f"rankings_{strategy}")
