"""The rows of the tables that the chunk viewer needs, by file: those of the sampled files alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.evaluation.viewer_cuts import Row
from chunk_pipeline.evaluation.viewer_sample import Candidate, FileKey

_CHUNK_COLUMNS = (
    "repository",
    "path",
    "category",
    "unit",
    "spans",
    "header",
    "opening",
    "body",
    "closing",
    "n_chars",
    "n_tokens",
    "overlap",
    "parses",
    "metadata",
    "ordinal",
)

Rows = Mapping[FileKey, Sequence[Row]]


def texts_of(files: Iterable[Candidate], contents: pa.Table) -> dict[FileKey, str]:
    """The text of each file."""
    wanted = {(each.repository, each.content_sha256): each.key for each in files}
    digests = pa.array(sorted({digest for _, digest in wanted}), pa.string())
    rows = contents.filter(pc.is_in(contents["content_sha256"], digests)).to_pylist()
    texts = {(row["repository"], row["content_sha256"]): row["text"] for row in rows}
    return {each.key: texts[each.repository, each.content_sha256] for each in files}


def chunk_rows(chunks: pa.Table, files: Iterable[Candidate], known: Strategy | None) -> Rows:
    """Rows of ``chunks`` in order; those of a text strategy held to Markdown where the file is that.

    The report's figures hold them so too: a strategy that knows no format is compared with those that do.
    """
    found = _by_file(chunks.select(_CHUNK_COLUMNS), "ordinal", files)
    if known is None or known.format != "text":
        return found
    return {key: [_held_to_markdown(row) for row in rows] for key, rows in found.items()}


def skip_rows(skips: pa.Table, strategy: str, files: Iterable[Candidate]) -> Rows:
    """Rows of ``skips`` of a strategy, in order."""
    return _by_file(skips.filter(pc.equal(skips["strategy"], strategy)), "start", files)


def refusals(quarantine: pa.Table, strategy: str, files: Iterable[Candidate]) -> Rows:
    """Rows of ``quarantine`` for the files that a strategy could not cut."""
    return _by_file(quarantine.filter(pc.equal(quarantine["stage"], f"chunks_{strategy}")), "error", files)


def _by_file(table: pa.Table, order: str, files: Iterable[Candidate]) -> Rows:
    wanted = {each.key for each in files}
    near = table.filter(pc.is_in(table["path"], pa.array(sorted({path for _, path in wanted}), pa.string())))
    rows = near.sort_by([(name, "ascending") for name in ("repository", "path", order)]).to_pylist()
    grouped = groupby(rows, key=lambda row: (row["repository"], row["path"]))
    return {key: list(of_file) for key, of_file in grouped if key in wanted}


def _held_to_markdown(row: Row) -> Row:
    if row["category"] != "markdown":
        return row
    passage = row["opening"] + row["body"] + row["closing"]
    return {**row, "parses": parses("markdown", passage)}
