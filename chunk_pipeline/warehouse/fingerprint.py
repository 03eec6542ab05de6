"""Fingerprints: a digest of everything that a result depends on.

Two runs with the same fingerprint give the same bytes, so the second need not work. What belongs in one:
content digests of the inputs, the version of the code that reads them, the settings that it heeds. What does
not: clocks, paths of the machine, the order in which things were found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import orjson

Part = str | int | float | bool | None | Sequence["Part"] | Mapping[str, "Part"]


def fingerprint(**parts: Part) -> str:
    """SHA-256 over the named parts, hexadecimal; the order of names does not matter."""
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()
