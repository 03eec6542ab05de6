"""Whether a source lost what it had: absence is never read as "everything was deleted".

A disk that is not mounted is an empty folder, a branch that is pushed by force is another history, and both
look like a great deletion. So a scan is held against what was ingested before, and where nothing of that is
left, or a git branch no longer has it in its history, the scan fails and a person decides. Pure: reading what
was ingested does not belong here (``stages.corpus``), nor does asking git (``snapshot``).
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from chunk_pipeline.corpus.entry import SourceRefusedError
from chunk_pipeline.corpus.paths import is_pruned
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.source import Source

NAMED = 3
"""Paths that a message names."""

_NO_FILES = frozenset({"symlink", "submodule", "special", "unreadable"})
"""What ``kind``, or the reason of a dropped file, says of paths that are no readable file."""


class SourceEmptiedError(SourceRefusedError):
    """A source that had files and has none now, or none of those that it had."""


class HistoryRewrittenError(SourceRefusedError):
    """A branch whose history no longer holds the commit that was ingested."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files that a source was found to hold.

    Attributes:
        snapshot: The state; empty where there was no path.
        files: Object id by path, of regular files; empty where there is no content to compare.
        closed: Folders that may not be listed, with a slash behind.
    """

    snapshot: str
    files: Mapping[str, str]
    closed: tuple[str, ...] = ()


def listing_of(rows: pa.Table) -> Listing:
    """What ``RAW_FILES`` rows list, or those of a later table where the scan's own are lost."""
    kinds = rows["kind" if "kind" in rows.schema.names else "reason"].to_pylist()
    paths = rows["path"].to_pylist()
    facts = zip(paths, *(rows[name].to_pylist() for name in ("object_id", "size")), kinds, strict=True)
    closed = tuple(path for path in paths if path.endswith("/"))
    files = {
        path: object_id if size else "" for path, object_id, size, kind in facts if kind not in _NO_FILES
    }
    return Listing(rows["snapshot"][0].as_py() if rows.num_rows else "", files, closed)


def refuse_vanished(
    source: Source, profile: Profile, before: Listing, now: Listing, *, descends: bool | None, asked: bool
) -> None:
    """Refuse a listing that is not what became of the one before, but something in its place.

    Files that the source's sub-path or its profile leave out now were taken out by a person. A file that was
    moved is still there: what counts is that no path and no content is left.

    Args:
        source: The source, as it is declared now.
        profile: Its profile.
        before: What was ingested last.
        now: What the scan found.
        descends: Whether the commit now has the one before in its history; ``None`` where nobody can know
            (a folder, a shallow history).
        asked: Whether the sources file is known to name another repository or ref than before.

    Raises:
        SourceEmptiedError: There is no file, none of those that there were, or a folder of them is closed.
        HistoryRewrittenError: The history is another, and ``history`` of the source is ``linear``.
    """
    if before.snapshot == now.snapshot:
        return
    had = _still_wanted(source, profile, before.files)
    if not had:
        return
    if not now.files:
        raise SourceEmptiedError(_message(source, before, now, had, "and holds none now"))
    if hidden := {path: "" for path in had if path.startswith(now.closed)}:
        folders = f"and {_named(dict.fromkeys(now.closed, ''))} may not be listed now"
        raise SourceEmptiedError(_message(source, before, now, hidden, folders))
    if asked:
        return
    if not _shares(had, now.files):
        found = f"and holds none of them now but {_count(now.files)} ({_named(now.files)})"
        raise SourceEmptiedError(_message(source, before, now, had, found))
    if descends is False and source.history == "linear":
        raise HistoryRewrittenError(
            f"source {source.name!r}: {source.ref!r} was ingested at {before.snapshot} and names "
            f"{now.snapshot} now, which does not have that commit in its history: the branch was rewritten "
            f"(pushed by force, or replaced). Nothing is taken as deleted, what was ingested stays. Restore "
            f"the branch; or, if this is meant, run {_accepting(source)}; or, if this branch is rewritten by "
            "habit, write 'history: rewritten' for the source"
        )


def _still_wanted(source: Source, profile: Profile, files: Mapping[str, str]) -> dict[str, str]:
    """The files that the present settings would list."""
    pruned = frozenset(profile.pruned)
    prefix = f"{source.sub_path}/" if source.sub_path else ""
    return {
        path: object_id
        for path, object_id in files.items()
        if path.startswith(prefix) and not is_pruned(path, pruned, source.sub_path)
    }


def _shares(before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    if not before.keys().isdisjoint(now):
        return True
    return not ({*before.values()} - {""}).isdisjoint(now.values())


def _message(source: Source, before: Listing, now: Listing, had: Mapping[str, str], found: str) -> str:
    remedy = (
        "mount it, correct its permissions or 'path'"
        if source.kind == "folder"
        else "restore what 'ref' names"
    )
    return (
        f"source {source.name!r}: it held {_count(had)} ({_named(had)}) at {before.snapshot} {found}, at "
        f"{now.snapshot}. Nothing is taken as deleted, what was ingested stays. Bring it back ({remedy}); "
        f"or, if this is meant, run {_accepting(source)}"
    )


def _accepting(source: Source) -> str:
    return f"'chunk-pipeline run --accept-empty {shlex.quote(source.name)}'"


def _count(files: Mapping[str, str]) -> str:
    return f"{len(files):,} file{'' if len(files) == 1 else 's'}"


def _named(files: Mapping[str, str]) -> str:
    """The first paths, as they may be shown: control characters in them are escaped."""
    more = ", …" if len(files) > NAMED else ""
    return ", ".join(repr(path) for path in sorted(files)[:NAMED]) + more
