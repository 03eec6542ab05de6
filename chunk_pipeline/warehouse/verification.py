"""Verifying: everything is read again and held against what the manifests say of it.

Told is each thing that is damaged or missing, with what it belongs to. Files that no manifest names harm
nobody and are only listed: a run that is going on has some, killed runs leave some. Tables that are newer
than the catalog and the release are no damage either: a run was killed, and the next goes on from there.
Tested by tests/warehouse/test_verification.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from chunk_pipeline.warehouse import commits
from chunk_pipeline.warehouse.arrow_types import plainly_typed
from chunk_pipeline.warehouse.atomic import TEMPORARY_PREFIX, is_local, local_path
from chunk_pipeline.warehouse.catalog import (
    NAME,
    CatalogError,
    catalog_damage,
    is_catalog_current,
    verify_catalog,
)
from chunk_pipeline.warehouse.columns import columns_digest_of
from chunk_pipeline.warehouse.manifest import DamagedTableError, DataFile, Manifest, StoredTable
from chunk_pipeline.warehouse.owners import Owner, files_in, owners
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.parquet_files import size_of
from chunk_pipeline.warehouse.releases import (
    Numbered,
    at,
    is_release_current,
    load_release,
    release_numbers,
    release_path,
)
from chunk_pipeline.warehouse.row_digest import row_digest

Told = Callable[[str, int, int], None]
"""Told what is read, how many files are done, and how many there are."""

MANIFEST, DATA, RELEASE, REPORT, CATALOG = "manifest", "data", "release", "report", "catalog"
KINDS = (MANIFEST, DATA, RELEASE, REPORT, CATALOG)


@dataclass(frozen=True, slots=True, order=True)
class Damage:
    """Something that is not as it was written.

    Attributes:
        kind: One of ``KINDS``.
        place: What it belongs to: the folders of a main table's partition, or ``release 3``, or ``catalog``.
        path: The file, from the root of the warehouse.
        says: What is wrong with it.
        table: Table of a data file, else empty.
        counts: Whether it is of the present state; else only of an older release, or of what was superseded.
    """

    kind: str
    place: str
    path: str
    says: str
    table: str = ""
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found.

    Attributes:
        damages: What is damaged or missing, sorted.
        unnamed: Files that no manifest names, sorted.
        behind: Whether the tables are newer than the newest release: a run did not end.
        manifests: How many were read.
        files: How many data files were read.
        size: Bytes of the data files.
        releases: How many releases there are.
    """

    damages: tuple[Damage, ...]
    unnamed: tuple[str, ...]
    behind: bool
    manifests: int
    files: int
    size: int
    releases: int

    @property
    def whole(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damages


@dataclass(frozen=True, slots=True)
class _File:
    """A data file to be read, and the manifest that names it."""

    owner: Owner
    table: str
    columns: str
    file: DataFile
    counts: bool

    @property
    def path(self) -> UPath:
        return self.owner.folders[self.table] / self.file.name


@dataclass
class _Found:
    """What is gathered on the way."""

    damages: list[Damage] = field(default_factory=list)
    files: dict[tuple[str, str], _File] = field(default_factory=dict)
    unnamed: list[str] = field(default_factory=list)
    manifests: int = 0


def quiet(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def verify(
    warehouse: Warehouse, *, repository: str | None = None, deep: bool = True, told: Told = quiet
) -> Verification:
    """Hold the warehouse against its manifests.

    Args:
        warehouse: The tables.
        repository: Only the partitions of this source (partition key); releases, reports and the catalog are
            of all sources and left out then.
        deep: Read every data file and the catalog; else only manifests are read, and sizes are compared.
        told: Told how far the work is.
    """
    found = _Found()
    releases = _releases(warehouse, found, tell=repository is None)
    named = _named(releases)
    for owner in owners(warehouse, named):
        if repository in (None, owner.partition.repository):
            _look_at(warehouse, owner, named.get(owner.name, {}), found)
    files = list(found.files.values())
    for done, each in enumerate(files):
        told("files", done, len(files))
        if says := _wrong(each, deep=deep):
            where = str(each.path.relative_to(warehouse.root))
            found.damages.append(Damage(DATA, each.owner.name, where, says, each.table, each.counts))
    told("files", len(files), len(files))
    tables_whole = not found.damages
    if repository is None:
        found.damages += _catalog(warehouse, releases, deep=deep, compare=tables_whole)
    return Verification(
        damages=tuple(sorted(found.damages)),
        unnamed=tuple(sorted(found.unnamed)),
        behind=repository is None and tables_whole and not is_release_current(warehouse),
        manifests=found.manifests,
        files=len(files),
        size=sum(each.file.size for each in files),
        releases=len(releases),
    )


def _releases(warehouse: Warehouse, found: _Found, *, tell: bool) -> list[Numbered]:
    releases = []
    for number in release_numbers(warehouse):
        try:
            releases.append(Numbered(number, load_release(warehouse, number)))
        except FileNotFoundError:
            continue  # collected meanwhile
        except DamagedTableError as error:
            if tell:
                path = str(release_path(warehouse, number).relative_to(warehouse.root))
                found.damages.append(Damage(RELEASE, f"release {number}", path, _reason(error)))
    return releases


Named = dict[int, tuple[str, int]]
"""By the number of a manifest: its digest, and the newest release that names it."""


def _named(releases: list[Numbered]) -> dict[str, Named]:
    """What the releases name, by place."""
    named: dict[str, Named] = {}
    for each in releases:
        for place, held in each.release.places.items():
            named.setdefault(place, {})[held.number] = (held.digest, each.number)
    return named


def _look_at(warehouse: Warehouse, owner: Owner, named: Named, found: _Found) -> None:
    """Read the manifests of a partition, gather the data files of those that are needed, and the others'."""
    numbers = commits.numbers(owner.home)
    newest = max([*numbers, *named], default=0)
    known: set[tuple[str, str]] = set()
    for number in sorted({*numbers, *named}):
        path = commits.manifest_path(owner.home, number)
        manifest, says = _manifest(owner, number, named.get(number))
        found.manifests += manifest is not None
        if says:
            where = str(path.relative_to(warehouse.root))
            found.damages.append(Damage(MANIFEST, owner.name, where, says, counts=number == newest))
        if manifest is None or manifest.dropped:
            continue
        for name, table in manifest.tables.items():
            known |= {(name, file.name) for file in table.files}
            if name in owner.folders and (number == newest or number in named):
                _gather(owner, name, table, found, counts=number == newest)
        if number == newest:
            found.damages += _reports(warehouse, owner, manifest)
    found.unnamed += [
        str(path.relative_to(warehouse.root))
        for name, folder in owner.folders.items()
        for path in files_in(folder)
        if (name, path.name) not in known and not path.name.startswith(TEMPORARY_PREFIX)
    ]


def _manifest(owner: Owner, number: int, named: tuple[str, int] | None) -> tuple[Manifest | None, str]:
    """A manifest where it reads back, and what is wrong, if anything is."""
    try:
        manifest = commits.load(owner.home, number)
    except FileNotFoundError:
        return None, f"it is not there, and release {named[1]} names it" if named else ""
    except DamagedTableError as error:
        return None, _reason(error)
    if (manifest.table, dict(manifest.partition)) != owner.named:
        return None, f"it is of {manifest.table} {dict(manifest.partition)}"
    if named is not None and manifest.digest != named[0]:
        return manifest, f"it is another than release {named[1]} names"
    return manifest, ""


def _gather(owner: Owner, name: str, table: StoredTable, found: _Found, *, counts: bool) -> None:
    for file in table.files:
        each = _File(owner, name, table.columns, file, counts)
        key = (str(each.path), file.sha256)
        if counts or key not in found.files:
            found.files[key] = each


def _reports(warehouse: Warehouse, owner: Owner, manifest: Manifest) -> Iterator[Damage]:
    for path, digest in sorted(manifest.pages.items()):
        there = warehouse.page_digest(path)
        if there != digest:
            says = "its SHA-256 does not fit" if there else "it is not there"
            yield Damage(REPORT, owner.name, path, says)


def _wrong(each: _File, *, deep: bool) -> str:
    """What is wrong with a data file; empty where nothing is."""
    size = size_of(each.path)
    if size is None:
        return "it is not there"
    if size != each.file.size:
        return f"it has {size:,} bytes, not {each.file.size:,}"
    if not deep:
        return ""
    data = (local_path(each.path) if is_local(each.path) else each.path).read_bytes()
    if hashlib.sha256(data).hexdigest() != each.file.sha256:
        return "its SHA-256 does not fit"
    return _wrong_rows(each, data)


def _wrong_rows(each: _File, data: bytes) -> str:
    try:
        rows = plainly_typed(pq.ParquetFile(pa.BufferReader(data)).read().replace_schema_metadata(None))
    except (pa.ArrowException, OSError) as error:
        return f"it does not read back ({error})"
    if rows.num_rows != each.file.rows:
        return f"it has {rows.num_rows:,} rows, not {each.file.rows:,}"
    if columns_digest_of(rows.schema) != each.columns:
        return "it has other columns than its manifest says"
    return "" if row_digest(rows) == each.file.content else "its rows are others than its manifest says"


def _catalog(
    warehouse: Warehouse, releases: list[Numbered], *, deep: bool, compare: bool
) -> Iterator[Damage]:
    """The catalog's own bytes, and, where the tables are whole, whether it holds what they hold."""
    link = warehouse.root / NAME
    if not releases and not link.exists():
        return  # nothing was ever published
    damage = catalog_damage(warehouse, deep=deep)
    if damage is not None:
        yield Damage(CATALOG, "catalog", str(damage[0].relative_to(warehouse.root)), damage[1])
        return
    if not compare:
        return
    views = [warehouse, *(at(warehouse, each.release) for each in releases[-1:])]
    view = next((each for each in views if is_catalog_current(each)), None)
    says = "it is neither of the present tables nor of the newest release's" if view is None else ""
    if view is not None and deep and is_local(link):
        try:
            verify_catalog(local_path(link), view)
        except CatalogError as error:
            says = str(error)
    if says:
        yield Damage(CATALOG, "catalog", NAME, says)


def _reason(error: DamagedTableError) -> str:
    """What is wrong, without the name of the file and what to do, which are told elsewhere."""
    text = str(error)
    return "its digest does not fit" if "digest" in text else text.partition(" is ")[2] or text
