"""Facts to rows of the ``facts`` column, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunk_pipeline.chunking.facts.facts import Facts, facts_from


def facts_row(facts: Facts) -> dict[str, Any]:
    """Facts as the ``facts`` column holds them; fields of other kinds are null there."""
    row = facts.model_dump()
    if "slots" in row:
        row["slots"] = [{"slot": slot, "value": value} for slot, value in row["slots"]]
    return row


def facts_of(row: Mapping[str, Any]) -> Facts:
    """Facts from the ``facts`` column.

    Raises:
        FactsError: The row holds none.
    """
    values = {name: value for name, value in row.items() if value is not None}
    if "slots" in values:
        values["slots"] = [(each["slot"], each["value"]) for each in values["slots"]]
    return facts_from(values)
