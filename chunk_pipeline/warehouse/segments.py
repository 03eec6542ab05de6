"""Segments: a partition as several files, so that an edit rewrites a few and not all.

Where a segment begins is decided by the rows themselves: at a value of the table's cutting column whose
checksum is divisible by how many values a segment is to have on average. So the segments are a function of
the rows, whatever was stored before, and an edit moves no boundary but those at the rows that it touches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.warehouse.table import Table


def segments(table: Table, rows: pa.Table) -> Iterator[pa.Table]:
    """The rows in segments, in order; rows of one value of the cutting column stay together.

    Args:
        table: Says by which column and how finely.
        rows: Sorted so that equal values of that column stand together.

    Yields:
        At least one table, which is empty where there are no rows.
    """
    starts = _starts(table, rows) if table.cut_by and rows.num_rows else [0]
    for start, end in pairwise([*starts, rows.num_rows]):
        yield rows.slice(start, end - start)


def _starts(table: Table, rows: pa.Table) -> list[int]:
    column = rows[table.cut_by].combine_chunks()
    runs = pc.run_end_encode(column) if len(column) else None
    if runs is None:
        return [0]
    ends = runs.run_ends.to_numpy()
    firsts = np.concatenate(([0], ends[:-1]))
    cut = [crc32(value.encode()) % table.cut_every == 0 for value in runs.values.to_pylist()]
    return [0, *(int(first) for first, at in zip(firsts, cut, strict=True) if at and first)]
