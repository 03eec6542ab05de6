"""``python -m chunk_pipeline`` is ``chunk-pipeline``."""

from chunk_pipeline.cli import main

if __name__ == "__main__":
    main()
