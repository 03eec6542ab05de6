"""Verdicts on files: as tables, and back from the tables of an earlier run so that work is not done twice.

How a verdict comes about does not belong here (``filtering``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.corpus.secrets.treatment import Note
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.warehouse.tables import CONTENTS, FILTERED_FILES, QUARANTINE, SECRETS

STAGE = "filtered_files"
"""Name of this stage in the quarantine."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """The outcome of filtering a source.

    Attributes:
        files: ``FILTERED_FILES``: every scanned path, sorted. ``profile`` is ``<name>@<digest>``, where the
            digest covers the profile, the source's fallback encodings and the version of the rules.
        contents: ``CONTENTS``: the distinct texts of kept files; without those of ``stays`` where the earlier
            outcome came without its texts.
        quarantine: ``QUARANTINE`` of the stage ``filtered_files``.
        secrets: ``SECRETS``.
        n_read: Files that were read.
        n_reused: Files whose earlier verdict on the same content was taken over.
        stays: Digests of the earlier texts that kept files still have.
    """

    files: pa.Table
    contents: pa.Table
    quarantine: pa.Table
    secrets: pa.Table
    n_read: int = 0
    n_reused: int = 0
    stays: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one file, and what was learned by reading it."""

    fate: str
    reason: str | None = None
    content_sha256: str | None = None
    encoding: str | None = None
    first_bytes: str = ""
    text: str | None = None
    structure: str = ""
    notes: tuple[Note, ...] = ()


def reusable_verdicts(previous: Filtered, tag: str) -> Mapping[tuple[str, str], Verdict]:
    """Verdicts that rest on content alone, by path and object id. Their texts stay in the earlier table."""
    stored = set(previous.contents["content_sha256"].to_pylist())
    quarantined = dict(
        zip(
            previous.quarantine["path"].to_pylist(),
            previous.quarantine["first_bytes"].to_pylist(),
            strict=True,
        )
    )
    notes = _noted(previous.secrets)
    names = ("path", "object_id", "fate", "reason", "content_sha256", "encoding")
    same = previous.files.filter(pc.equal(previous.files["profile"], tag))
    verdicts = {}
    for path, object_id, fate, reason, digest, encoding in zip(
        *(same[name].to_pylist() for name in names), strict=True
    ):
        lacks_text = fate == "kept" and digest not in stored
        lacks_bytes = fate == "quarantined" and path not in quarantined
        # A file that was left out for a secret has no digest, but was read all the same.
        was_read = digest or path in notes
        if object_id and was_read and not lacks_text and not lacks_bytes:
            first_bytes = quarantined[path] if fate == "quarantined" else ""
            verdicts[path, object_id] = Verdict(
                fate, reason, digest, encoding, first_bytes, notes=notes.get(path, ())
            )
    return verdicts


def _noted(secrets: pa.Table) -> dict[str, tuple[Note, ...]]:
    """What was noted of secrets, by path."""
    notes: dict[str, tuple[Note, ...]] = {}
    for row in secrets.to_pylist():
        note = Note(row["line"], row["kind"], row["detector"], row["action"], row["found"])
        notes[row["path"]] = (*notes.get(row["path"], ()), note)
    return notes


def files_table(raw: pa.Table, verdicts: Mapping[str, Verdict], tag: str) -> pa.Table:
    """``FILTERED_FILES``: the scanned rows with their verdicts, in the same order."""
    ordered = [verdicts[path] for path in raw["path"].to_pylist()]
    decided = {
        "content_sha256": [verdict.content_sha256 for verdict in ordered],
        "encoding": [verdict.encoding for verdict in ordered],
        "fate": [verdict.fate for verdict in ordered],
        "reason": [verdict.reason for verdict in ordered],
        "profile": [tag] * len(ordered),
    }
    columns = [
        pa.array(decided[field.name], field.type) if field.name in decided else raw[field.name]
        for field in FILTERED_FILES.schema
    ]
    return pa.Table.from_arrays(columns, schema=FILTERED_FILES.schema).combine_chunks()


def contents_table(source: Source, verdicts: Iterable[Verdict], previous: Filtered | None) -> pa.Table:
    """The texts of kept files, once each, sorted by digest; earlier ones move over without being decoded."""
    kept = [verdict for verdict in verdicts if verdict.fate == "kept" and verdict.content_sha256]
    reused = staying(kept)
    new = {
        str(verdict.content_sha256): verdict
        for verdict in kept
        if verdict.text is not None and verdict.content_sha256 not in reused
    }
    columns = {
        "repository": [source.name] * len(new),
        "content_sha256": list(new),
        "text": [verdict.text for verdict in new.values()],
        "structure": [verdict.structure for verdict in new.values()],
    }
    table = pa.Table.from_pydict(columns, schema=CONTENTS.schema)
    if previous and reused and "text" in previous.contents.schema.names:
        old = previous.contents
        rows = old.filter(pc.is_in(old["content_sha256"], pa.array(sorted(reused), pa.string())))
        named = pa.array([source.name] * len(rows), pa.string())
        stored = [rows[name] for name in CONTENTS.schema.names[1:]]
        rows = pa.Table.from_arrays([named, *stored], schema=CONTENTS.schema)
        table = pa.concat_tables([table, rows])
    return table.sort_by("content_sha256").combine_chunks()


def staying(verdicts: Iterable[Verdict]) -> frozenset[str]:
    """The digests of the texts of kept files that were not decoded again."""
    return frozenset(
        verdict.content_sha256
        for verdict in verdicts
        if verdict.fate == "kept" and verdict.content_sha256 and verdict.text is None
    )


def quarantine_table(source: Source, verdicts: Mapping[str, Verdict]) -> pa.Table:
    """``QUARANTINE`` of this stage, sorted by path."""
    rows = [
        {
            "repository": source.name,
            "path": path,
            "stage": STAGE,
            "error": verdict.reason,
            "first_bytes": verdict.first_bytes,
            "content_sha256": verdict.content_sha256,
            "encoding": verdict.encoding,
        }
        for path, verdict in sorted(verdicts.items())
        if verdict.fate == "quarantined"
    ]
    return pa.Table.from_pylist(rows, schema=QUARANTINE.schema)


def secrets_table(source: Source, verdicts: Mapping[str, Verdict]) -> pa.Table:
    """``SECRETS``, sorted by path and line."""
    rows = [
        {
            "repository": source.name,
            "path": path,
            "line": note.line,
            "kind": note.kind,
            "detector": note.detector,
            "action": note.action,
            "found": note.found,
        }
        for path, verdict in sorted(verdicts.items())
        for note in sorted(verdict.notes, key=lambda note: (note.line, note.kind, note.detector))
    ]
    return pa.Table.from_pylist(rows, schema=SECRETS.schema)
