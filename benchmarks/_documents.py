"""Folders to documents, by the pipeline's own filter and labels: what the benchmarks cut."""

from __future__ import annotations

from pathlib import Path

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.rows import document_of
from chunk_pipeline.corpus.filtering import filter_files, scan
from chunk_pipeline.corpus.folder import open_folder
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.source import Source


def kept_documents(name: str, folder: Path, profile: Profile) -> list[Document]:
    """The files of a folder that the profile keeps, in the order of their paths.

    Args:
        name: Of the source; names in headers begin with it.
        folder: An existing folder.
        profile: Complete, as in ``chunk_pipeline.corpus.profiles``.
    """
    source = Source(name=name, kind="folder", path=folder, profile=profile.name)
    snapshot = open_folder(source, profile)
    filtered = filter_files(scan(source, profile, snapshot), snapshot, source, profile)
    digests, texts = (filtered.contents[column].to_pylist() for column in ("content_sha256", "text"))
    stored = dict(zip(digests, texts, strict=True))
    rows = label_files(filtered.files, source).to_pylist()
    return [document_of(row, stored[row["content_sha256"]]) for row in rows if row["fate"] == "kept"]
