"""One module a command of ``chunk-pipeline``; assembled in chunk_pipeline.cli."""
