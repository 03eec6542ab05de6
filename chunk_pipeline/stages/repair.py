"""Repairing: what is damaged is set aside, so that the ordinary run makes it again and nothing else.

A damaged data file is deleted: its manifest stays, so the stage knows that its tables are not whole, and
whoever reads them meanwhile is told so instead of finding less. Vectors cost the most, so of a damaged
partition of them every whole file is kept, under a manifest that was made from nothing: only the texts of
what is lost are encoded again. After the run, the numbers that older releases name get their manifests back
where the same were made again; a release that cannot be whole any more is deleted.
Tested by tests/commands/test_store_commands.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.arrow_types import plainly_typed
from chunk_pipeline.warehouse.atomic import write_bytes
from chunk_pipeline.warehouse.catalog import forget_catalog
from chunk_pipeline.warehouse.columns import columns_digest, columns_digest_of
from chunk_pipeline.warehouse.fingerprint import Inputs
from chunk_pipeline.warehouse.manifest import DamagedTableError, DataFile, Manifest, StoredTable
from chunk_pipeline.warehouse.owners import Owner, files_in, owner_at, parse_place
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.parquet_files import SUFFIX, described, file_name, size_of
from chunk_pipeline.warehouse.releases import Numbered, release_path, whole_releases
from chunk_pipeline.warehouse.row_digest import row_digest
from chunk_pipeline.warehouse.tables import VECTORS
from chunk_pipeline.warehouse.turns import turn
from chunk_pipeline.warehouse.verification import (
    CATALOG,
    DATA,
    MANIFEST,
    RELEASE,
    Damage,
    Verification,
    verify,
)

Run = Callable[[list[str]], list[JobResult]]
"""Ingests the named sources, then rolls up."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What was repaired.

    Attributes:
        before: What was found.
        results: What was run.
        lost: What could not be made again, in sentences: releases of the past.
        after: What is found now.
    """

    before: Verification
    results: list[JobResult]
    lost: tuple[str, ...]
    after: Verification

    @property
    def succeeded(self) -> bool:
        """Whether all is whole, and nothing failed on the way."""
        return self.after.whole and all(each.succeeded for each in self.results)


def repair(workspace: Workspace, run: Run) -> Repair:
    """Make again what is damaged and nothing else.

    Args:
        workspace: Where the tables are.
        run: The ordinary run; called only if something that counts is damaged.

    Raises:
        DamagedTableError: The run met something that is still damaged; what it belongs to failed.
    """
    warehouse, told = workspace.warehouse, workspace.progress
    with turn(warehouse, alone=True):
        before = verify(warehouse, told=told)
        set_aside(warehouse, before.damages)
    results = run(_affected(workspace, before.damages)) if any(each.counts for each in before.damages) else []
    if before.whole:
        return Repair(before, results, (), before)
    with turn(warehouse, alone=True):
        # What failed may succeed the next time, and older releases be whole again with it.
        done = all(each.succeeded for each in results)
        lost = _settle_the_past(warehouse, before.damages) if done else []
        return Repair(before, results, tuple(lost), verify(warehouse, told=told))


def set_aside(warehouse: Warehouse, damages: Sequence[Damage]) -> None:
    """Leave nothing that is damaged where a reader or a run would take it for whole."""
    for place in sorted({each.place for each in damages if each.kind in (DATA, MANIFEST) and each.counts}):
        parsed = parse_place(place)
        if parsed is not None and parsed[0] == VECTORS:
            _keep_whole_vectors(owner_at(warehouse, *parsed), damages)
    for each in damages:
        if each.kind in (DATA, RELEASE):
            (warehouse.root / each.path).unlink(missing_ok=True)
        elif each.kind == CATALOG:
            forget_catalog(warehouse)


def _affected(workspace: Workspace, damages: Iterable[Damage]) -> list[str]:
    """The sources of which something that counts is damaged, in the order of the sources file."""
    parsed = [parse_place(each.place) for each in damages if each.counts]
    keys = {each[1].repository for each in parsed if each is not None}
    return [each.name for each in workspace.sources.sources if partition_key(each.name) in keys]


def _keep_whole_vectors(owner: Owner, damages: Iterable[Damage]) -> None:
    """Commit the files of a partition of vectors that are whole, as made from nothing."""
    numbers = commits.numbers(owner.home)
    told = [_number(each) for each in damages if each.kind == MANIFEST and each.place == owner.name]
    named = _named_files(owner, numbers)
    whole = [each for path in files_in(owner.home) if (each := _whole(path, named.get(path.name)))]
    whole.sort(key=lambda each: each.first)
    table, partition = owner.named
    manifest = Manifest(
        table=table,
        partition=partition,
        fingerprint=Inputs({}).fingerprint,
        # No writer: the files may overlap and be of several writers, so the next commit writes them anew.
        writer="",
        tables={table: StoredTable(columns=columns_digest(VECTORS), files=tuple(whole))},
    )
    commits.publish(owner.home, max([*numbers, *told]) + 1, manifest)


def _named_files(owner: Owner, numbers: Iterable[int]) -> dict[str, DataFile]:
    """The data files that any manifest of a partition names, by name; the newest manifest decides."""
    named: dict[str, DataFile] = {}
    for number in numbers:
        try:
            manifest = commits.load(owner.home, number)
        except (DamagedTableError, FileNotFoundError):
            continue
        table = manifest.tables.get(owner.table.name)
        named |= {file.name: file for file in table.files} if table else {}
    return named


def _whole(path: UPath, named: DataFile | None) -> DataFile | None:
    """A file of vectors, if its bytes are those that a manifest names or its rows those of its name."""
    if not path.name.endswith(SUFFIX):
        return None
    data = path.read_bytes()
    try:
        rows = plainly_typed(pq.ParquetFile(pa.BufferReader(data)).read().replace_schema_metadata(None))
    except (pa.ArrowException, OSError):
        return None
    if columns_digest_of(rows.schema) != columns_digest(VECTORS):
        return None
    content = row_digest(rows)
    found = described(VECTORS, path.name, data, rows, content)
    known = file_name(content) == path.name or (named is not None and named.sha256 == found.sha256)
    return found if known else None


def _settle_the_past(warehouse: Warehouse, damages: Iterable[Damage]) -> list[str]:
    """Give older releases back what was made again, and delete what cannot be whole any more."""
    lost = [
        f"{each.place} was of the past and is deleted: nothing can make it again"
        for each in damages
        if each.kind == RELEASE and not (warehouse.root / each.path).exists()
    ]
    releases = whole_releases(warehouse)
    for each in verify(warehouse, deep=False).damages:
        if each.kind == MANIFEST:
            _give_back(warehouse, each, releases)
    for release in releases[:-1]:
        broken = _broken(warehouse, release)
        if broken:
            release_path(warehouse, release.number).unlink(missing_ok=True)
            lost.append(
                f"release {release.number} is deleted: {broken} of it is lost, and nothing can make it again"
            )
    for each in verify(warehouse, deep=False).damages:
        if each.kind == MANIFEST and not each.counts:
            (warehouse.root / each.path).unlink(missing_ok=True)
    return lost


def _give_back(warehouse: Warehouse, damage: Damage, releases: Iterable[Numbered]) -> None:
    """Write the manifest that releases name at a number again, if the same was committed since."""
    parsed = parse_place(damage.place)
    if parsed is None:
        return
    owner, number = owner_at(warehouse, *parsed), _number(damage)
    held = [each.release.places.get(owner.name) for each in releases]
    wanted = {each.digest for each in held if each is not None and each.number == number}
    numbers = commits.numbers(owner.home)
    for other in (each for each in numbers if each != number and number < numbers[-1]):
        try:
            manifest = commits.load(owner.home, other)
        except (DamagedTableError, FileNotFoundError):
            continue
        if manifest.digest in wanted:
            write_bytes(commits.manifest_path(owner.home, number), manifest.encode())
            return


def _broken(warehouse: Warehouse, release: Numbered) -> str:
    """The first place of a release that is not whole, as far as sizes tell; empty where all are."""
    for place, held in release.release.places.items():
        parsed = parse_place(place)
        if parsed is None:
            continue
        owner = owner_at(warehouse, *parsed)
        try:
            manifest = commits.load(owner.home, held.number)
        except (DamagedTableError, FileNotFoundError):
            return place
        files = [
            (owner.folders[name] / file.name, file.size)
            for name, table in manifest.tables.items()
            if name in owner.folders
            for file in table.files
        ]
        if manifest.digest != held.digest or any(size_of(path) != size for path, size in files):
            return place
    return ""


def _number(damage: Damage) -> int:
    """The number of a damaged manifest."""
    return int(damage.path.rpartition("/")[2].partition(".")[0])
