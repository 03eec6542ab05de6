"""A project of a few short files, its stages as named steps, and an encoder that costs nothing.

Crashes are tried at hundreds of points, so everything that a crash cannot touch is made cheap: vectors come
from digests, plots of the report are empty, intervals are drawn from few samples. What is stored, and how, is
the pipeline's own.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.model_files import model_key
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model
from chunk_pipeline.embedding.vectors import Progress
from chunk_pipeline.settings import Compute
from chunk_pipeline.stages.catalog import prune, publish_catalog
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.embeddings import embed, embed_queries, post
from chunk_pipeline.stages.evaluation import mine_gold, rank, report
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.refresh import Outcome
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS, TABLES
from tests.end_to_end.project import Project

SOURCE = "harbour"
ONE_STRATEGY = ("json_category",)

FILES: Mapping[str, object] = {
    "src/i18n/en.json": {
        "title": "Harbour office",
        "berth": {"free": "Berth is free", "taken": "Berth taken"},
    },
    "src/i18n/fr.json": {"title": "Capitainerie", "berth": {"free": "Poste libre", "taken": "Poste occupé"}},
    "src/schemas/vessel.create.json": {"type": "object", "properties": {"name": {"type": "string"}}},
    "src/schemas/vessel.update.json": {"type": "object", "properties": {"draught": {"type": "number"}}},
    "test/config/site.json": {"port": 8080, "title": "A harbour for tests"},
}
"""What the source begins with."""

Encode = Callable[[Sequence[str], int], Vectors]


@dataclass(frozen=True)
class CountingEncoder:
    """Unit vectors made from digests; tells how many texts it was given."""

    key: str
    dimension: int
    seen: list[str]

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.seen.extend(texts)
        return unit_vectors(texts, self.dimension)


def unit_vectors(texts: Sequence[str], dimension: int) -> Vectors:
    """A vector for each text that depends on nothing but the text."""
    rows = [np.random.default_rng(int(digest(text)[:16], 16)) for text in texts]
    drawn = np.array([each.standard_normal(dimension) for each in rows], dtype=np.float32)
    drawn = drawn.reshape(len(texts), dimension)
    unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit


def small_project(root: Path, strategies: Sequence[str] = ONE_STRATEGY) -> Project:
    """A project with one folder as its source."""
    project = Project(root)
    for path, value in FILES.items():
        write(project, path, value)
    write_sources(project, strategies=strategies)
    return project


def write_sources(
    project: Project,
    *,
    names: Sequence[str] = (SOURCE,),
    strategies: Sequence[str] = ONE_STRATEGY,
    profile: str = "js_vue_rag",
    more: Sequence[str] = (),
) -> None:
    """Write the sources file; ``more`` are lines of their own."""
    lines = [
        f"  - {{name: {name}, kind: folder, path: repositories/{name}, profile: {profile}}}" for name in names
    ]
    indexed = "schemas_validation, i18n_translations, docs_meta, test_config"
    tail = [f"strategies: [{', '.join(strategies)}]", f"indexed_categories: [{indexed}]", *more]
    project.root.mkdir(parents=True, exist_ok=True)
    project.sources.write_text("\n".join(["sources:", *lines, *tail]) + "\n", encoding="utf-8")


def write(project: Project, path: str, value: object, source: str = SOURCE) -> None:
    """Give a file of the source this value as JSON, or this text."""
    file = project.file(source, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    file.write_text(text, encoding="utf-8")


def workspace_of(project: Project, seen: list[str] | None = None) -> Workspace:
    """The workspace of a project; ``seen`` collects what was encoded."""
    texts = [] if seen is None else seen

    def counting(name: str, compute: Compute, directory: Path | None = None) -> CountingEncoder:
        wanted = model(name or DEFAULT_MODEL)
        return CountingEncoder(model_key(wanted, compute, directory), wanted.dimension, texts)

    return Workspace(project.settings, make_encoder=counting)


Step = Callable[[Workspace], object]


def ingest_steps(strategies: Sequence[str] = ONE_STRATEGY, source: str = SOURCE) -> dict[str, Step]:
    """The stages of one source, by name, in order."""
    steps: dict[str, Step] = {
        "scan": lambda workspace: scan_source(workspace, source).outcome,
        "filter": lambda workspace: filter_source(workspace, source),
        "label": lambda workspace: label_source(workspace, source),
    }
    for name in strategies:
        steps[f"chunks {name}"] = partial(chunk_files, name=source, strategy=strategy(name))
        steps[f"embed {name}"] = partial(embed, name=source, strategy=strategy(name))
        steps[f"post {name}"] = partial(post, name=source, strategy=strategy(name))
    return steps


def roll_up_steps(strategies: Sequence[str] = ONE_STRATEGY) -> dict[str, Step]:
    """What is made over all sources, by name, in order."""
    steps: dict[str, Step] = {"prune": prune, "gold": mine_gold, "queries": embed_queries}
    for name in strategies:
        steps[f"bm25 {name}"] = partial(build_bm25_index, strategy=strategy(name))
        steps[f"dense {name}"] = partial(build_dense_index, strategy=strategy(name))
        steps[f"rank {name}"] = partial(rank, strategy=strategy(name))
    return steps | {"report": report, "catalog": publish_catalog}


def all_steps(strategies: Sequence[str] = ONE_STRATEGY) -> dict[str, Step]:
    """Every stage, by name, in order."""
    return ingest_steps(strategies) | roll_up_steps(strategies)


def run_all(project: Project, strategies: Sequence[str] = ONE_STRATEGY) -> dict[str, Outcome]:
    """Every stage once; returns the outcomes of those that have one."""
    workspace = workspace_of(project)
    done = {name: step(workspace) for name, step in all_steps(strategies).items()}
    return {name: each for name, each in done.items() if isinstance(each, Outcome)}


def from_scratch(project: Project, root: Path, strategies: Sequence[str] = ONE_STRATEGY) -> Project:
    """Another project with the same sources, built anew."""
    root.mkdir(parents=True)
    shutil.copytree(project.root / "repositories", root / "repositories", symlinks=True)
    shutil.copy(project.sources, root)
    made = Project(root)
    run_all(made, strategies)
    return made


def copy_of(project: Project, root: Path) -> Project:
    """The project with its warehouse, in another folder; modification times stay."""
    shutil.copytree(project.root, root, symlinks=True)
    return Project(root)


def manifests(project: Project) -> dict[str, str]:
    """The digest of the manifest that counts, for every partition of every table."""
    warehouse = project.warehouse
    found = {}
    for table in TABLES:
        for partition in warehouse.partitions(table):
            stored = warehouse.manifest(table, partition)
            assert stored is not None
            found[f"{table.name} {partition.order}"] = stored.digest
    return found


def catalog_version(project: Project) -> str:
    """Which version the catalog's link points at; empty where there is none."""
    link = project.root / "warehouse" / "chunk_pipeline.duckdb"
    return os.readlink(link) if link.is_symlink() else ""  # noqa: PTH115 - the text of the link is meant


def every_table_reads_back(project: Project) -> None:
    """Read every table as a reader does.

    Raises:
        AssertionError: One lacks its columns, or chunks are there twice.
    """
    warehouse = project.warehouse
    for table in TABLES:
        assert warehouse.read(table).schema.names == table.schema.names
    ids = warehouse.read(CHUNKS)["chunk_id"].to_pylist()
    assert len(ids) == len(set(ids))


@contextmanager
def cheap_figures() -> Iterator[None]:
    """Make the report's plots empty and its intervals coarse: they cost more than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("hit_plot", "size_plot"):
            for module in ("evaluation.html", "defs.evaluation.assets"):
                patch.setattr(f"chunk_pipeline.{module}.{name}", lambda *_: b"a plot")
        patch.setattr("chunk_pipeline.evaluation.significance.RESAMPLES", 20)
        yield
