"""The DuckDB catalog."""
