"""How long a planned run would take, by the rates that were measured on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chunk_pipeline.stages.planned import Plan
from chunk_pipeline.stages.rates import rates

ROLL_UP = "roll-up"
"""The rate of a whole roll-up, of which there is one or none."""


def estimated_seconds(plan: Plan, cache: Path) -> float | None:
    """Seconds, or ``None`` where there is work of a kind that was never measured."""
    known = rates(cache)
    seconds = 0.0
    for work, amount in _work(plan):
        if not amount:
            continue
        if work not in known:
            return None
        seconds += known[work].seconds_for(amount)
    return seconds


def _work(plan: Plan) -> Iterator[tuple[str, int]]:
    yield "files_read", sum(source.files.read for source in plan.sources)
    for source in plan.sources:
        for each in source.strategies:
            yield f"files_chunked {each.strategy}", each.files_chunked
    yield "tokens_encoded", plan.tokens_encoded
    yield ROLL_UP, int(plan.rolled_up)
