"""Checks on the pipeline itself."""
