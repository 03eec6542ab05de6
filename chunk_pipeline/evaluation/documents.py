"""Kept files and their contents as documents: from the tables to the words of chunking."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.rows import document_of

_COLUMNS = ["repository", "path", "content_sha256", "category", "language", "encoding", "attributes"]


def documents_of(files: pa.Table, contents: pa.Table) -> Iterator[Document]:
    """The kept files as documents, in the order of ``files``.

    Args:
        files: A ``files`` table of one repository or of several.
        contents: The ``contents`` of the same repositories.

    Raises:
        ValueError: A kept file has no content; the tables are of different runs.
    """
    kept = files.filter(pc.equal(files["fate"], "kept"))
    columns = (contents[name].to_pylist() for name in ("repository", "content_sha256", "text", "structure"))
    texts = {(repository, digest): read for repository, digest, *read in zip(*columns, strict=True)}
    for row in kept.select(_COLUMNS).to_pylist():
        read = texts.get((row["repository"], row["content_sha256"]))
        if read is None:
            raise ValueError(
                f"{row['repository']}/{row['path']}: kept, but its content is not in the contents table; "
                "materialise filtered_files of this repository again"
            )
        yield document_of(row, *read)
