"""Registries in CSV: one row, one chunk."""
