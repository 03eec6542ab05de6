"""A folder as a snapshot: every file hashed, no symlink followed, nothing outside the root ever opened.

Each folder, and each file that is read later, is opened part by part below the root with ``O_NOFOLLOW``, so
that a directory swapped for a symlink between scan and read is refused as well. Filtering does not belong
here, beyond not entering pruned directories.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from chunk_pipeline.corpus.entry import (
    Entry,
    EntryUnreadableError,
    SourceAwayError,
    SourceUnreachableError,
)
from chunk_pipeline.corpus.paths import escape_path, unescape_path
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.source import Source

ATTEMPTS = 3
"""How often a file that changes while it is read is read again."""

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DIRECTORY = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True)
class FolderReader:
    """Reads files of a folder, and gives only content that the scan saw.

    Attributes:
        id: Digest over path, kind, size and digest of every entry.
        root: The folder.
    """

    id: str
    root: Path

    def read(self, entry: Entry) -> bytes:
        """The content that the scan saw.

        Raises:
            EntryUnreadableError: It vanished, changed since the scan, or may not be read.
            SourceUnreachableError: The whole folder vanished: nothing follows about its files.
        """
        if entry.path.endswith("/"):
            raise EntryUnreadableError("unreadable: the folder may not be listed, what it holds is not known")
        if entry.kind != "file" or not entry.object_id:
            raise EntryUnreadableError("unreadable: its content could not be read when it was scanned")
        for _ in range(ATTEMPTS):
            try:
                data = _content(self.root, unescape_path(entry.path), entry.size)
            except FileNotFoundError as error:
                if _is_away(self.root):
                    raise SourceUnreachableError(
                        f"the folder {self.root} is gone or empty since the scan; mount it and run again"
                    ) from error
                raise EntryUnreadableError("vanished: deleted between scan and read; run again") from error
            except OSError as error:
                raise EntryUnreadableError(f"unreadable: {error.strerror}") from error
            if hashlib.sha256(data).hexdigest() == entry.object_id:
                return data
        raise EntryUnreadableError("changed: its content is not what was scanned; run again")

    def read_many(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The contents, in that order. Those that cannot be read are left out; ``read`` says why."""
        for entry in entries:
            try:
                yield entry, self.read(entry)
            except EntryUnreadableError:
                continue


@dataclass(frozen=True)
class FolderSnapshot(FolderReader):
    """The files of a folder as they were when it was opened.

    Attributes:
        files: Its entries, sorted by path.
    """

    files: tuple[Entry, ...]

    def entries(self) -> list[Entry]:
        """Every path outside pruned directories, sorted by path."""
        return list(self.files)


def open_folder(source: Source, profile: Profile) -> FolderSnapshot:
    """Scan a folder and hash every file within the profile's cap.

    Raises:
        SourceAwayError: The folder (or its sub-path) is not there.
        SourceUnreachableError: It may not be listed.
    """
    root = folder_root(source)
    start = source.sub_path.encode()
    try:
        os.close(_open(root, start, _DIRECTORY))
        found = tuple(sorted(_walk(root, start, profile)))
    except OSError as error:
        is_away = isinstance(error, (FileNotFoundError, NotADirectoryError))
        raise (SourceAwayError if is_away else SourceUnreachableError)(
            f"source {source.name!r}: the folder {root / source.sub_path} cannot be read ({error.strerror}); "
            "mount it or correct 'path'"
        ) from error
    return FolderSnapshot(_digest(found), root, found)


def folder_root(source: Source) -> Path:
    """The folder of a source; it may itself be named through symlinks."""
    return Path(source.path or "").resolve()


def _is_away(root: Path) -> bool:
    """Whether nothing is left of a folder: it was moved or, where a mount point stays, unmounted."""
    try:
        with os.scandir(root) as children:
            return next(children, None) is None
    except OSError:
        return True


def _digest(entries: Iterable[Entry]) -> str:
    hasher = hashlib.sha256()
    for entry in entries:
        for part in (entry.path, entry.kind, str(entry.size), entry.object_id):
            hasher.update(part.encode() + b"\0")
    return hasher.hexdigest()


def _walk(root: Path, start: bytes, profile: Profile) -> Iterator[Entry]:
    pruned = frozenset(os.fsencode(name) for name in profile.pruned)
    folders = [start]
    while folders:
        folder = folders.pop()
        try:
            handle = _open(root, folder, _DIRECTORY)
        except (FileNotFoundError, NotADirectoryError):  # no longer there: not part of this state
            continue
        except OSError:
            # The slash behind says that it is a folder, so that no rule on the names of files applies.
            yield Entry(f"{escape_path(folder)}/", 0, "unreadable", "")
            continue
        try:
            with os.scandir(handle) as children:
                for child in children:
                    name = os.fsencode(child.name)
                    path = folder + b"/" + name if folder else name
                    if not child.is_dir(follow_symlinks=False):
                        yield from _entry(handle, path, child, profile.cap)
                    elif name not in pruned:
                        folders.append(path)
        finally:
            os.close(handle)


def _entry(folder: int, path: bytes, child: os.DirEntry[str], cap: int) -> Iterator[Entry]:
    try:
        status = child.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            yield Entry(escape_path(path), 0, "symlink", "")
        elif not stat.S_ISREG(status.st_mode):
            yield Entry(escape_path(path), 0, "special", "")
        elif status.st_size > cap:
            yield Entry(escape_path(path), status.st_size, "file", "")
        else:
            yield _hashed(folder, path, cap)
    except FileNotFoundError:  # deleted while the folder was listed: it is not part of this state
        return
    except OSError:
        yield Entry(escape_path(path), 0, "unreadable", "")


def _hashed(folder: int, path: bytes, cap: int) -> Entry:
    """The entry of a regular file; read again while it changes, ``unreadable`` if it never holds still.

    Args:
        folder: Handle of the folder that it is in.
        path: Its path below the root.
        cap: Bytes from which on it is not read.
    """
    text, name = escape_path(path), path.rpartition(b"/")[2]
    for _ in range(ATTEMPTS):
        handle = os.open(name, _FILE, dir_fd=folder)
        with os.fdopen(handle, "rb") as file:
            before = os.fstat(handle)
            if not stat.S_ISREG(before.st_mode):
                return Entry(text, 0, "special", "")
            data = file.read(cap + 1)
            after = os.fstat(handle)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            continue
        if after.st_size > cap:
            return Entry(text, after.st_size, "file", "")
        if len(data) == after.st_size:
            return Entry(text, len(data), "file", hashlib.sha256(data).hexdigest())
    return Entry(text, 0, "unreadable", "")


def _content(root: Path, path: bytes, size: int) -> bytes:
    handle = _open(root, path, _FILE)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "no longer a regular file")
        return file.read(size + 1)


def _open(root: Path, path: bytes, flags: int) -> int:
    """Open a path below the root without following a symlink in any of its parts; the caller closes it."""
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    parts = path.split(b"/") if path else []
    for index, part in enumerate(parts, 1):
        try:
            below = os.open(part, flags if index == len(parts) else _DIRECTORY, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle
