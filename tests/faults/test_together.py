"""Rows 2, 3, 4, 5, 22, 23: runs that are interrupted, that meet, or that are read while they write.

Who meets whom is arranged by pipes, not by the clock: a run stops where a test wants it to until told.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import pytest

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.vectors import Progress
from chunk_pipeline.settings import Compute
from chunk_pipeline.stages.embeddings import embed
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.atomic import TEMPORARY_PREFIX
from chunk_pipeline.warehouse.catalog import NAME as CATALOG
from chunk_pipeline.warehouse.catalog import verify_catalog
from chunk_pipeline.warehouse.parquet import ConcurrentRunError, Partition, Rows
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, SKIPS, VECTORS
from tests.end_to_end.project import Project
from tests.faults.crashing import Calls, die, dying_at
from tests.faults.edits import random_edit
from tests.faults.forking import FAILED, Child, in_child
from tests.faults.small_project import (
    SOURCE,
    all_steps,
    catalog_version,
    copy_of,
    every_table_reads_back,
    from_scratch,
    ingest_steps,
    manifests,
    roll_up_steps,
    run_all,
    small_project,
    unit_vectors,
    workspace_of,
    write,
    write_sources,
)

pytestmark = pytest.mark.fault
NAME = "json_category"
OWN = Partition(strategy=NAME, repository=SOURCE)
CHANGED = {"title": "Changed title", "berth": {"free": "Changed text"}}
ENGLISH = "src/i18n/en.json"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = small_project(tmp_path_factory.mktemp("together") / "project")
    run_all(project)
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    return copy_of(finished, tmp_path / "project")


class Gate:
    """Lets a process wait for another, and tell that it has come so far."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def open(self) -> None:
        os.write(self._write, b".")

    def wait(self) -> None:
        assert os.read(self._read, 1) == b"."


@dataclass(frozen=True)
class Waiting:
    """An encoder that tells when it is asked, and waits to be told to go on."""

    key: str
    dimension: int
    asked: Gate
    go_on: Gate

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.asked.open()
        self.go_on.wait()
        return unit_vectors(texts, self.dimension)


def waiting_workspace(project: Project, asked: Gate, go_on: Gate) -> Workspace:
    good = workspace_of(project)

    def make(name: str, compute: Compute, directory: Path | None = None) -> Waiting:
        like = good.make_encoder(name, compute, directory)
        return Waiting(like.key, like.dimension, asked, go_on)

    return replace(good, make_encoder=make)


