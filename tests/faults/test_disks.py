"""Rows 6, 7, 8: a disk that is full, may not be written or does not read.

Each system call of a stage is refused in turn, and all that would change something after it. The stage fails
and says where; the tables are the old ones or the new ones; once the disk is well, the stage gives what it
gives undisturbed. The same is tried on a file system of its own, where the machine lets the test mount one.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition
from chunk_pipeline.warehouse.tables import CHUNKS, FILES
from tests.end_to_end.project import Project
from tests.faults.crashing import Call, Calls, Watcher
from tests.faults.small_project import (
    ONE_STRATEGY,
    SOURCE,
    all_steps,
    catalog_version,
    copy_of,
    every_table_reads_back,
    from_scratch,
    ingest_steps,
    manifests,
    run_all,
    small_project,
    workspace_of,
    write,
)
from tests.faults.states import Stage, linked_copy

pytestmark = pytest.mark.fault

TAKING_SPACE = frozenset({"open", "write", "mkdir", "replace", "link", "symlink", "fsync"})
"""What a full disk may refuse; on some file systems only the sync notices."""

ROWS = {errno.ENOSPC: "row06", errno.EACCES: "row07", errno.EIO: "row08"}
STAGES = ("filter", "chunks json_category", "report", "catalog")
"""Stages with several tables, one table, pages, and the catalog."""

EVERY_WAY = bool(os.environ.get("CHUNK_PIPELINE_SOAK"))
WAYS = [
    (name, number)
    for place, name in enumerate(STAGES)
    for turn, number in enumerate(ROWS)
    if EVERY_WAY or name == "filter" or turn == place % len(ROWS)
]
"""Which stage is refused what: every stage once, one stage everything."""


def refusing(point: Call, number: int) -> Watcher:
    """A watcher that refuses a call, and every later one that would change something."""

    def watch(call: Call) -> None:
        later = call.number > point.number and call.kind in TAKING_SPACE and call.moment == "before"
        if later or (call.number, call.moment) == (point.number, point.moment):
            raise OSError(number, os.strerror(number), call.path)

    return watch


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"), WAYS, ids=[f"{ROWS[number]}-{name.split()[0]}" for name, number in WAYS]
)
def test_a_disk_that_refuses_leaves_the_old_state_or_the_new_and_then_all_goes_on(
    name: str,
    number: int,
    stages: dict[tuple[str, str], Stage],
    tmp_path: Path,
    tried: Callable[[str, int], None],
) -> None:
    stage = stages["edit", name]
    points = [call for call in stage.telling_points() if call.kind in TAKING_SPACE and call.moment != "after"]
    for point in points:
        project = linked_copy(stage.before, tmp_path / f"{point.number}-{point.moment}")
        with (
            Calls(project.root / "warehouse", refusing(point, number)),
            pytest.raises(OSError, match=os.strerror(number)) as refused,
        ):
            all_steps()[name](workspace_of(project))
        assert str(project.root) in str(refused.value), "the message names the file"
        assert manifests(project) in (stage.old, stage.new), point
        assert catalog_version(project) in stage.catalogs
        all_steps()[name](workspace_of(project))
        assert project.digests() == stage.files, point
        shutil.rmtree(project.root)
    tried("refused calls", len(points))


# A real file system


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"this machine lets no test mount a file system: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
def test_row06_on_a_full_file_system_runs_fail_until_there_is_room(
    small_disk: Path, tmp_path: Path, tried: Callable[[str, int], None]
) -> None:
    built = small_project(small_disk / "project")
    run_all(built)
    write(built, "src/i18n/es.json", {"title": "Capitanía", "berth": {"free": "Atraque libre"}})
    ballast = small_disk / "ballast"
    failed = 0
    for room in (*range(0, 160, 12), 500, 2000, 4000):
        _leave_room(ballast, room * 1024)
        error = _error_of(lambda: run_all(built))
        assert error is None or error.errno == errno.ENOSPC
        failed += error is not None
        every_table_reads_back(built)
    assert failed > 1
    ballast.unlink()
    run_all(built)
    assert built.digests() == from_scratch(built, tmp_path / "scratch").digests()
    tried("full file systems", failed)


def _error_of(work: Callable[[], object]) -> OSError | None:
    try:
        work()
    except OSError as error:
        return error
    return None


def _leave_room(ballast: Path, room: int) -> None:
    """Fill the file system up to some bytes."""
    ballast.unlink(missing_ok=True)
    free = os.statvfs(ballast.parent)
    ballast.write_bytes(b"x" * max(0, free.f_bavail * free.f_frsize - room))


@pytest.mark.slow
def test_row07_a_read_only_file_system_is_named_and_stays_readable(small_disk: Path, tmp_path: Path) -> None:
    built = small_project(small_disk / "project")
    run_all(built)
    write(built, "src/i18n/es.json", {"title": "Capitanía"})
    before = built.digests()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    try:
        with pytest.raises(OSError, match=f"Read-only file system: '{built.root}/warehouse/raw_files"):
            run_all(built)
        assert built.digests() == before
        every_table_reads_back(built)
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    run_all(built)
    assert built.digests() == from_scratch(built, tmp_path / "scratch").digests()


# Reading


@pytest.fixture
def project(stages: dict[tuple[str, str], Stage], tmp_path: Path) -> Project:
    """A finished project whose source was edited."""
    return copy_of(stages["edit", "scan"].before, tmp_path / "project")


def _failing_reads(monkeypatch: pytest.MonkeyPatch, wanted: Callable[[str], bool], keep: int | None) -> None:
    """Make reads of some files fail with EIO, or end after so many bytes."""
    read_bytes = Path.read_bytes

    def read(path: Path) -> bytes:
        if not wanted(str(path)):
            return read_bytes(path)
        if keep is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return read_bytes(path)[:keep]

    monkeypatch.setattr(Path, "read_bytes", read)


@pytest.mark.parametrize("keep", [None, 0, 100], ids=["row08-eio", "row08-empty-read", "row08-short-read"])
def test_a_table_that_does_not_read_fails_the_stage_and_gives_no_wrong_rows(
    project: Project, keep: int | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("scan", "filter", "label"):
        ingest_steps()[name](workspace_of(project))
    before = project.digests()
    (path,) = project.warehouse.files(FILES, Partition(repository=SOURCE))
    with monkeypatch.context() as patch:
        _failing_reads(patch, lambda each: each == str(path), keep)
        with pytest.raises((OSError, DamagedTableError), match=str(path)):
            project.read(FILES)
        with pytest.raises((OSError, DamagedTableError), match=str(path)):
            all_steps()["chunks json_category"](workspace_of(project))
    assert project.digests() == before
    run_all(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


@pytest.mark.parametrize("keep", [None, 100], ids=["row08-eio", "row08-short-read"])
def test_a_manifest_that_does_not_read_for_a_moment_loses_nothing(
    project: Project, keep: int | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        _failing_reads(patch, lambda each: "/chunks/" in each and each.endswith(".json"), keep)
        with pytest.raises(OSError, match="manifests/"):
            project.read(CHUNKS)
        error = _error_of(lambda: run_all(project))
        assert error is None or "/chunks/strategy=json_category/repository=harbour" in str(error)
    run_all(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch", ONE_STRATEGY).digests()


@pytest.mark.parametrize("fails", ["open", "read"])
def test_row08_a_file_of_the_source_that_does_not_read_is_quarantined_and_comes_back(
    project: Project, fails: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = "src/schemas/vessel.create.json"
    with monkeypatch.context() as patch:
        _failing_source(patch, project.file(SOURCE, broken), fails)
        run_all(project)
    assert broken not in project.paths_in(CHUNKS)
    fates = {row["path"]: (row["fate"], row["reason"]) for row in project.read(FILES).to_pylist()}
    assert fates[broken][0] == "quarantined"
    assert "unreadable" in fates[broken][1]
    run_all(project)
    assert broken in project.paths_in(CHUNKS)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


def _failing_source(monkeypatch: pytest.MonkeyPatch, path: Path, fails: str) -> None:
    """Make opening a file, or reading it once it is open, fail with EIO."""
    plain_open, plain_fdopen = os.open, os.fdopen

    def opened(name: Any, flags: int, *arguments: Any, **named: Any) -> int:
        if fails == "open" and os.fsdecode(name) == path.name:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return plain_open(name, flags, *arguments, **named)

    class Failing(io.FileIO):
        def readinto(self, buffer: Any) -> int:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def fdopened(handle: int, *arguments: Any, **named: Any) -> Any:
        if fails == "read" and Path(f"/proc/self/fd/{handle}").readlink() == path.resolve():
            return io.BufferedReader(Failing(handle))
        return plain_fdopen(handle, *arguments, **named)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "fdopen", fdopened)
