"""A re-run costs what changed, not what exists."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.defs import keys
from chunk_pipeline.defs.health.commit_points import untold
from chunk_pipeline.defs.launch import open_instance, run_sources
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, DENSE_INDEX, POSTINGS, RANKINGS, VECTORS
from chunk_pipeline.warehouse.told import is_told
from tests.end_to_end.project import TWO_STRATEGIES, Project, loaded_encoder, make_project

TRANSLATIONS = "src/i18n/app_en.json"


class Runs:
    """Runs of one project in this process, with one encoder for all."""

    def __init__(self, project: Project, instance: dg.DagsterInstance) -> None:
        self.project = project
        self.instance = instance
        self.workspace = Workspace(project.settings, make_encoder=loaded_encoder)

    def __call__(self) -> dict[str, JobResult]:
        names = [source.name for source in self.workspace.sources.sources]
        results = run_sources(self.workspace, self.instance, names)
        assert all(result.succeeded for result in results), results
        return {result.name: result for result in results}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    patch = pytest.MonkeyPatch()
    root = tmp_path_factory.mktemp("incremental")
    patch.setenv("DAGSTER_HOME", str(root / "project" / "dagster_home"))
    project = make_project(root / "project", "harbour", "atlas-docs", strategies=TWO_STRATEGIES)
    with open_instance(project.settings) as instance:
        runs = Runs(project, instance)
        first = runs()
        assert first["harbour"].counts["files_chunked"] > 0
        assert first["harbour"].counts["texts_encoded"] > 0
        yield runs
    patch.undo()


def vectors_of(project: Project, source: str) -> dict[str, set[str]]:
    """Digests of the encoded texts of a source, by strategy."""
    rows = project.warehouse.read(VECTORS, repository=partition_key(source))
    found: dict[str, set[str]] = {}
    columns = (rows["strategy"].to_pylist(), rows["text_sha256"].to_pylist())
    for strategy, digest in zip(*columns, strict=True):
        found.setdefault(strategy, set()).add(digest)
    return found


def test_with_nothing_changed_nothing_is_chunked_or_encoded(runs: Runs) -> None:
    before = runs.project.digests()
    again = runs()
    assert all(result.up_to_date for result in again.values())
    assert (
        sum(result.counts["files_chunked"] + result.counts["texts_encoded"] for result in again.values()) == 0
    )
    assert runs.project.digests() == before


def test_a_new_instance_is_told_what_there_is_and_nothing_is_made_again(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = runs.project.digests()
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "another"))
    with open_instance(runs.project.settings) as another:
        alone = run_sources(runs.workspace, another, ["harbour"])
        assert [each.succeeded for each in alone] == [True, True]
        assert not is_told(tmp_path / "another", runs.workspace.warehouse)
        first = Runs(runs.project, another)()
        assert {name: each.up_to_date for name, each in first.items()} == {
            "harbour": True,
            "atlas-docs": False,
            "evaluate": True,
        }
        made = [
            each.counts["files_chunked"] + each.counts["texts_encoded"] for each in (*alone, *first.values())
        ]
        assert made == [0] * len(made)
        ingested = another.get_materialized_partitions(keys.RAW_FILES)
        assert ingested == {partition_key("harbour"), partition_key("atlas-docs")}
        assert untold(runs.workspace, another) == []
        assert is_told(tmp_path / "another", runs.workspace.warehouse)
        assert all(result.up_to_date for result in Runs(runs.project, another)().values())
    assert runs.project.digests() == before


def test_one_changed_value_rechunks_its_file_alone_and_encodes_only_changed_texts(runs: Runs) -> None:
    project = runs.project
    path = project.file("harbour", TRANSLATIONS)
    before = vectors_of(project, "harbour")
    ids_before = set(project.read(CHUNKS)["chunk_id"].to_pylist())
    changed = _change_one_value(path)
    again = runs()
    strategies = len(TWO_STRATEGIES)
    assert again["atlas-docs"].up_to_date
    assert again["harbour"].counts["files_chunked"] == strategies
    after = vectors_of(project, "harbour")
    new = sum(len(after[name] - before[name]) for name in after)
    assert again["harbour"].counts["texts_encoded"] == new
    assert 0 < new <= 2 * strategies
    fresh = [
        row
        for row in project.read(CHUNKS).select(["chunk_id", "path", "text"]).to_pylist()
        if row["chunk_id"] not in ids_before
    ]
    assert {row["path"] for row in fresh} == {TRANSLATIONS}
    assert any(changed in row["text"] for row in fresh)


def test_a_deleted_file_leaves_every_table(runs: Runs) -> None:
    project = runs.project
    gone = "src/schemas/vessels.update.json"
    ids = _ids_of(project, gone)
    assert ids
    project.file("harbour", gone).unlink()
    again = runs()
    assert again["harbour"].counts["files_chunked"] == 0
    assert again["harbour"].counts["texts_encoded"] == 0
    for table in project.tables_with_paths():
        assert gone not in project.paths_in(table), table.name
    for table in (POSTINGS, DENSE_INDEX, RANKINGS):
        assert not ids & set(project.read(table)["chunk_id"].to_pylist()), table.name
    texts = set(project.read(CHUNKS)["text_sha256"].to_pylist())
    stored = project.warehouse.read(VECTORS, repository=partition_key("harbour"))
    assert set(stored["text_sha256"].to_pylist()) <= texts


def test_a_source_that_leaves_the_sources_file_leaves_every_table(runs: Runs) -> None:
    project = runs.project
    lines = project.sources.read_text().splitlines()
    first = lines.index("  - name: atlas-docs")
    project.sources.write_text("\n".join(lines[:first] + lines[first + 4 :]) + "\n")
    runs()
    for table in project.tables_with_paths():
        if "repository" in table.schema.names:
            assert "atlas-docs" not in set(project.read(table)["repository"].to_pylist()), table.name
    assert runs.instance.get_dynamic_partitions("repository") == [partition_key("harbour")]


def test_incremental_tables_equal_those_from_scratch(runs: Runs, tmp_path: Path) -> None:
    """After all that the tests before this one changed, and two changes more."""
    project = runs.project
    _change_one_value(project.file("harbour", TRANSLATIONS))
    project.file("harbour", "src/schemas/berths.get.json").unlink()
    runs()
    scratch = Project(tmp_path / "project")
    shutil.copytree(project.root / "repositories", scratch.root / "repositories")
    shutil.copy(project.sources, scratch.sources)
    scratch.run()
    assert scratch.digests() == project.digests()


def _change_one_value(path: Path) -> str:
    text = path.read_text(encoding="utf-8-sig")
    value = next(_strings(json.loads(text)))
    changed = f"{value} for today"
    path.write_text(
        text.replace(json.dumps(value, ensure_ascii=False), json.dumps(changed, ensure_ascii=False), 1)
    )
    return changed


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) > 8:
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)


def _ids_of(project: Project, path: str) -> set[str]:
    rows = project.read(CHUNKS).select(["chunk_id", "path"]).to_pylist()
    return {row["chunk_id"] for row in rows if row["path"] == path}


def test_a_partition_is_where_its_repository_says(runs: Runs) -> None:
    for partition in runs.project.warehouse.partitions(CHUNKS):
        rows = runs.project.warehouse.read(CHUNKS, Partition(partition.strategy, None, partition.repository))
        assert {partition_key(name) for name in rows["repository"].to_pylist()} == {partition.repository}
