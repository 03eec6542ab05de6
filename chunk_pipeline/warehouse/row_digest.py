"""A digest of rows that depends on their values and types alone.

Not on how Arrow happens to hold them: slices, chunks, offsets that do not begin at zero, what lies under a
null. So rows that were taken over from a stored file and rows that were made anew have the same digest, and a
file that would hold the same rows is not written again.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_Hasher = Any  # hashlib has no public type


def row_digest(rows: pa.Table) -> str:
    """SHA-256 over names, types and values, hexadecimal.

    Args:
        rows: Columns of primitive types, text, binary, and lists, maps and structs of them.

    Raises:
        TypeError: A column is of another type.
    """
    hasher = hashlib.sha256()
    hasher.update(f"{rows.num_rows}".encode())
    for name, column in zip(rows.schema.names, rows.columns, strict=True):
        array = column.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # a column without chunks
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], column.type)
        hasher.update(f"\0{name}\0{array.type}\0".encode())
        _add(hasher, array)
    return hasher.hexdigest()


def _add(hasher: _Hasher, array: pa.Array) -> None:
    kind = array.type
    if array.null_count:
        hasher.update(np.packbits(array.is_valid().to_numpy(zero_copy_only=False)))
    hasher.update(b"\1")
    if pa.types.is_struct(kind):
        for child in array.flatten():
            _add(hasher, child)
    elif pa.types.is_map(kind):
        _add_lengths(hasher, array)
        valid = array.drop_null()
        entries = valid.cast(pa.list_(pa.struct([kind.key_field, kind.item_field]))).flatten()
        for child in entries.flatten():
            _add(hasher, child)
    elif pa.types.is_fixed_size_list(kind):
        _add(hasher, array.drop_null().flatten())
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        _add_lengths(hasher, array)
        _add(hasher, array.flatten())
    elif _is_text(kind):
        _add_text(hasher, array)
    elif pa.types.is_boolean(kind) or pa.types.is_primitive(kind):
        _add_primitive(hasher, array)
    else:
        raise TypeError(f"no digest of values of type {kind}")


def _add_lengths(hasher: _Hasher, array: pa.Array) -> None:
    if pa.types.is_map(array.type):
        lengths = np.diff(array.offsets.to_numpy())[np.asarray(array.is_valid())]
    else:
        lengths = pc.list_value_length(array.drop_null()).to_numpy(zero_copy_only=False)
    hasher.update(np.ascontiguousarray(lengths, dtype=np.int64))


def _is_text(kind: pa.DataType) -> bool:
    checks = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_binary,
        pa.types.is_large_binary,
    )
    return any(check(kind) for check in checks)


def _add_text(hasher: _Hasher, array: pa.Array) -> None:
    values = array.drop_null() if array.null_count else array
    if len(values) == 0:
        return
    wide = pa.types.is_large_string(values.type) or pa.types.is_large_binary(values.type)
    width = np.dtype(np.int64 if wide else np.int32)
    _, offset_buffer, data = values.buffers()
    offsets = np.frombuffer(offset_buffer, dtype=width)[values.offset : values.offset + len(values) + 1]
    hasher.update(np.diff(offsets).astype(np.int64))
    if data is not None:
        hasher.update(memoryview(data)[int(offsets[0]) : int(offsets[-1])])


def _add_primitive(hasher: _Hasher, array: pa.Array) -> None:
    values = array.drop_null() if array.null_count else array
    hasher.update(np.ascontiguousarray(values.to_numpy(zero_copy_only=False)))
