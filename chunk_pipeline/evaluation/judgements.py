"""Which chunks answer which gold row, at the level of files and at the level of chunks.

- **File level**: a chunk is relevant to a row when its file is one of the row's files. Coarse: with few files
  a random ranking scores well.
- **Chunk level**: a chunk is relevant to a row when, for one of the row's gold spans, the characters that the
  chunk's spans share with it are at least half of the smaller of the two (the gold span; all the chunk's
  spans together), and at least one character. So a large chunk that holds a small value answers, a small
  piece of a large value answers, and a chunk that clips the edge of one does not.

Relevance is binary at both levels: gold spans answer or do not, and half an answer has no agreed value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from chunk_pipeline.evaluation.intervals import Int, Intervals, overlaps

Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judgements:
    """The gold rows judged against one strategy's chunks.

    Attributes:
        n_rows: Gold rows.
        n_files: Files that hold a chunk or an answer.
        chunk_file: File number of each chunk, shape (chunks,).
        chunk_tokens: Tokens of each chunk, shape (chunks,).
        file_pairs: ``row * n_files + file`` of each relevant file, ascending.
        chunk_pairs: ``row * chunks + chunk`` of each relevant chunk, ascending.
        chunk_spans: The chunks' spans on the line of documents, owned by chunk.
        gold_spans: The gold spans on the same line, owned by row.
    """

    n_rows: int
    n_files: int
    chunk_file: Int
    chunk_tokens: Int
    file_pairs: Int
    chunk_pairs: Int
    chunk_spans: Intervals
    gold_spans: Intervals

    @property
    def n_chunks(self) -> int:
        """Chunks of the strategy."""
        return len(self.chunk_file)

    def relevant_files(self, ranking: Int) -> Bool:
        """Whether each place's chunk lies in a relevant file.

        Args:
            ranking: Chunk numbers in ranked order, -1 where a ranking has ended, shape (rows, depth).
        """
        return self._found(ranking, self.files(ranking), self.n_files, self.file_pairs)

    def relevant_chunks(self, ranking: Int) -> Bool:
        """Whether each place's chunk is itself relevant; shapes as in ``relevant_files``."""
        return self._found(ranking, ranking, self.n_chunks, self.chunk_pairs)

    def files(self, ranking: Int) -> Int:
        """The file number of each place's chunk, -1 where the ranking has ended, shape (rows, depth)."""
        if not self.n_chunks:
            return np.full_like(ranking, -1)
        return np.where(ranking >= 0, self.chunk_file[ranking], -1)

    def n_relevant_files(self) -> Int:
        """Relevant files of each row, shape (rows,)."""
        return np.bincount(self.file_pairs // max(self.n_files, 1), minlength=self.n_rows)

    def n_relevant_chunks(self) -> Int:
        """Relevant chunks of each row, shape (rows,)."""
        return np.bincount(self.chunk_pairs // max(self.n_chunks, 1), minlength=self.n_rows)

    def _found(self, ranking: Int, items: Int, n_items: int, pairs: Int) -> Bool:
        if not len(pairs):
            return np.zeros(ranking.shape, dtype=bool)
        wanted = np.arange(self.n_rows, dtype=np.int64)[:, None] * n_items + items
        place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
        found: Bool = (pairs[place] == wanted) & (ranking >= 0)
        return found


def judge(gold: pa.Table, chunks: pa.Table) -> Judgements:
    """Judge gold rows against one strategy's chunks.

    Args:
        gold: A ``gold_queries`` table; rows keep their order.
        chunks: ``chunks`` of one strategy; chunk numbers are its rows.
    """
    gold_row, gold_span = _flattened(gold["relevant"])
    chunk_of, chunk_span = _flattened(chunks["spans"])
    names, file_of = _file_numbers(
        (pc.struct_field(gold_span, "repository"), pc.struct_field(gold_span, "path")),
        (chunks["repository"], chunks["path"]),
    )
    gold_file, chunk_file = file_of[: len(gold_row)], file_of[len(gold_row) :]
    gold_start, gold_end = _bounds(gold_span)
    chunk_start, chunk_end = _bounds(chunk_span)
    offsets = _line(names, (gold_file, gold_end), (chunk_file[chunk_of], chunk_end))
    gold_at, chunk_at = offsets[gold_file], offsets[chunk_file[chunk_of]]
    gold_spans = Intervals(gold_row, gold_start + gold_at, gold_end + gold_at)
    chunk_spans = Intervals(chunk_of, chunk_start + chunk_at, chunk_end + chunk_at)
    return Judgements(
        n_rows=gold.num_rows,
        n_files=names,
        chunk_file=chunk_file,
        chunk_tokens=np.asarray(chunks["n_tokens"], dtype=np.int64),
        file_pairs=np.unique(gold_row * names + gold_file),
        chunk_pairs=_relevant_pairs(gold_spans, chunk_spans, chunks.num_rows),
        chunk_spans=chunk_spans,
        gold_spans=gold_spans,
    )


def _relevant_pairs(gold: Intervals, chunks: Intervals, n_chunks: int) -> Int:
    """``row * n_chunks + chunk`` of every relevant pair, ascending."""
    span, piece, shared = overlaps(gold, chunks)
    # A chunk may share several stretches with one gold span: they count together.
    pair, inverse = np.unique(span * max(n_chunks, 1) + chunks.owner[piece], return_inverse=True)
    total = np.bincount(inverse, weights=shared, minlength=len(pair))
    span, chunk = pair // max(n_chunks, 1), pair % max(n_chunks, 1)
    smaller = np.minimum((gold.end - gold.start)[span], chunks.lengths(n_chunks)[chunk])
    enough = 2 * total >= smaller
    return np.unique(gold.owner[span[enough]] * n_chunks + chunk[enough])


def _flattened(lists: pa.ChunkedArray) -> tuple[Int, pa.Array]:
    """(row of each item, the items) of a column of lists."""
    column = lists.combine_chunks()
    row = np.asarray(pc.list_parent_indices(column), dtype=np.int64)
    return row, column.flatten()


def _bounds(spans: pa.Array) -> tuple[Int, Int]:
    start = np.asarray(pc.struct_field(spans, "start"), dtype=np.int64)
    return start, np.asarray(pc.struct_field(spans, "end"), dtype=np.int64)


def _file_numbers(*columns: tuple[pa.Array, pa.Array]) -> tuple[int, Int]:
    """(number of distinct files, file number of every row of every pair of columns, one after another)."""
    names = [
        pc.binary_join_element_wise(repository, path, "/", null_handling="replace")
        for repository, path in columns
    ]
    arrays = [name.combine_chunks() if isinstance(name, pa.ChunkedArray) else name for name in names]
    encoded = pa.concat_arrays(arrays).dictionary_encode()
    return len(encoded.dictionary), np.asarray(encoded.indices, dtype=np.int64)


def _line(n_files: int, *ends: tuple[Int, Int]) -> Int:
    """Where each file starts on the line, shape (files,): behind the furthest end of the file before."""
    size = np.zeros(n_files, dtype=np.int64)
    for file, end in ends:
        np.maximum.at(size, file, end)
    return np.cumsum(size + 1) - (size + 1)
