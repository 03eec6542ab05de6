"""Vectors between Arrow and numpy, without copying them through Python objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def to_arrow(vectors: Vectors) -> pa.FixedSizeListArray:
    """A matrix of shape (n, d) as a column of n lists of d float32; it shares the matrix's memory."""
    n, dimension = vectors.shape
    flat = pa.array(np.ascontiguousarray(vectors).reshape(n * dimension))
    return pa.FixedSizeListArray.from_arrays(flat, dimension)


def to_numpy(column: Any, dimension: int) -> Vectors:
    """A column of lists of float32 as a matrix of shape (n, d), read-only where it shares Arrow's memory.

    Args:
        column: An array or chunked array of lists.
        dimension: Width of every list.

    Raises:
        ValueError: A list has another width, or is null.
    """
    wanted = pa.list_(pa.float32(), dimension)
    if column.type != wanted:
        try:
            column = column.cast(wanted)
        except pa.ArrowInvalid as error:
            raise ValueError(
                f"vectors are {column.type}, not lists of {dimension} float32: {error}"
            ) from error
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if column.null_count:
        raise ValueError(f"{column.null_count} vectors are null; encode the texts again")
    flat: Vectors = column.flatten().to_numpy(zero_copy_only=True)
    return flat.reshape(len(column), dimension)
