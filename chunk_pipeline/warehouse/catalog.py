"""The DuckDB catalog: every table in one file for people and their SQL.

A DuckDB writer shuts out every other process, so no run writes the catalog in place. It is built as a private
file, verified, kept as ``catalog/v-<digest>.duckdb``, and the symlink ``chunk_pipeline.duckdb`` is swapped.
Readers with the old version open keep it. The digest is over the contents of the tables: nothing changed,
nothing built. Tested by tests/warehouse/test_catalog.py.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
from upath import UPath

from chunk_pipeline.warehouse.atomic import (
    TEMPORARY_PREFIX,
    is_local,
    local_path,
    make_folder,
    sweep,
    sync_folder,
    write_bytes,
)
from chunk_pipeline.warehouse.fingerprint import fingerprint
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.tables import TABLES, Table

NAME = "chunk_pipeline.duckdb"
FOLDER = "catalog"
STORAGE_VERSION = "v1.4.0"
"""Today's command-line shell from PyPI cannot read a newer storage format."""


class CatalogError(RuntimeError):
    """A catalog that was built does not hold what the tables hold; the previous one stays in use."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """A built catalog: where it is, its version, and how many rows each table has."""

    path: UPath
    version: str
    rows: dict[str, int]
    built: bool


def catalog_tables() -> tuple[Table, ...]:
    """The tables that the catalog holds."""
    return tuple(table for table in TABLES if table.in_catalog)


def build_catalog(warehouse: Warehouse, keep: int = 3) -> Catalog:
    """Bring the catalog into step with the tables; does nothing where it is.

    Args:
        warehouse: The tables.
        keep: How many versions stay, the newest included.

    Raises:
        CatalogError: What was built does not read back right.
    """
    version = _version(warehouse)
    target, link = _version_path(warehouse, version), warehouse.root / NAME
    with warehouse.lock(link):
        built = not is_catalog_current(warehouse)
        if built:
            with tempfile.TemporaryDirectory() as folder:
                private = Path(folder) / "private.duckdb"
                _fill(private, warehouse)
                rows = verify_catalog(private, warehouse)
                _publish(private, target, link)
            _forget(warehouse, target, keep)
        else:
            rows = _counts(warehouse)
    return Catalog(path=link, version=version, rows=rows, built=built)


def is_catalog_current(warehouse: Warehouse) -> bool:
    """Whether the catalog in use was built from the present tables."""
    target = _version_path(warehouse, _version(warehouse))
    return target.exists() and _digest_path(target).exists() and _is_linked(warehouse.root / NAME, target)


def verify_catalog(path: Path, warehouse: Warehouse) -> dict[str, int]:
    """Open a catalog as a reader would and compare its row counts with the tables.

    Returns:
        Rows of each table.

    Raises:
        CatalogError: It does not open, or a count differs.
    """
    expected = _counts(warehouse)
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            found = {
                table.name: int(connection.table(table.name).count("*").fetchall()[0][0])
                for table in catalog_tables()
            }
    except duckdb.Error as error:
        raise CatalogError(f"{path} does not open: {error}; delete it and materialise catalog") from error
    wrong = [f"{name}: {found[name]} of {count}" for name, count in expected.items() if found[name] != count]
    if wrong:
        raise CatalogError(f"{path}: rows missing or surplus: {'; '.join(wrong)}; materialise catalog again")
    return found


def catalog_damage(warehouse: Warehouse, *, deep: bool = True) -> tuple[UPath, str] | None:
    """The file of the catalog in use and what is wrong with its bytes; ``None`` where nothing is.

    Whether it is in step with the tables is another question (``is_catalog_current``).

    Args:
        warehouse: The tables.
        deep: Read all of it; else only whether it is there is looked at.
    """
    link = warehouse.root / NAME
    if not link.exists():
        return link, "it is not there"
    used = _used(link)
    recorded = _digest_path(used)
    if not recorded.exists():
        return used, "its digest is not there"
    if deep and recorded.read_text(encoding="utf-8").split()[:1] != [_sha256(used)]:
        return used, "its SHA-256 does not fit"
    return None


def forget_catalog(warehouse: Warehouse) -> None:
    """Delete the catalog in use, so that it is built anew."""
    link = warehouse.root / NAME
    used = _used(link)
    for path in (used, _digest_path(used), link):
        path.unlink(missing_ok=True)


def _used(link: UPath) -> UPath:
    """The version that the link leads to."""
    return UPath(local_path(link).resolve()) if is_local(link) else link


def _sha256(path: UPath) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _digest_path(version: UPath) -> UPath:
    """Where the digest of a version's bytes is kept, as ``sha256sum -c`` reads it."""
    return version.with_name(f"{version.name}.sha256")


