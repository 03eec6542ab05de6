"""Owners: the partitions of main tables that there are, and where all that is committed with them lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upath import UPath

from chunk_pipeline.warehouse.atomic import is_local, local_path
from chunk_pipeline.warehouse.parquet import Partition, Place, Warehouse
from chunk_pipeline.warehouse.partitions import folder_of, folders_of, is_main, owned, owner_of, owners_of
from chunk_pipeline.warehouse.tables import TABLES, Table


@dataclass(frozen=True)
class Owner:
    """A partition of a main table.

    Attributes:
        table: The main table.
        partition: Its partition.
        home: Its folder, with its manifests.
        folders: By name, the folders of its data files and of those of the tables committed with it.
    """

    table: Table
    partition: Partition
    home: UPath
    folders: dict[str, UPath]

    @property
    def place(self) -> Place:
        """Its folders below the root."""
        return folder_of(self.table, self.partition)

    @property
    def name(self) -> str:
        """Its folders below the root, as a path."""
        return "/".join(self.place)

    @property
    def named(self) -> tuple[str, dict[str, str]]:
        """Table and partition as its manifests name them."""
        folders = folders_of(self.table)
        return self.table.name, {each: str(getattr(self.partition, each)) for each in folders}


def owners(warehouse: Warehouse, also: Iterable[str] = ()) -> Iterator[Owner]:
    """Every owner of which there is a folder, or one of a table committed with it, in the order of places.

    Args:
        warehouse: The tables.
        also: Places that are told of elsewhere, whether or not their folders are there.
    """
    found: dict[str, tuple[Table, Partition]] = {}
    for table in TABLES:
        for partition in warehouse.known_partitions(table):
            main, own = owner_of(table, partition)
            found.setdefault("/".join(folder_of(main, own)), (main, own))
    for place in also:
        parsed = parse_place(place)
        if parsed is not None:
            found.setdefault(place, parsed)
    for _, (main, own) in sorted(found.items()):
        yield owner_at(warehouse, main, own)


def owner_at(warehouse: Warehouse, main: Table, partition: Partition) -> Owner:
    """The owner of a main table's partition."""
    folders = {
        table.name: warehouse.folder(table, owned(table, main, partition))
        for table in TABLES
        if main in owners_of(table)
    }
    return Owner(main, partition, warehouse.folder(main, partition), folders)


def parse_place(place: str) -> tuple[Table, Partition] | None:
    """The main table and partition of a place, or ``None`` where this release has no such table."""
    name, *folders = place.split("/")
    values = dict(each.split("=", 1) for each in folders if "=" in each)
    for table in TABLES:
        if table.name == name and is_main(table) and tuple(values) == folders_of(table):
            return table, Partition(**values)
    return None


def files_in(folder: UPath) -> list[UPath]:
    """The files of a folder, sorted; none where it is not there."""
    try:
        if is_local(folder):
            names = sorted(path.name for path in local_path(folder).iterdir() if not path.is_dir())
        else:
            names = sorted(path.name for path in folder.iterdir() if path.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in names]
