"""What a parser must never do to a run: hang, take memory without end, crash, leave.

Another process is told to do it, and imports this module for that: it imports little itself.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span, UnparsableError
from chunk_pipeline.chunking.registry import Strategy

_KEPT: list[bytearray] = []


def hang() -> None:
    """Match without end, in C, without ever letting go of the interpreter."""
    re.match(r"(a+)+b", "a" * 64)


def sleep() -> None:
    """Wait for nothing."""
    time.sleep(600)


def eat() -> None:
    """Take memory without end."""
    taken = []
    while True:
        taken.append(bytearray(1 << 20))


def keep(mib: int) -> int:
    """Keep memory for good; what this process has kept so far, in MiB."""
    _KEPT.append(bytearray(mib << 20))
    return sum(len(each) for each in _KEPT) >> 20


def crash() -> None:
    """Read what is at address 0."""
    ctypes.string_at(0)


def leave() -> None:
    """Leave without a word."""
    os._exit(3)


def exit() -> None:
    """Leave with a word."""
    sys.exit("enough")


class PanicException(BaseException):
    """What a parser in Rust raises where it should have returned an error."""


def panic() -> None:
    """Panic."""
    raise PanicException("index out of bounds")


def fail() -> None:
    """Say that the document is not what it should be."""
    raise UnparsableError("line 7: not of this format")


def babble() -> None:
    """Write to where results might be read from, then go on."""
    os.write(1, b"noise")
    print("noise", file=sys.stderr)


HAZARDS: Mapping[str, Callable[[], object]] = {
    each.__name__: each for each in (hang, sleep, eat, crash, leave, exit, panic, fail, babble)
}


class Hazardous(Strategy):
    """Does what the first word of a document says."""

    name: ClassVar[str] = "hazardous"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"text"})
    limit: ClassVar[int] = 500
    format: ClassVar[str] = "text"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Do it, and if that ends, give the document as one chunk."""
        hazard = HAZARDS.get(document.text.split(maxsplit=1)[0])
        if hazard:
            hazard()
        yield Chunk(document.text, (Span(0, len(document.text)),))
