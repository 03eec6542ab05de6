"""What a snapshot is made of: its entries, what it can be asked, and how reading it fails.

How git or a folder is read does not belong here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["file", "symlink", "submodule", "special", "unreadable"]


class SourceUnreachableError(RuntimeError):
    """A source whose state cannot be known now. Never to be read as 'everything was deleted'.

    Attributes:
        retryable: Whether trying again may help (the network, a busy cache).
    """

    retryable = True


class SourceRefusedError(SourceUnreachableError):
    """A source that trying again will not mend: no such ref or sub-path, refused objects, foreign owner."""

    retryable = False


class SourceAwayError(SourceUnreachableError):
    """A folder or local repository that is not there: it does not come back while a run waits."""

    retryable = False


class EntryUnreadableError(RuntimeError):
    """One file of a snapshot that cannot be read; the message is the quarantine reason."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One path of a snapshot.

    Attributes:
        path: Path from the repository's root, with ``/``; bytes that are not UTF-8 escaped.
        size: Bytes; 0 where there is no content of its own.
        kind: What it is.
        object_id: Git object id, or SHA-256 of a folder's file; empty if it was not read.
    """

    path: str
    size: int
    kind: Kind
    object_id: str


class Reader(Protocol):
    """Reads the files of a snapshot, given entries that were listed before."""

    @property
    def id(self) -> str:
        """The commit of a git source, the content digest of a folder."""

    def read(self, entry: Entry) -> bytes:
        """The content of a file.

        Raises:
            EntryUnreadableError: It vanished, changed since the scan, or may not be read.
        """

    def read_many(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The contents, in that order. Those that cannot be read are left out; ``read`` says why."""


class Snapshot(Reader, Protocol):
    """A source's state that does not change while it is read."""

    def entries(self) -> list[Entry]:
        """Every path, sorted by path."""