def cut_anew(project: Project, value: object) -> None:
    """Change a file and cut it, so that texts lack vectors."""
    write(project, ENGLISH, value)
    for name in ("scan", "filter", "label", f"chunks {NAME}"):
        ingest_steps()[name](workspace_of(project))


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, FAILED), (signal.SIGKILL, -signal.SIGKILL)],
    ids=["row02-sigterm", "row02-sigint", "row02-sigkill"],
)
def test_a_run_that_is_ended_while_it_encodes_leaves_no_vector(
    project: Project, number: signal.Signals, status: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cut_anew(project, CHANGED)
    before = project.digests()
    asked, go_on = Gate(), Gate()
    child = Child(lambda: embed(waiting_workspace(project, asked, go_on), SOURCE, strategy(NAME)))
    asked.wait()
    child.send(number)
    assert child.wait() == status
    assert ("KeyboardInterrupt" in capfd.readouterr().err) == (number == signal.SIGINT)
    assert project.digests() == before
    run_all(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


def test_row03_who_commits_second_from_older_inputs_fails_clearly_and_replaces_nothing(
    project: Project, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cut_anew(project, CHANGED)
    asked, go_on = Gate(), Gate()
    slow = Child(lambda: embed(waiting_workspace(project, asked, go_on), SOURCE, strategy(NAME)))
    asked.wait()
    cut_anew(project, {"title": "Newer still"})
    embed(workspace_of(project), SOURCE, strategy(NAME))
    newer = project.digests()
    go_on.open()
    assert slow.wait() == FAILED
    told = capfd.readouterr().err
    assert ConcurrentRunError.__name__ in told
    assert f"vectors/strategy={NAME}/repository={SOURCE}" in told
    assert "run again" in told
    assert project.digests() == newer
    run_all(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


def test_row03_who_commits_the_same_second_has_nothing_to_add(project: Project) -> None:
    cut_anew(project, CHANGED)
    asked, go_on = Gate(), Gate()
    slow = Child(lambda: embed(waiting_workspace(project, asked, go_on), SOURCE, strategy(NAME)))
    asked.wait()
    embed(workspace_of(project), SOURCE, strategy(NAME))
    number, first = project.warehouse.number(VECTORS, OWN), project.digests()
    go_on.open()
    assert slow.wait() == 0
    assert project.digests() == first
    assert project.warehouse.number(VECTORS, OWN) == number


@pytest.mark.slow
def test_row03_runs_that_race_on_one_source_end_as_one_run_does(
    project: Project, tmp_path: Path, tried: Callable[[str, int], None], capfd: pytest.CaptureFixture[str]
) -> None:
    chance, rounds = random.Random(3), 5
    for _ in range(rounds):
        random_edit(project, chance)
        racing = [Child(lambda: run_all(project)) for _ in range(3)]
        ends = [child.wait() for child in racing]
        told = capfd.readouterr().err
        assert set(ends) <= {0, FAILED}
        assert told.count("Traceback (most recent call last)") >= ends.count(FAILED)
        assert told.count(f"{ConcurrentRunError.__name__}: another run") >= ends.count(FAILED), told
        every_table_reads_back(project)
    run_all(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()
    tried("races", rounds)


@pytest.mark.slow
def test_row04_two_sources_and_the_catalog_at_once_lose_nothing(
    project: Project, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(project, ENGLISH, {"title": "Atlas"}, "atlas")
    names = (SOURCE, "atlas")
    write_sources(project, names=names)
    write(project, ENGLISH, CHANGED)

    def ingest(source: str) -> None:
        for step in ingest_steps(source=source).values():
            step(workspace_of(project))
        roll_up_steps()["catalog"](workspace_of(project))

    children = [Child(lambda source=source: ingest(source)) for source in names]  # type: ignore[misc]
    assert [child.wait() for child in children] == [0, 0], capfd.readouterr().err
    for step in roll_up_steps().values():
        step(workspace_of(project))
    verify_catalog(project.root / "warehouse" / CATALOG, project.warehouse)
    fresh = Project(tmp_path / "fresh")
    shutil.copytree(project.root / "repositories", fresh.root / "repositories")
    write_sources(fresh, names=names)
    for source in names:
        for step in ingest_steps(source=source).values():
            step(workspace_of(fresh))
    for step in roll_up_steps().values():
        step(workspace_of(fresh))
    assert project.digests() == fresh.digests()


@pytest.mark.slow
def test_row05_a_reader_sees_one_state_or_the_other_while_runs_swap_them(
    project: Project, tmp_path: Path, tried: Callable[[str, int], None]
) -> None:
    states = []
    for value in ({"title": "State one", "one": "One"}, {"title": "State two"}):
        write(project, ENGLISH, value)
        run_all(project)
        states.append(_read(project))
    stop, told = tmp_path / "stop", tmp_path / "told"

    def read() -> None:
        seen: list[int] = []
        while not stop.exists() or len(seen) < 5:
            seen.append(states.index(_read(project)))
        told.write_text(" ".join(map(str, seen)))

    reader = Child(read)
    for swap in range(6):
        write(project, ENGLISH, {"title": "State two"} if swap % 2 else {"title": "State one", "one": "One"})
        run_all(project)
    stop.touch()
    assert reader.wait() == 0
    tried("reads during swaps", len(told.read_text().split()))


def _read(project: Project) -> tuple[list[object], list[object]]:
    """What a reader of a pinned warehouse and of the catalog sees, each of one state."""
    pinned = project.warehouse.pinned()
    chunks: list[object] = [*pinned.read(CHUNKS, OWN).select(["chunk_id", "body"]).to_pylist()]
    assert pinned.read(CHUNKS, OWN).select(["chunk_id", "body"]).to_pylist() == chunks
    skips: list[object] = [*pinned.read(SKIPS, OWN).to_pylist()]
    with duckdb.connect(str(project.root / "warehouse" / CATALOG), read_only=True) as connection:
        in_catalog = connection.execute("SELECT chunk_id FROM chunks ORDER BY ALL").fetchall()
        joined = "SELECT chunk_id FROM chunks JOIN files USING (repository, path) ORDER BY ALL"
        assert connection.execute(joined).fetchall() == in_catalog
    return chunks, skips


def test_row22_killed_after_evaluation_the_old_catalog_stays_until_the_next_run(
    project: Project, tmp_path: Path
) -> None:
    before = catalog_version(project)
    rows = _catalog_rows(project)
    write(project, ENGLISH, CHANGED)
    *steps, _ = all_steps().values()

    def work() -> None:
        for step in steps:
            step(workspace_of(project))
        with Calls(project.root / "warehouse", dying_at(1, "before")):
            all_steps()["catalog"](workspace_of(project))
        die()

    assert in_child(work) == -signal.SIGKILL
    assert catalog_version(project) == before
    assert _catalog_rows(project) == rows
    run_all(project)
    assert catalog_version(project) != before
    assert _catalog_rows(project) != rows
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


def _catalog_rows(project: Project) -> list[tuple[object, ...]]:
    with duckdb.connect(str(project.root / "warehouse" / CATALOG), read_only=True) as connection:
        found = connection.execute("SELECT chunk_id, text FROM chunks ORDER BY ALL").fetchall()
    return [tuple(row) for row in found]


def test_row23_what_a_dead_run_locked_and_left_holds_nobody_up(project: Project, tmp_path: Path) -> None:
    """Locks are the system's and end with their holder: a file that only looks like one is nothing."""
    warehouse = project.root / "warehouse"
    locks = warehouse / ".locks"
    locks.mkdir(exist_ok=True)
    for name in ("turns.lock", f"{CATALOG}.lock"):
        (locks / name).write_text("4194303 another-host 2001-09-09\n")
    dead = Child(lambda: None)
    assert dead.wait() == 0
    left = []
    for folder in (warehouse / "catalog", Path(str(project.warehouse.folder(CHUNKS, OWN)))):
        left.append(folder / f"{TEMPORARY_PREFIX}left.parquet-{dead.process}-1")
        left[-1].write_bytes(b"half")
    held = Child(lambda: _hold_and_die(project))
    assert held.wait() == -signal.SIGKILL
    write(project, ENGLISH, CHANGED)
    run_all(project)
    every_table_reads_back(project)
    assert project.digests() == from_scratch(project, tmp_path / "scratch").digests()


def _hold_and_die(project: Project) -> None:
    warehouse = project.warehouse
    with warehouse.lock(warehouse.root / CATALOG):
        die()


def test_row03_a_manifest_number_that_is_taken_is_never_replaced(project: Project) -> None:
    before = manifests(project)
    warehouse, own = project.warehouse, Partition(repository=SOURCE)
    manifest = warehouse.manifest(FILES, own)
    assert manifest is not None
    number = warehouse.number(FILES, own)
    rows = Rows(FILES, own, warehouse.read(FILES, own).slice(1))
    with pytest.raises(ConcurrentRunError):
        warehouse.commit([rows], manifest.made_from(), base=number - 1)
    assert manifests(project) == before
