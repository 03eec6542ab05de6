"""Which files an earlier run has cut already, so that they need not be cut again.

A file is known by its path, content, how that was read, category, attributes and the strategy's version and
settings, and only if its rows in the three tables agree: a run that was killed between writing two of them
must not pass for a whole one. A file that was given up for its time or memory is not known under limits
that have changed since.
What does not belong here: cutting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.isolation.limits import DEFAULT_LIMITS, FileLimits, is_final

Key = tuple[Any, ...]

_FILE = ("content_sha256", "encoding", "category")
_VERSION = ("strategy_version", "strategy_settings")

CHUNK_COLUMNS = ("path", *_FILE, *_VERSION, "attributes")
"""What is looked at of earlier chunks."""
SKIP_COLUMNS = ("path", *_FILE, *_VERSION, "n_chunks")
"""What is looked at of earlier skips."""


@dataclass(slots=True)
class _Rows:
    """What the earlier tables say of one path; of chunks each different key once."""

    n_chunks: int = 0
    chunks: list[Key] = field(default_factory=list)
    skips: list[Key] = field(default_factory=list)
    quarantined: list[Key] = field(default_factory=list)


class Known:
    """The files of an earlier run.

    Args:
        strategy: The strategy; rows of another version or of other settings are unknown.
        chunks: Earlier ``CHUNKS`` of it.
        skips: Earlier ``SKIPS``.
        quarantine: Earlier ``QUARANTINE`` of its stage.
        limits: What a file may cost now.
    """

    def __init__(
        self,
        strategy: Strategy,
        chunks: pa.Table,
        skips: pa.Table,
        quarantine: pa.Table,
        limits: FileLimits = DEFAULT_LIMITS,
    ) -> None:
        self._version = (strategy.version, strategy.settings)
        self._rows: dict[str, _Rows] = defaultdict(_Rows)
        versions: set[Key] = set()
        for count, (path, *key, attributes) in _runs(chunks, CHUNK_COLUMNS):
            versions.add((key[3], key[4]))
            self._rows[path].n_chunks += count
            self._rows[path].chunks.append((*key, tuple(attributes or ())))
        for path, *key in _tuples(skips, SKIP_COLUMNS):
            versions.add((key[3], key[4]))
            self._rows[path].skips.append(tuple(key))
        for path, error, *read in _tuples(quarantine, ("path", "error", "content_sha256", "encoding")):
            self._rows[path].quarantined.append((*read, is_final(error, limits)))
        # A quarantined file has no version of its own: it was made in the run that made the other rows.
        self._one_version = versions == {self._version}

    def __contains__(self, document: Document) -> bool:
        rows = self._rows.get(document.path)
        if rows is None:
            return False
        if rows.quarantined:
            alone = not rows.chunks and not rows.skips
            read = (document.content_sha256, document.encoding, True)
            return alone and self._one_version and rows.quarantined == [read]
        key = (document.content_sha256, document.encoding, document.category, *self._version)
        whole = all(each == (*key, rows.n_chunks) for each in rows.skips)
        return whole and all(each == (*key, document.attributes) for each in rows.chunks)


def _runs(table: pa.Table, columns: tuple[str, ...]) -> Iterable[tuple[int, tuple[Any, ...]]]:
    """(rows, their values) of each stretch of rows with the same values: a file's chunks stand together."""
    if not table.num_rows:
        return ()
    begins = np.zeros(table.num_rows, dtype=np.bool_)
    begins[0] = True
    for name in columns:
        codes = _codes(table[name])
        begins[1:] |= codes[1:] != codes[:-1]
    starts = np.flatnonzero(begins)
    counts = np.diff(np.append(starts, table.num_rows)).tolist()
    return zip(counts, _tuples(table.take(pa.array(starts)), columns), strict=True)


def _codes(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """A number for each row, the same for the same values."""
    if pa.types.is_string(column.type):
        encoded = column.combine_chunks().dictionary_encode()
        return np.asarray(pc.fill_null(encoded.indices, -1), np.int64)
    if column.slice(1).equals(column.slice(0, len(column) - 1)):
        return np.zeros(len(column), np.int64)
    numbers: dict[str, int] = {}
    return np.asarray([numbers.setdefault(repr(each), len(numbers)) for each in column.to_pylist()], np.int64)


def _tuples(table: pa.Table, columns: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    return zip(*(table[name].to_pylist() for name in columns), strict=True)
