"""Patches: a partition in which the rows of some keys are replaced, reading and writing only where those lie.

A key is a value of the column that the table's files are cut by, which is also the first that its rows are
sorted by. The files that come out are those of the whole partition written anew (tests/warehouse/
test_patching.py): a boundary between files follows from the keys alone, so it moves only where a key at a
boundary comes or goes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

import pyarrow as pa
import pyarrow.compute as pc
from upath import UPath

from chunk_pipeline.warehouse.manifest import DataFile
from chunk_pipeline.warehouse.ordering import ordered
from chunk_pipeline.warehouse.parquet_files import read_rows, write_rows
from chunk_pipeline.warehouse.segments import segments
from chunk_pipeline.warehouse.table import Table, joined


def patched(
    table: Table, folder: UPath, files: Sequence[DataFile], rows: pa.Table, replaces: Collection[str]
) -> list[DataFile]:
    """The files of a partition after a patch.

    Args:
        table: Its declaration; its files are cut by a column.
        folder: Where its files lie.
        files: The present ones.
        rows: Rows of their declared types and in order, all of replaced keys.
        replaces: Keys whose present rows go.

    Raises:
        ValueError: Rows are of a key that is not replaced.
        DamagedTableError: A file that has to be changed does not read back.
        OSError: The disk refused.
    """
    keys = pa.array(sorted(replaces), pa.string())
    column = rows[table.cut_by]
    if not pc.all(pc.is_in(column, value_set=keys), min_count=0).as_py():
        raise ValueError(f"{table.name}: a patch has rows of keys that it does not replace")
    touched = touched_files(files, replaces)
    known = {file.content: file for file in files}
    after: list[DataFile] = []
    for is_touched, group in groupby(range(len(files)), key=touched.__contains__):
        places = list(group)
        if not is_touched:
            after += [files[place] for place in places]
            continue
        end = files[places[-1] + 1].first if places[-1] + 1 < len(files) else None
        new = _within(rows, table.cut_by, files[places[0]].first if places[0] else None, end)
        kept = [_without(read_rows(folder, files[place]), table.cut_by, keys) for place in places]
        filled = [part for part in (*kept, new) if part.num_rows] or [new]
        merged = ordered(joined(filled), table.sort).combine_chunks()
        if merged.num_rows or len(places) == len(files):
            after += [write_rows(folder, table, part, known) for part in segments(table, merged)]
    return after or [write_rows(folder, table, rows.slice(0, 0), known)]


def touched_files(files: Sequence[DataFile], keys: Collection[str]) -> set[int]:
    """The places of the files in which rows of some keys lie or would lie.

    A key at which a file begins may go, and the file be joined to the one before: so both are touched.
    """
    firsts = [file.first for file in files]
    places: set[int] = set()
    for key in keys:
        place = max(bisect_right(firsts, key) - 1, 0)
        places.add(place)
        if place and firsts[place] == key:
            places.add(place - 1)
    return places


def read_keys(
    table: Table, folder: UPath, files: Sequence[DataFile], keys: Collection[str], columns: Sequence[str]
) -> Iterator[pa.Table]:
    """The rows of some keys, file by file; only files that can hold them are read."""
    wanted = pa.array(sorted(keys), pa.string())
    for place in sorted(touched_files(files, keys)):
        rows = read_rows(folder, files[place], columns)
        yield rows.filter(pc.is_in(rows[table.cut_by], value_set=wanted))


def _within(rows: pa.Table, column: str, start: str | None, end: str | None) -> pa.Table:
    """The rows whose key lies in ``[start, end)``."""
    inside = pa.repeat(True, rows.num_rows)
    if start is not None:
        inside = pc.and_(inside, pc.greater_equal(rows[column], start))
    if end is not None:
        inside = pc.and_(inside, pc.less(rows[column], end))
    return rows.filter(inside)


def _without(rows: pa.Table, column: str, keys: pa.Array) -> pa.Table:
    return rows.filter(pc.invert(pc.is_in(rows[column], value_set=keys)))
