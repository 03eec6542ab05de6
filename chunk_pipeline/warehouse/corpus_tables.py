"""Tables of what was read from the sources."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.warehouse.table import (
    ATTRIBUTES,
    PATH,
    REPOSITORY,
    SIZE,
    SNAPSHOT,
    TEXT,
    Partitioning,
    Table,
    column,
)

RAW_FILES = Table(
    "raw_files",
    "Every path of a snapshot outside the pruned directories, before any rule has been applied.",
    pa.schema(
        [
            REPOSITORY,
            PATH,
            SIZE,
            column("kind", pa.string(), "file, symlink, submodule, special or unreadable."),
            column(
                "object_id", pa.string(), "Git object id, or SHA-256 of a folder's file; empty if not read."
            ),
            SNAPSHOT,
        ]
    ),
    key=("repository", "path"),
    sort=("path",),
    partitioning=Partitioning.REPOSITORY,
    in_catalog=False,
)

_FILE_COLUMNS = [
    REPOSITORY,
    PATH,
    SIZE,
    column("object_id", pa.string(), "Git object id, or SHA-256 of a folder's file; empty if not read."),
    column(
        "content_sha256",
        pa.string(),
        "SHA-256 of the bytes, or of the text without its secrets; null where they were not read, or "
        "the file was dropped for a secret.",
        nullable=True,
    ),
    column(
        "encoding",
        pa.string(),
        "Encoding that decoded the bytes; null where they were not read.",
        nullable=True,
    ),
    column("fate", pa.string(), "kept, dropped or quarantined."),
    column(
        "reason",
        pa.string(),
        "Rule that dropped it or error that quarantined it; null if kept.",
        nullable=True,
    ),
    column("profile", pa.string(), "Filter profile that decided."),
    SNAPSHOT,
]

FILTERED_FILES = Table(
    "filtered_files",
    "Every scanned file with exactly one fate and its reason.",
    pa.schema(_FILE_COLUMNS),
    key=("repository", "path"),
    sort=("path",),
    partitioning=Partitioning.REPOSITORY,
    in_catalog=False,
)

FILES = Table(
    "files",
    "Every scanned file with its fate and, where it is kept, its category.",
    pa.schema(
        [
            *_FILE_COLUMNS,
            column("category", pa.string(), "Role of the file; null unless kept.", nullable=True),
            column(
                "language",
                pa.string(),
                "Format of the file (json, markdown, …); null unless kept.",
                nullable=True,
            ),
            column("attributes", ATTRIBUTES, "Metadata defaults of the source.", nullable=True),
        ]
    ),
    key=("repository", "path"),
    sort=("path",),
    partitioning=Partitioning.REPOSITORY,
)

CONTENTS = Table(
    "contents",
    "Decoded text of the kept files, once for each distinct content of a repository.",
    pa.schema(
        [
            REPOSITORY,
            column(
                "content_sha256", pa.string(), "SHA-256 of the file's bytes, or of its text without secrets."
            ),
            column(
                "text",
                TEXT,
                "Decoded text, byte order mark removed, line ends as they were, secrets replaced; of DOCX "
                "and PDF the text that they were converted to.",
            ),
            column("structure", TEXT, "What DOCX and PDF were converted to, as Docling's JSON; else empty."),
        ]
    ),
    key=("repository", "content_sha256"),
    sort=("content_sha256",),
    partitioning=Partitioning.REPOSITORY,
    committed_with="filtered_files",
    cut_by="content_sha256",
    cut_every=64,
)

QUARANTINE = Table(
    "quarantine",
    "Files that a stage could not read; the run went on without them.",
    pa.schema(
        [
            REPOSITORY,
            PATH,
            column("stage", pa.string(), "Asset that refused the file."),
            column("error", pa.string(), "Why."),
            column(
                "first_bytes", pa.string(), "First 64 bytes, escaped; none of a file that holds a secret."
            ),
            column(
                "content_sha256", pa.string(), "SHA-256; null if unread, or with a secret.", nullable=True
            ),
            column("encoding", pa.string(), "What gave the text; null if none was had.", nullable=True),
        ]
    ),
    key=("repository", "path", "stage"),
    sort=("path",),
    partitioning=Partitioning.STAGE_REPOSITORY,
)

SECRETS = Table(
    "secrets",
    "What looks like a credential in the files that are read: where, and what was done; never its value.",
    pa.schema(
        [
            REPOSITORY,
            PATH,
            column(
                "line",
                pa.int64(),
                "Line of the file as it was read, from 1; 0 where the whole file is meant.",
            ),
            column("kind", pa.string(), "github_token, password, environment_file, …"),
            column("detector", pa.string(), "What found it: a plugin of detect-secrets, or a rule of ours."),
            column("action", pa.string(), "dropped (the file), redacted or flagged."),
            column("found", pa.int64(), "How many of that kind in that line."),
        ]
    ),
    key=("repository", "path", "line", "kind", "detector"),
    sort=("path", "line"),
    partitioning=Partitioning.REPOSITORY,
    committed_with="filtered_files",
)
