"""Vectors and postings, one asset each a strategy."""