def _version(warehouse: Warehouse) -> str:
    contents = {
        table.name: [
            [str(warehouse.folder(table, partition).relative_to(warehouse.root)), stored.content]
            for partition in warehouse.partitions(table)
            if (stored := warehouse.stored(table, partition)) is not None
        ]
        for table in catalog_tables()
    }
    schemas = {table.name: str(table.schema) for table in catalog_tables()}
    return fingerprint(contents=contents, schemas=schemas, storage=STORAGE_VERSION)


def _counts(warehouse: Warehouse) -> dict[str, int]:
    return {
        table.name: sum(
            stored.rows
            for partition in warehouse.partitions(table)
            if (stored := warehouse.stored(table, partition)) is not None
        )
        for table in catalog_tables()
    }


def _fill(path: Path, warehouse: Warehouse) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{_quoted(str(path))}' AS catalog (STORAGE_VERSION '{STORAGE_VERSION}')")
        connection.execute("USE catalog")
        for table in catalog_tables():
            # One transaction a table: each writes the log to disk, and there are hundreds of partitions.
            connection.begin()
            _create(connection, table)
            for partition in warehouse.partitions(table):
                rows = warehouse.read(table, partition)
                if rows.num_rows:
                    connection.register("part", rows)
                    connection.execute(f"INSERT INTO {table.name} SELECT * FROM part")
                    connection.unregister("part")
            connection.commit()
        connection.execute("CHECKPOINT catalog")


def _create(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    connection.register("declared", table.empty())
    described = connection.execute("DESCRIBE SELECT * FROM declared").fetchall()
    connection.unregister("declared")
    columns = [
        f'"{name}" {kind}{"" if table.schema.field(name).nullable else " NOT NULL"}'
        for name, kind, *_ in described
    ]
    key = ", ".join(f'"{name}"' for name in table.key)
    connection.execute(f"CREATE TABLE {table.name} ({', '.join(columns)}, PRIMARY KEY ({key}))")
    connection.execute(f"COMMENT ON TABLE {table.name} IS '{_quoted(table.description)}'")
    for name in table.schema.names:
        comment = _quoted(table.describe(name))
        connection.execute(f"COMMENT ON COLUMN {table.name}.\"{name}\" IS '{comment}'")


def _quoted(text: str) -> str:
    return text.replace("'", "''")


def _version_path(warehouse: Warehouse, version: str) -> UPath:
    return warehouse.root / FOLDER / f"v-{version[:16]}.duckdb"


def _is_linked(link: UPath, target: UPath) -> bool:
    if not is_local(link):
        return link.exists()
    path = local_path(link)
    return path.is_symlink() and path.resolve() == local_path(target).resolve()


def _publish(private: Path, target: UPath, link: UPath) -> None:
    """Move the verified file to its version's name and point the link at it, each in one step."""
    digest = _sha256(UPath(private))
    if not is_local(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        for remote in (target, link):
            remote.fs.put_file(str(private), remote.path)
            write_bytes(_digest_path(remote), f"{digest}  {remote.name}\n".encode())
        return
    version, symlink = local_path(target), local_path(link)
    make_folder(version.parent)
    sweep(version.parent)
    # The private file may lie on another file system: copy under a temporary name, then rename.
    arrival = version.with_name(f"{TEMPORARY_PREFIX}{version.name}")
    shutil.copyfile(private, arrival)
    with arrival.open("rb+") as file:
        os.fsync(file.fileno())
    arrival.replace(version)
    write_bytes(_digest_path(target), f"{digest}  {target.name}\n".encode())
    swap = symlink.with_name(f"{TEMPORARY_PREFIX}{symlink.name}")
    swap.unlink(missing_ok=True)
    swap.symlink_to(Path(FOLDER) / version.name)
    swap.replace(symlink)
    sync_folder(symlink.parent)


def _forget(warehouse: Warehouse, current: UPath, keep: int) -> None:
    """Delete old versions; a reader that has one open keeps it until it closes."""
    versions = [path for path in (warehouse.root / FOLDER).glob("v-*.duckdb") if path.name != current.name]
    newest_first = sorted(versions, key=lambda path: (-path.stat().st_mtime, path.name))
    for old in newest_first[max(keep - 1, 0) :]:
        old.unlink(missing_ok=True)
        _digest_path(old).unlink(missing_ok=True)
