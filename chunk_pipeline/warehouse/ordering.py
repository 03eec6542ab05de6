"""The order of rows: whether they stand in it, and putting them there.

Most rows that a stage gives are in order already, and looking is much cheaper than sorting, which moves every
text and vector.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc


def ordered(rows: pa.Table, columns: Sequence[str]) -> pa.Table:
    """The rows, ascending by the columns, the first one first; nulls last."""
    if not columns or is_ordered(rows, columns):
        return rows
    return rows.sort_by([(name, "ascending") for name in columns])


def is_ordered(rows: pa.Table, columns: Sequence[str]) -> bool:
    """Whether the rows ascend by the columns; where one of those holds nulls the answer is no."""
    if rows.num_rows < 2:
        return True
    tied: pa.ChunkedArray | None = None
    for name in columns:
        column = rows[name]
        if column.null_count:
            return False
        column = column.combine_chunks()
        before, after = column[:-1], column[1:]
        wrong = pc.greater(before, after)
        if tied is not None:
            wrong = pc.and_(wrong, tied)
        if pc.any(wrong).as_py():
            return False
        equal = pc.equal(before, after)
        tied = equal if tied is None else pc.and_(tied, equal)
        if not pc.any(tied).as_py():
            return True
    return True
