"""The limit that chunks were cut by, as their own table says: a strategy's may have changed since."""

from __future__ import annotations

import re

import pyarrow as pa

_LIMIT = re.compile(r"(?:^|\s)limit=(\d+)(?:\s|$)")


def limit_of(chunks: pa.Table) -> int:
    """The limit in characters that stands in ``strategy_settings`` of a strategy's chunks; 0 if none does."""
    settings = chunks["strategy_settings"][0].as_py() if chunks.num_rows else ""
    found = _LIMIT.search(settings or "")
    return int(found.group(1)) if found else 0
