"""Findings: what was checked, the figure, and the ten worst rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

WORST = 10

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked.

    Attributes:
        name: What was checked, as a statement.
        passed: Whether it holds.
        figure: What was measured: a share, or a count.
        of: Over how many items.
        worst: Up to ten rows that break it, with file and span.
    """

    name: str
    passed: bool
    figure: float
    of: int
    worst: tuple[Row, ...] = ()


def quarantined(name: str, rows: pa.Table) -> Finding:
    """The finding that no file was quarantined."""
    worst = rows.select(["path", "error", "first_bytes"]).slice(0, WORST).to_pylist()
    return Finding(name, rows.num_rows == 0, rows.num_rows, rows.num_rows, tuple(worst))


def secrets_found(name: str, rows: pa.Table) -> Finding:
    """The finding that nothing looks like a credential; where, never which."""
    columns = ["path", "line", "kind", "action", "found"]
    worst = rows.select(columns).slice(0, WORST).to_pylist()
    files = len(set(rows["path"].to_pylist()))
    return Finding(name, rows.num_rows == 0, sum(rows["found"].to_pylist()), files, tuple(worst))
