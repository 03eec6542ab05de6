"""A report whose every text that a source can choose tries to act: for browsers and for Markdown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from chunk_pipeline.evaluation.report import Report
from tests.evaluation.test_report import report

RTL = "שלום"
"""Ordinary words that run from right to left: they stay as they are and must turn nothing else around."""

HOSTILE = (
    f"{RTL} \"'`><img src=http://x.example/a.png onerror=window.pwned=1><script>window.pwned=1</script>"
    "</td></table></style><svg/onload=window.pwned=1>![i](http://x.example/i.png) [l](javascript:pwned) "
    "<http://x.example/> http://x.example/q?a=1|b www.x.example me@x.example {{7*7}} ${pwned} $x$ ~~s~~ "
    "\x1b[31m\x07 \u202egnp.exe\u2066 \u200b --> <!-- | `c` ``` # h\n# heading\n- item"
)

_CHOSEN = frozenset(
    {"repository", "path", "query", "route", "unit", "error", "reason", "stage", "first_bytes"}
)
_CHOSEN_TOO = frozenset({"strategy", "left_strategy", "right_strategy", "category"})
_OURS = frozenset({"all"})
"""Values that the report itself looks for."""


def hostile_report() -> Report:
    """The report of other tests with every such text made hostile, each in the same way everywhere."""
    made = report()
    tables: dict[str, Any] = {
        name: _hostile(getattr(made, name))
        for name in ("gold", "retrieval", "comparisons", "structure", "quarantine", "skips", "languages")
    }
    return replace(made, notes=((f"Snapshot of {HOSTILE}", HOSTILE),), **tables)


def _hostile(table: pa.Table) -> pa.Table:
    return pa.Table.from_pylist([_made(row) for row in table.to_pylist()], schema=table.schema)


def _made(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _made(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_made(item, name) for item in value]
    if isinstance(value, str) and name in _CHOSEN | _CHOSEN_TOO and value not in _OURS:
        return f"{value} {HOSTILE}"
    return value
