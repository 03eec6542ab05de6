"""Damage done to files, and undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol


class Damaging(Protocol):
    """What is done to a file."""

    def __call__(self, path: Path) -> None: ...


def flip(path: Path) -> None:
    """Another bit in the middle of the file; its size stays."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x04
    path.write_bytes(bytes(data))


def truncate(path: Path) -> None:
    """The last bytes are gone."""
    path.write_bytes(path.read_bytes()[:-5])


def delete(path: Path) -> None:
    """The file is gone."""
    path.unlink()


def swap(one: Path, other: Path) -> None:
    """Two files have each other's bytes."""
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


WAYS: Mapping[str, Damaging] = {"flip": flip, "truncate": truncate, "delete": delete}


@contextmanager
def undone(*paths: Path) -> Iterator[None]:
    """Whatever is done to the files meanwhile is undone."""
    before = {path: path.read_bytes() for path in paths if path.exists()}
    yield
    for path in paths:
        if path in before:
            path.write_bytes(before[path])
        else:
            path.unlink(missing_ok=True)
