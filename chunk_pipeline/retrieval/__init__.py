"""Chunks to rankings: tokens, BM25, dense search, fusion."""
