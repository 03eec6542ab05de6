"""A number is taken once, on every kind of file system, and what a killed writer left is swept."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from upath import UPath

from chunk_pipeline.warehouse import atomic
from chunk_pipeline.warehouse.commits import LOCK, numbered, put_new

DEAD = 2**22 + 1
"""A process number that Linux does not give by default."""


@pytest.fixture(params=["links", "no links"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a file system with hard links, or of one that refuses them as exFAT does."""

    def refuse(path: Path, _: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    if request.param == "no links":
        monkeypatch.setattr(Path, "hardlink_to", refuse)
    return tmp_path / "manifests"


def shown(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != LOCK)


def test_a_number_that_is_taken_is_refused_and_what_has_it_stays(folder: Path) -> None:
    path = UPath(folder / "00000001.json")
    put_new(path, b"first")
    with pytest.raises(FileExistsError):
        put_new(path, b"second")
    assert path.read_bytes() == b"first"
    assert shown(folder) == ["00000001.json"]


@pytest.mark.fault
def test_of_writers_that_race_for_a_number_one_gets_it(folder: Path) -> None:
    path = UPath(folder / "00000001.json")

    def attempt(writer: int) -> int | None:
        try:
            put_new(path, str(writer).encode())
        except FileExistsError:
            return None
        return writer

    with ThreadPoolExecutor(8) as pool:
        [winner] = [each for each in pool.map(attempt, range(32)) if each is not None]
    assert path.read_bytes() == str(winner).encode()
    assert numbered(UPath(folder)) == [1]


@pytest.mark.fault
def test_what_a_writer_left_that_was_killed_right_after_it_took_its_number_is_swept_by_the_next(
    folder: Path,
) -> None:
    put_new(UPath(folder / "00000001.json"), b"first")
    left = folder / f"{atomic.TEMPORARY_PREFIX}00000001.json-{atomic._HOST}-{DEAD}-1"
    left.write_bytes(b"first")
    put_new(UPath(folder / "00000002.json"), b"second")
    assert shown(folder) == ["00000001.json", "00000002.json"]
