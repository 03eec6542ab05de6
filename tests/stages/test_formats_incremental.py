"""Every format, every strategy: what an incremental run leaves is what a run from scratch gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from stages_project import cheap_encoder

from chunk_pipeline.chunking.registry import strategies
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.workspace import Workspace
from tests.end_to_end.project import Project, make_project

SOURCE = "atlas-docs"
EVERY = [each.name for each in strategies()]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """All files of a repository, Markdown included."""
    made = make_project(tmp_path / "project", SOURCE, strategies=EVERY)
    made.sources.write_text(made.sources.read_text().replace("profile: js_vue_rag", "profile: default"))
    return made


def cut(project: Project, warehouse: str) -> tuple[dict[str, str], int]:
    """The tables' digests after every strategy has cut the repository, and how many files were cut for it."""
    settings = project.settings.model_copy(update={"warehouse": str(project.root / warehouse)})
    workspace = Workspace(settings, make_encoder=cheap_encoder)
    for stage in (scan_source, filter_source, label_source):
        stage(workspace, SOURCE)
    outcomes = [chunk_files(workspace, SOURCE, each) for each in workspace.strategies]
    digests = Project(project.root).digests_below(warehouse)
    return digests, sum(outcome.counts.get("files_chunked", 0) for outcome in outcomes)


def change(project: Project) -> None:
    """An edit, a file less, a rename and a new one, of several formats."""
    page = project.file(SOURCE, "docs/guide/styles.md")
    page.write_text(page.read_text() + "\n## More\n\n```js\nconst added = 1\n```\n")
    project.file(SOURCE, "docs/guide/labels.md").unlink()
    component = project.file(SOURCE, "docs/.vitepress/theme/PageFeedback.vue")
    component.rename(component.with_name("PageOpinion.vue"))
    project.file(SOURCE, "src/tools/added.js").write_text("export function added () { return 1 }\n")


def test_incremental_chunks_of_every_format_equal_those_from_scratch(project: Project) -> None:
    _, whole = cut(project, "warehouse")
    assert cut(project, "warehouse")[1] == 0
    change(project)
    incremental, recut = cut(project, "warehouse")
    scratch, _ = cut(project, "scratch")
    assert incremental == scratch
    assert {path.split("/")[0] for path in scratch} >= {"chunks", "skips", "quarantine"}
    assert 0 < recut < whole / 2
