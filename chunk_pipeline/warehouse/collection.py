"""Collecting what nobody needs: superseded manifests, files that none names, leftovers, old releases.

What stays: the newest manifest of every partition with its files, the newest releases with all that they
name, and whatever is younger than the retention. A manifest and a release are as old as their *successor*:
until then they counted, so a reader that holds one has it for the whole retention. A file is as old as its
last change: one that was written and not yet committed is young. Where a manifest that stays does not read
back, nobody can tell what it names, and nothing beside it is touched. Only files that are ours by their name
and place are ever removed. Tested by tests/warehouse/test_collection.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from upath import UPath

from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.atomic import TEMPORARY_PREFIX, is_local, local_path
from chunk_pipeline.warehouse.catalog import FOLDER as CATALOGS
from chunk_pipeline.warehouse.manifest import DamagedTableError, Manifest
from chunk_pipeline.warehouse.owners import Owner, files_in, owners
from chunk_pipeline.warehouse.parquet import Place, Warehouse
from chunk_pipeline.warehouse.parquet_files import SUFFIX
from chunk_pipeline.warehouse.releases import FOLDER as RELEASES
from chunk_pipeline.warehouse.releases import release_numbers, release_path, whole_releases
from chunk_pipeline.warehouse.store_format import FIRST as FIRST_FORMAT

KINDS = ("release", "manifest", "data", "leftover", "mirror")
"""What can be collected, in the order in which it is removed: what names before what is named."""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Something to remove.

    Attributes:
        kind: One of ``KINDS``.
        path: Where it is.
        size: Bytes.
    """

    kind: str
    path: UPath
    size: int


@dataclass(frozen=True)
class Retention:
    """What is kept although it counts no more.

    Attributes:
        now: Seconds since the epoch, on the clock of the files.
        seconds: How long.
        releases: How many releases, whatever their age.
    """

    now: float
    seconds: float
    releases: int

    def is_over(self, since: float | None) -> bool:
        """Whether something that was needed until then may go; what has no time, or one to come, may not."""
        return since is not None and since + self.seconds <= self.now


def garbage(warehouse: Warehouse, retention: Retention) -> list[Garbage]:
    """What may be removed, in the order in which it has to be."""
    going, pins = _releases(warehouse, retention)
    found = [_garbage("release", release_path(warehouse, number)) for number in going]
    for owner in owners(warehouse):
        found += _of_owner(owner, pins.get(owner.place, set()), retention)
    for folder in ("", RELEASES, CATALOGS, "reports"):
        found += _leftovers(warehouse.root / folder if folder else warehouse.root, retention)
    return sorted(found, key=lambda each: (KINDS.index(each.kind), str(each.path)))


def collect(warehouse: Warehouse, retention: Retention) -> list[Garbage]:
    """Remove what nobody needs any more, and the folders that are empty then.

    Returns:
        What was removed.

    Raises:
        OSError: The disk refused; what was removed until then is gone, and all that counts is there.
    """
    found = garbage(warehouse, retention)
    for each in found:
        each.path.unlink(missing_ok=True)
    if is_local(warehouse.root):
        for folder in {each.path.parent for each in found}:
            _remove_empty(warehouse.root, folder)
    return found


def _releases(warehouse: Warehouse, retention: Retention) -> tuple[list[int], Mapping[Place, set[int]]]:
    """The numbers of the releases that go, and the numbers of the manifests that the others name."""
    numbers = release_numbers(warehouse)
    whole = whole_releases(warehouse)
    kept = {each.number for each in whole[-retention.releases :]} | set(numbers[-1:])
    until = {number: _changed(release_path(warehouse, after)) for number, after in pairwise(numbers)}
    kept |= {number for number, since in until.items() if not retention.is_over(since)}
    pins: dict[Place, set[int]] = {}
    for each in whole:
        if each.number in kept:
            for place, held in each.release.places.items():
                pins.setdefault(tuple(place.split("/")), set()).add(held.number)
    return [number for number in numbers if number not in kept], pins


def _of_owner(owner: Owner, pinned: set[int], retention: Retention) -> Iterator[Garbage]:
    home = owner.home
    yield from _leftovers(home / commits.FOLDER, retention)
    for folder in owner.folders.values():
        yield from _leftovers(folder, retention)
    numbers = commits.numbers(home)
    kept = _kept_numbers(home, numbers, pinned, retention)
    try:
        manifests = {number: commits.load(home, number) for number in kept}
    except (DamagedTableError, FileNotFoundError):
        return
    unnamed = list(_unnamed(owner, list(manifests.values()), first_format=not numbers))
    old = [path for path in unnamed if retention.is_over(_changed(path))]
    if len(old) == len(unnamed) and _is_over_and_dropped(home, manifests, retention):
        kept = set()
    for number in numbers:
        if number not in kept:
            yield _garbage("manifest", commits.manifest_path(home, number))
    for path in old:
        yield _garbage("data", path)


def _kept_numbers(home: UPath, numbers: list[int], pinned: set[int], retention: Retention) -> set[int]:
    kept = {*numbers[-1:], *pinned.intersection(numbers)}
    for number, after in pairwise(numbers):
        if number not in kept and not retention.is_over(_changed(commits.manifest_path(home, after))):
            kept.add(number)
    return kept


def _is_over_and_dropped(home: UPath, manifests: Mapping[int, Manifest], retention: Retention) -> bool:
    """Whether all that is left of a partition is the word that it was dropped, long ago."""
    if len(manifests) != 1:
        return False
    ((number, manifest),) = manifests.items()
    return manifest.dropped and retention.is_over(_changed(commits.manifest_path(home, number)))


def _unnamed(owner: Owner, manifests: list[Manifest], *, first_format: bool) -> Iterator[UPath]:
    """Data files that none of the manifests names; in a partition of the first format its file counts."""
    for name, folder in owner.folders.items():
        tables = [each.tables[name] for each in manifests if name in each.tables]
        named = {file.name for table in tables for file in table.files}
        for path in files_in(folder):
            ours = path.name.endswith(SUFFIX) and not path.name.startswith(TEMPORARY_PREFIX)
            first = path.name == FIRST_FORMAT and first_format
            if ours and not first and path.name not in named:
                yield path


def _leftovers(folder: UPath, retention: Retention) -> Iterator[Garbage]:
    """What killed writers left in a folder."""
    for path in files_in(folder):
        if path.name.startswith(TEMPORARY_PREFIX) and retention.is_over(_changed(path)):
            yield _garbage("leftover", path)


def _garbage(kind: str, path: UPath) -> Garbage:
    try:
        size = int((local_path(path).lstat() if is_local(path) else path.stat()).st_size)
    except FileNotFoundError:
        size = 0
    return Garbage(kind, path, size)


def _changed(path: UPath) -> float | None:
    """When a file was last changed; ``None`` where that is not known, as of some object stores."""
    try:
        changed = (local_path(path).lstat() if is_local(path) else path.stat()).st_mtime
    except (FileNotFoundError, AttributeError):
        return None
    return float(changed) or None


def _remove_empty(root: UPath, folder: UPath) -> None:
    """Remove a folder and those around it, as far as they are empty; a table's own folder stays."""
    below = local_path(folder)
    while len(below.relative_to(local_path(root)).parts) > 1:
        try:
            below.rmdir()
        except OSError:
            return
        below = below.parent
