"""A repository's files cut by one strategy, as tables; what was cut before is taken over.

The result is the one that a run from scratch gives, row for row. A file that cannot be cut is quarantined
and the others go on. What does not belong here: where tables are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.cutter import Cutter
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.reuse import Known
from chunk_pipeline.chunking.rows import Row, document_of, quarantine_row
from chunk_pipeline.chunking.tokens import count_tokens
from chunk_pipeline.isolation.limits import FileLimits, OverLimitError
from chunk_pipeline.isolation.process import Isolated
from chunk_pipeline.warehouse.ordering import ordered
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, QUARANTINE, SKIPS, Table

Texts = Callable[[Collection[str]], pa.Table]
"""Rows of ``CONTENTS`` (digest, text, structure) of the contents with some digests."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """A repository's chunks by one strategy.

    Attributes:
        chunks: Rows of ``CHUNKS`` by path and ordinal.
        skips: Rows of ``SKIPS`` by path and start.
        quarantine: Rows of ``QUARANTINE`` of the stage ``chunks_<strategy>`` by path.
        n_files_chunked: Files that were cut.
        n_files_reused: Files whose rows were taken over.
        n_files_isolated: Of the files that were cut, those that had a process of their own.
    """

    chunks: pa.Table
    skips: pa.Table
    quarantine: pa.Table
    n_files_chunked: int = 0
    n_files_reused: int = 0
    n_files_isolated: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """What was cut anew of a repository.

    Attributes:
        chunked: The rows of the files that were cut; of those that stayed there are none.
        reused: Paths of the files whose earlier rows stay.
    """

    chunked: Chunked
    reused: tuple[str, ...]

    def merged(self, earlier: Chunked) -> Chunked:
        """All rows, those of files that stayed taken over."""
        new = self.chunked
        return replace(
            new,
            chunks=_merged(CHUNKS, earlier.chunks, self.reused, new.chunks),
            skips=_merged(SKIPS, earlier.skips, self.reused, new.skips),
            quarantine=self.merged_quarantine(earlier.quarantine),
        )

    def merged_quarantine(self, earlier: pa.Table) -> pa.Table:
        """The quarantine, with the earlier rows of files that stayed."""
        return _merged(QUARANTINE, earlier, self.reused, self.chunked.quarantine)


def chunk_repository(
    strategy: Strategy,
    files: pa.Table,
    contents: pa.Table,
    previous: Chunked | None = None,
    progress: Callable[[int, int], None] | None = None,
    isolated: Isolated | None = None,
) -> Chunked:
    """Cut the kept files of the strategy's categories.

    Args:
        strategy: How to cut.
        files: As ``cut_changed``.
        contents: Rows of ``CONTENTS`` with the texts of those files.
        previous: What an earlier run of this strategy on this repository gave.
        progress: As ``cut_changed``.
        isolated: As ``cut_changed``.

    Returns:
        Chunks, skips and quarantine, the same whatever ``previous`` holds.

    Raises:
        ValueError: A kept file has no text in ``contents``.
    """
    cut = cut_changed(strategy, files, lambda _: contents, previous, progress, isolated)
    return cut.merged(previous or Chunked(CHUNKS.empty(), SKIPS.empty(), QUARANTINE.empty()))


def cut_changed(
    strategy: Strategy,
    files: pa.Table,
    texts_of: Texts,
    previous: Chunked | None = None,
    progress: Callable[[int, int], None] | None = None,
    isolated: Isolated | None = None,
) -> Cut:
    """Cut the kept files of the strategy's categories that were not cut before.

    Args:
        strategy: How to cut.
        files: Rows of ``FILES`` of one repository; those not kept, or of categories and
            formats that the strategy does not take, are passed over.
        texts_of: Asked for the texts of the files that are cut, once.
        previous: What an earlier run of this strategy on this repository gave; of chunks and skips the
            columns of ``reuse.CHUNK_COLUMNS`` and ``SKIP_COLUMNS`` are enough.
        progress: Told (files done, files in all) after each file.
        isolated: Where files are cut that are large or deep (``unusual``), and what one may cost there; a
            process for this call alone, with the default limits, unless given.

    Raises:
        ValueError: A kept file has no text.
    """
    wanted = _wanted(strategy, files)
    isolated = isolated or Isolated()
    cutter = Cutter(strategy, isolated)
    known = _known(strategy, previous, isolated.limits) if previous else ()
    documents = [document_of(row, "") for row in wanted]
    reused = [each.path for each in documents if each in known]
    stays = set(reused)
    left = [row for row, document in zip(wanted, documents, strict=True) if document.path not in stays]
    texts = _Texts(texts_of({row["content_sha256"] for row in left}) if left else CONTENTS.empty())
    chunks: list[Row] = []
    skips: list[Row] = []
    quarantine: list[Row] = []
    for done, row in enumerate(left, len(reused) + 1):
        document = document_of(row, *texts.of(document_of(row, "")))
        _cut(cutter, strategy, document, chunks, skips, quarantine)
        if progress:
            progress(done, len(wanted))
    for row, count in zip(chunks, count_tokens([row["text"] for row in chunks]), strict=True):
        row["n_tokens"] = count
    new = Chunked(
        _table(CHUNKS, chunks),
        _table(SKIPS, skips),
        _table(QUARANTINE, quarantine),
        len(left),
        len(reused),
        cutter.n_isolated,
    )
    return Cut(new, tuple(reused))


def _table(table: Table, rows: list[Row]) -> pa.Table:
    return ordered(pa.Table.from_pylist(rows, schema=table.schema), table.sort)


def _known(strategy: Strategy, previous: Chunked, limits: FileLimits) -> Known:
    return Known(strategy, previous.chunks, previous.skips, previous.quarantine, limits)


def _wanted(strategy: Strategy, files: pa.Table) -> list[Row]:
    columns = [
        "repository",
        "path",
        "fate",
        "category",
        "language",
        "encoding",
        "content_sha256",
        "attributes",
    ]
    return [
        row
        for row in files.select(columns).to_pylist()
        if row["fate"] == "kept" and strategy.takes(row["category"], row["language"])
    ]


def _cut(
    cutter: Cutter,
    strategy: Strategy,
    document: Document,
    chunks: list[Row],
    skips: list[Row],
    quarantine: list[Row],
) -> None:
    """Cut one document into rows; whatever is wrong with it stops nothing but itself."""
    try:
        new_chunks, new_skips = cutter.rows(document)
    except (UnparsableError, OverLimitError) as error:
        quarantine.append(quarantine_row(strategy, document, error, expected=True))
    except MemoryError:
        raise  # Nothing that is done next would be sure to succeed.
    except BaseException as error:
        # A parser in Rust that panics raises what is no Exception; nor is what interrupts a run.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        quarantine.append(quarantine_row(strategy, document, error, expected=False))
    else:
        chunks += new_chunks
        skips += new_skips


def _merged(table: Table, old: pa.Table, reused: Sequence[str], new: pa.Table) -> pa.Table:
    """Rows taken over and new rows in the table's order."""
    kept = old.filter(pc.is_in(old["path"], pa.array(reused, pa.string()))).select(table.schema.names)
    merged = pa.concat_tables([kept.cast(table.schema), new])
    return ordered(merged, table.sort).combine_chunks()


class _Texts:
    """Texts by digest, taken out of the table one at a time."""

    def __init__(self, contents: pa.Table) -> None:
        self._columns = (contents["text"], contents["structure"])
        self._index = {sha256: index for index, sha256 in enumerate(contents["content_sha256"].to_pylist())}

    def of(self, document: Document) -> tuple[str, str]:
        """The document's text and structure."""
        index = self._index.get(document.content_sha256)
        if index is None:
            raise ValueError(
                f"{document.name}: contents has no text {document.content_sha256}; make that table again"
            )
        text, structure = (str(column[index].as_py()) for column in self._columns)
        return text, structure
