"""The state of a source that a run reads: opened once, then the same however long the run takes.

The kinds of source are in ``git`` and ``folder``; which files count is not decided here.
"""

from __future__ import annotations

from pathlib import Path

from chunk_pipeline.corpus.entry import (
    Entry,
    EntryUnreadableError,
    Kind,
    Reader,
    Snapshot,
    SourceRefusedError,
    SourceUnreachableError,
)
from chunk_pipeline.corpus.folder import FolderReader, folder_root, open_folder
from chunk_pipeline.corpus.git import descends, git_head, open_git, pinned_git
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.source import Source

__all__ = [
    "Entry",
    "EntryUnreadableError",
    "Kind",
    "Reader",
    "Snapshot",
    "SourceRefusedError",
    "SourceUnreachableError",
    "descends_from",
    "head_of",
    "open_snapshot",
    "pinned_snapshot",
]


def open_snapshot(source: Source, profile: Profile, cache: Path) -> Snapshot:
    """The source's state now; a git source is fetched into the cache first.

    Args:
        source: The source.
        profile: Its filter profile: a folder leaves out what it prunes and hashes nothing above its cap.
        cache: Folder for git's objects, made if it is not there.

    Raises:
        SourceUnreachableError: The state cannot be known; nothing follows about its files.
    """
    if source.kind == "git":
        return open_git(source, cache)
    return open_folder(source, profile)


def head_of(source: Source, profile: Profile, cache: Path) -> str:
    """The id that ``open_snapshot`` would give now, without fetching.

    One question to the server for git (the cache is not touched); a folder is read and hashed, since times of
    change lie.

    Raises:
        SourceUnreachableError: The state cannot be known; nothing follows about its files.
    """
    if source.kind == "git":
        return git_head(source)
    return open_folder(source, profile).id


def descends_from(source: Source, cache: Path, snapshot: str, earlier: str) -> bool | None:
    """Whether a snapshot just opened has an earlier one in its history; ``None`` where nobody can know."""
    if source.kind == "git":
        return descends(source, cache, snapshot, earlier)
    return None


def pinned_snapshot(source: Source, cache: Path, snapshot: str) -> Reader:
    """Read a state that ``open_snapshot`` gave before, without listing it or asking the server again.

    Args:
        source: The source.
        cache: Folder for git's objects.
        snapshot: The ``id`` that the state had. Of a folder, files that changed since are unreadable.

    Raises:
        SourceUnreachableError: The state is there no more and cannot be fetched.
    """
    if source.kind == "git" and snapshot:
        return pinned_git(source, cache, snapshot)
    return FolderReader(snapshot, folder_root(source))
