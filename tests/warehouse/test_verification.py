"""Every damage that a store can have is named, exactly, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.warehouse.catalog import NAME
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.partitions import is_main, owners_of
from chunk_pipeline.warehouse.releases import release_path
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, RETRIEVAL_METRICS, SKIPS, TABLES, VECTORS, Table
from chunk_pipeline.warehouse.verification import Damage, verify
from tests.warehouse.damage import WAYS, delete, flip, swap, truncate, undone
from tests.warehouse.whole_store import REPORT, commit, files_of, make_store, manifest_of, publish

pytestmark = pytest.mark.fault

EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
MAIN_TABLES = [table for table in TABLES if is_main(table)]
MAIN_TABLE = pytest.mark.parametrize("table", MAIN_TABLES, ids=lambda table: table.name)
WAY = pytest.mark.parametrize("way", WAYS)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """One whole store for all tests, each of which undoes what it does."""
    return make_store(tmp_path_factory.mktemp("store") / "warehouse")


def root_of(store: Warehouse) -> Path:
    return Path(str(store.root))


def told(store: Warehouse) -> list[tuple[str, str]]:
    """Kind and file of each damage that is found."""
    return [(each.kind, each.path) for each in verify(store).damages]


def test_a_whole_store_is_whole(store: Warehouse) -> None:
    found = verify(store)
    assert found.whole
    assert not found.behind
    assert found.unnamed == ()
    assert found.manifests == len(MAIN_TABLES)
    assert found.files == sum(len(owners_of(each)) for each in TABLES)
    assert found.releases == 1


@WAY
@EVERY_TABLE
def test_a_damaged_data_file_is_named(store: Warehouse, table: Table, way: str) -> None:
    for path in files_of(store, table):
        with undone(path):
            WAYS[way](path)
            [found] = verify(store).damages
            assert (found.kind, found.table) == ("data", table.name)
            assert root_of(store) / found.path == path
            assert found.place.split("/")[0] in {each.name for each in owners_of(table)}
            assert found.says


@WAY
@MAIN_TABLE
def test_a_damaged_manifest_is_named(store: Warehouse, table: Table, way: str) -> None:
    path = manifest_of(store, table)
    with undone(path):
        WAYS[way](path)
        assert told(store) == [("manifest", str(path.relative_to(root_of(store))))]
        unnamed = verify(store).unnamed
        # What nobody names now is listed, and is no damage of its own.
        assert {each.split("/")[0] for each in unnamed} >= {table.name}


@WAY
def test_a_damaged_report_is_named(store: Warehouse, way: str) -> None:
    path = root_of(store) / REPORT
    with undone(path):
        WAYS[way](path)
        [found] = verify(store).damages
        assert found == Damage(
            "report",
            RETRIEVAL_METRICS.name,
            REPORT,
            "it is not there" if way == "delete" else "its SHA-256 does not fit",
        )


@WAY
def test_a_damaged_catalog_is_named(store: Warehouse, way: str) -> None:
    path = (root_of(store) / NAME).resolve()
    with undone(path):
        WAYS[way](path)
        [found] = verify(store).damages
        assert (found.kind, found.place) == ("catalog", "catalog")


@pytest.mark.parametrize("way", ["flip", "truncate"])
def test_a_damaged_release_is_named(store: Warehouse, way: str) -> None:
    path = Path(str(release_path(store, 1)))
    with undone(path):
        WAYS[way](path)
        [found] = verify(store).damages
        assert (found.kind, found.place) == ("release", "release 1")


def test_two_data_files_in_each_other_s_place_are_both_named(store: Warehouse) -> None:
    [one], [other] = files_of(store, CHUNKS), files_of(store, FILES)
    with undone(one, other):
        swap(one, other)
        assert told(store) == [
            ("data", str(path.relative_to(root_of(store)))) for path in sorted((one, other))
        ]


def test_two_manifests_in_each_other_s_place_are_both_named(store: Warehouse) -> None:
    one, other = manifest_of(store, CHUNKS), manifest_of(store, VECTORS)
    with undone(one, other):
        swap(one, other)
        found = verify(store).damages
        assert [(each.kind, each.place.split("/")[0]) for each in found] == [
            ("manifest", "chunks"),
            ("manifest", "vectors"),
        ]
        assert found[0].says.startswith("it is of vectors")


def test_a_stray_file_is_listed_and_no_damage(store: Warehouse) -> None:
    [path] = files_of(store, SKIPS)
    stray = path.with_name("notes.parquet")
    with undone(stray):
        stray.write_bytes(path.read_bytes())
        found = verify(store)
        assert found.whole
        assert found.unnamed == (str(stray.relative_to(root_of(store))),)


def test_several_damages_are_all_named_and_the_catalog_is_not_blamed_for_them(store: Warehouse) -> None:
    [chunks], [files] = files_of(store, CHUNKS), files_of(store, FILES)
    manifest, report = manifest_of(store, VECTORS), root_of(store) / REPORT
    with undone(chunks, files, manifest, report):
        flip(chunks)
        truncate(files)
        delete(manifest)
        flip(report)
        assert [kind for kind, _ in told(store)] == ["data", "data", "manifest", "report"]


def test_only_the_named_source_is_looked_at(tmp_path: Path) -> None:
    store = make_store(tmp_path / "warehouse")
    commit(store, FILES, "text", repository="two")
    [one, two] = files_of(store, FILES)
    flip(one)
    truncate(Path(str(release_path(store, 1))))
    assert verify(store, repository="two").whole
    assert [each.path for each in verify(store, repository="one").damages] == [
        str(one.relative_to(root_of(store)))
    ]
    flip(two)
    assert len(verify(store, repository="two").damages) == 1


def test_the_quick_form_sees_sizes_and_manifests_and_no_flipped_bit_of_rows(store: Warehouse) -> None:
    [chunks], manifest = files_of(store, CHUNKS), manifest_of(store, FILES)
    with undone(chunks, manifest):
        flip(chunks)
        assert verify(store, deep=False).whole
        truncate(chunks)
        flip(manifest)
        assert [each.kind for each in verify(store, deep=False).damages] == ["data", "manifest"]


def test_tables_that_are_newer_than_the_release_are_behind_and_whole(tmp_path: Path) -> None:
    store = make_store(tmp_path / "warehouse")
    commit(store, CHUNKS, "text", "more")
    found = verify(store)
    assert found.whole
    assert found.behind
    publish(store)
    assert not verify(store).behind


def test_what_an_older_release_names_is_read_as_well_and_does_not_count(tmp_path: Path) -> None:
    store = make_store(tmp_path / "warehouse")
    [old] = files_of(store, CHUNKS)
    commit(store, CHUNKS, "another")
    publish(store)
    flip(old)
    [found] = verify(store).damages
    assert root_of(store) / found.path == old
    assert not found.counts


def test_rows_that_are_others_than_the_manifest_says_are_named_even_if_every_byte_fits(
    tmp_path: Path,
) -> None:
    store = make_store(tmp_path / "warehouse")
    manifest = store.manifest(CHUNKS, store.partitions(CHUNKS)[0])
    assert manifest is not None
    table = manifest.tables["chunks"]
    lied = table.model_copy(update={"files": (table.files[0].model_copy(update={"content": "0" * 64}),)})
    tables = {**manifest.tables, "chunks": lied}
    manifest_of(store, CHUNKS, 2).write_bytes(manifest.model_copy(update={"tables": tables}).encode())
    assert [each.says for each in verify(store).damages] == ["its rows are others than its manifest says"]


def test_progress_is_told_to_its_end(store: Warehouse) -> None:
    heard: list[tuple[int, int]] = []
    verify(store, told=lambda what, done, total: heard.append((done, total)))
    assert heard[0][0] == 0
    assert heard[-1][0] == heard[-1][1] == verify(store).files


def test_an_object_store_is_verified_too() -> None:
    store = Warehouse("memory://verification-test")
    commit(store, CHUNKS, "text")
    commit(store, RETRIEVAL_METRICS, "text")
    publish(store)
    assert verify(store).whole
    [path] = [each for part in store.partitions(CHUNKS) for each in store.files(CHUNKS, part)]
    path.write_bytes(path.read_bytes()[:-1])
    assert [each.kind for each in verify(store).damages] == ["data"]
