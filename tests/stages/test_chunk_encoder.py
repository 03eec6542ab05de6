"""A strategy that cuts by vectors is given the workspace's encoder, which is loaded only if it must be."""

from __future__ import annotations

from pathlib import Path

from stages_project import DigestEncoder, cheap_encoder

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.text.semantic import hashing_embedder
from chunk_pipeline.settings import Compute
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS
from tests.end_to_end.project import make_project

SOURCE = "field-notes"


def test_the_encoder_cuts_once_is_named_in_the_rows_and_rests_when_nothing_changed(tmp_path: Path) -> None:
    loaded: list[str] = []

    def load(name: str, compute: Compute, directory: Path | None) -> DigestEncoder:
        loaded.append(name)
        return cheap_encoder(name, compute, directory)

    project = make_project(tmp_path / "project", SOURCE)
    # This profile keeps prose.
    project.sources.write_text(project.sources.read_text().replace("js_vue_rag", "ingestion"))
    workspace = Workspace(project.settings, make_encoder=load)
    scan_source(workspace, SOURCE)
    filter_source(workspace, SOURCE)
    label_source(workspace, SOURCE)

    chunk_files(workspace, SOURCE, strategy("recursive"))
    assert loaded == []
    assert chunk_files(workspace, SOURCE, strategy("semantic")).counts["files_chunked"] > 0
    assert len(loaded) == 1
    rows = workspace.warehouse.read(CHUNKS, strategy="semantic")
    assert set(rows["strategy_settings"].to_pylist()) == {
        strategy("semantic").with_encoder(hashing_embedder, workspace.model_key).settings
    }

    again = Workspace(project.settings, make_encoder=load)
    chunk_files(again, SOURCE, strategy("semantic"))
    assert len(loaded) == 1
