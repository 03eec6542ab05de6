"""Filtering: every path of a snapshot gets one fate, and the text of those kept is stored.

Only content that was not judged before under the same profile is read; the result is that of judging
everything anew. The rules are in ``fates``, the tables in ``verdicts``, categories in ``labelling``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from chunk_pipeline.corpus.decoding import UndecodableError
from chunk_pipeline.corpus.entry import Entry, EntryUnreadableError, Reader, Snapshot
from chunk_pipeline.corpus.fates import (
    NOT_WHITELISTED,
    is_lfs_pointer,
    is_whitelisted,
    reason_before_reading,
    reason_by_text,
    refusal,
)
from chunk_pipeline.corpus.paths import is_pruned
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.secrets.treatment import conceal, reason_of, refused_by_name, treat
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.corpus.texts import FileText, read_text
from chunk_pipeline.corpus.verdicts import (
    Filtered,
    Verdict,
    contents_table,
    files_table,
    quarantine_table,
    reusable_verdicts,
    secrets_table,
    staying,
)
from chunk_pipeline.isolation.limits import OverLimitError, is_final
from chunk_pipeline.isolation.process import Isolated
from chunk_pipeline.warehouse.tables import RAW_FILES

__all__ = ["Filtered", "filter_files", "scan"]


def scan(source: Source, profile: Profile, snapshot: Snapshot) -> pa.Table:
    """Every path of a snapshot outside the profile's pruned directories.

    Returns:
        ``RAW_FILES``, sorted by path.
    """
    entries = [
        entry
        for entry in snapshot.entries()
        if not is_pruned(entry.path, frozenset(profile.pruned), source.sub_path)
    ]
    columns = {
        "repository": [source.name] * len(entries),
        "path": [entry.path for entry in entries],
        "size": [entry.size for entry in entries],
        "kind": [entry.kind for entry in entries],
        "object_id": [entry.object_id for entry in entries],
        "snapshot": [snapshot.id] * len(entries),
    }
    return pa.Table.from_pydict(columns, schema=RAW_FILES.schema)


def filter_files(
    raw: pa.Table,
    snapshot: Reader,
    source: Source,
    profile: Profile,
    previous: Filtered | None = None,
    isolated: Isolated | None = None,
) -> Filtered:
    """Give every scanned path its fate.

    Args:
        raw: ``RAW_FILES`` of the snapshot, as ``scan`` gave it.
        snapshot: The same snapshot, to read from.
        source: Its source.
        profile: The source's profile.
        previous: An earlier outcome for the same source. Where path, object id and profile digest are the
            same, its verdict and text are taken over; not if it was given up under other limits.
        isolated: Where documents are converted that are no text, and what one may cost there; a process for
            this call alone, with the default limits, unless given.
    """
    isolated = isolated or Isolated()
    tag = profile.tag(source.encodings)
    entries = [
        Entry(*row)
        for row in zip(*(raw[name].to_pylist() for name in Entry.__dataclass_fields__), strict=True)
    ]
    early = ((entry.path, _judge_unread(entry, profile)) for entry in entries)
    verdicts = {path: verdict for path, verdict in early if verdict}
    earlier = reusable_verdicts(previous, tag) if previous else {}
    unread = []
    n_reused = 0
    for entry in entries:
        if entry.path in verdicts:
            continue
        known = earlier.get((entry.path, entry.object_id))
        if known and is_final(known.reason or "", isolated.limits):
            verdicts[entry.path] = known
            n_reused += 1
        else:
            unread.append(entry)
    verdicts.update(_judge_all(unread, snapshot, source, profile, isolated))
    return Filtered(
        files=files_table(raw, verdicts, tag),
        contents=contents_table(source, verdicts.values(), previous),
        quarantine=quarantine_table(source, verdicts),
        secrets=secrets_table(source, verdicts),
        n_read=len(unread),
        n_reused=n_reused,
        stays=staying(verdicts.values()),
    )


def _judge_unread(entry: Entry, profile: Profile) -> Verdict | None:
    """The verdict on a file that need not be read, or ``None``."""
    if entry.kind == "file" and (note := refused_by_name(entry.path, profile)):
        return Verdict("dropped", reason_of(note.kind), notes=(note,))
    reason = reason_before_reading(entry, profile)
    return _refused(reason, entry.path, profile) if reason else None


def _judge_all(
    entries: list[Entry], snapshot: Reader, source: Source, profile: Profile, isolated: Isolated
) -> Iterator[tuple[str, Verdict]]:
    answered = set()
    for entry, data in snapshot.read_many(entries):
        answered.add(entry.path)
        yield entry.path, _judge(entry, data, source, profile, isolated)
    for entry in entries:
        if entry.path not in answered:
            yield entry.path, _judge_late(entry, snapshot, source, profile, isolated)


def _judge_late(
    entry: Entry, snapshot: Reader, source: Source, profile: Profile, isolated: Isolated
) -> Verdict:
    """The verdict on a file that could not be read with the others: its error, or its content after all."""
    try:
        data = snapshot.read(entry)
    except EntryUnreadableError as error:
        if entry.path.endswith("/") or is_whitelisted(entry.path, profile):
            return Verdict("quarantined", str(error))
        return Verdict("dropped", NOT_WHITELISTED)
    return _judge(entry, data, source, profile, isolated)


def _judge(entry: Entry, data: bytes, source: Source, profile: Profile, isolated: Isolated) -> Verdict:
    """The verdict on content. What cannot be decoded is quarantined only if it would have been kept."""
    digest = hashlib.sha256(data).hexdigest()
    if is_lfs_pointer(data):
        return Verdict("dropped", "lfs_pointer", digest, "utf-8")
    try:
        read = read_text(data, entry.path, source, profile, isolated)
    except (UndecodableError, OverLimitError) as error:
        if entry.path.endswith("/") or is_whitelisted(entry.path, profile):
            said = f"undecodable: {error}" if isinstance(error, UndecodableError) else str(error)
            return _unread(said, entry.path, data, digest, profile)
        return Verdict("dropped", NOT_WHITELISTED, digest)
    except MemoryError:
        raise  # Nothing that is done next would be sure to succeed.
    except Exception as error:
        # A converter may break on a file in any way; the others go on.
        broken = f"not read: {type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
        return _unread(broken, entry.path, data, digest, profile)
    reason = reason_by_text(read.text, entry.path, profile)
    if reason:
        return replace(_refused(reason, entry.path, profile), content_sha256=digest, encoding=read.encoding)
    return _kept(read, entry.path, digest, profile)


def _kept(read: FileText, path: str, digest: str, profile: Profile) -> Verdict:
    """The verdict on a file that the rules keep: its secrets are the last that can be said against it.

    A text that was changed has a digest of its own: that of the file would confirm a guess at the secret, and
    files with other secrets in the same places have the same text from then on.
    """
    treated = treat(read.text, read.structure, path, profile)
    if treated.reason:
        return Verdict("dropped", treated.reason, None, read.encoding, notes=treated.notes)
    if treated.changed:
        content = f"{treated.text}\0{treated.structure}" if treated.structure else treated.text
        digest = hashlib.sha256(content.encode()).hexdigest()
    return Verdict(
        "kept",
        None,
        digest,
        read.encoding,
        text=treated.text,
        structure=treated.structure,
        notes=treated.notes,
    )


def _unread(error: str, path: str, data: bytes, digest: str, profile: Profile) -> Verdict:
    """The verdict on a file that has no text, whose first bytes and error may not show a secret either."""
    first_bytes, shown, notes = conceal(data, _escaped(data[:64]), error, path, profile)
    hidden = any(note.action == "dropped" for note in notes)
    return Verdict("quarantined", shown, None if hidden else digest, None, first_bytes, notes=notes)


def _refused(reason: str, path: str, profile: Profile) -> Verdict:
    """The verdict on a file to which a rule applies."""
    if error := refusal(reason, path, profile):
        return Verdict("quarantined", error)
    return Verdict("dropped", reason)


def _escaped(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02x}" for byte in data)
