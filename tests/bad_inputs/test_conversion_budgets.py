"""Each document that is converted has a time and a memory budget, and the settings decide which."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, QUARANTINE
from tests.bad_inputs.hazard_runs import children
from tests.end_to_end.heritage_bad_inputs import SENTENCE, docx, paragraph
from tests.end_to_end.project import Project

pytestmark = [pytest.mark.bad_input, pytest.mark.slow]


def run(project: Project, memory_mb: int) -> Workspace:
    settings = project.settings.model_copy(update={"file_memory_mb": memory_mb})
    workspace = Workspace(settings)
    scan_source(workspace, "archive")
    filter_source(workspace, "archive")
    label_source(workspace, "archive")
    for strategy in workspace.strategies:
        chunk_files(workspace, "archive", strategy)
    return workspace


def test_a_document_over_its_budget_is_quarantined_until_the_budget_is_another(tmp_path: Path) -> None:
    project = Project(tmp_path)
    folder = project.root / "archive"
    folder.mkdir(parents=True)
    (folder / "salt.docx").write_bytes(docx(paragraph(SENTENCE)))
    (folder / "salt.md").write_text(f"# Salt\n\n{SENTENCE}\n")
    project.sources.write_text(
        "sources: [{name: archive, kind: folder, path: archive, profile: heritage}]\nstrategies: [document]\n"
    )
    before = children()

    run(project, 64)
    (row,) = project.read(QUARANTINE).to_pylist()
    assert (row["path"], row["stage"]) == ("salt.docx", "filtered_files")
    # Which of its parts finds no memory first is for the converter to say; what to do is the same.
    assert row["error"].endswith(" CHUNK_PIPELINE_FILE_MEMORY_MB [file_seconds=60 file_memory_mb=64]")
    assert project.paths_in(CHUNKS) == {"salt.md"}

    digests = project.digests()
    run(project, 64)
    assert project.digests() == digests

    run(project, 2048)
    assert project.read(QUARANTINE).num_rows == 0
    assert project.paths_in(CHUNKS) == {"salt.docx", "salt.md"}
    assert set(project.read(FILES)["fate"].to_pylist()) == {"kept"}
    assert children() == before
