"""Chunk strategies for search corpora: cut, prove, index, keep fresh."""
