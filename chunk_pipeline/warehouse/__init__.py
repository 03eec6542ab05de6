"""Tables: their schemas, Parquet files and the DuckDB catalog. Imports nothing of ours."""
