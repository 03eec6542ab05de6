"""What the UI says of an asset: what it is, where it is from, and how to make it when there is nothing yet.

The docstrings of strategies are for people who read code; an asset page needs what a newcomer asks first.
"""

from __future__ import annotations

from chunk_pipeline.chunking.registry import Strategy

PER_REPOSITORY = (
    "One partition for each source of the sources file. Job **ingest** makes it with the rest of the chain: "
    "open the job, press *Materialize all*, choose *All* partitions, launch."
)
OVER_ALL = (
    "Over all repositories together. Job **evaluate** makes it; `rollup_sensor` starts that job by itself "
    "when an ingestion has ended."
)


def per_repository(text: str) -> str:
    """The description of an asset that is partitioned by repository."""
    return f"{text}\n\n{PER_REPOSITORY}"


def over_all(text: str) -> str:
    """The description of an asset over all repositories."""
    return f"{text}\n\n{OVER_ALL}"


def chunks_of(strategy: Strategy) -> str:
    """The description of a strategy's chunks."""
    parts = strategy.name, strategy.version, strategy.limit
    promise = " Every chunk parses on its own; a blocking check holds it to that."
    return per_repository(
        f"{strategy.summary}\n\nStrategy `{{}}`, version {{}}: chunks of about {{:,}} characters.".format(
            *parts
        )
        + (promise if strategy.promises_integrity else "")
        + f"\n\nCategories that it cuts: {', '.join(f'`{name}`' for name in sorted(strategy.categories))}."
    )
