"""A workspace with two small folder sources."""

from __future__ import annotations

from pathlib import Path

from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace
from tests.stages.stages_project import cheap_encoder


def two_folders(root: Path, *more: str) -> Workspace:
    """The sources ``one`` and ``two``, of one schema each.

    Args:
        root: An empty folder.
        more: Lines of the sources file for more sources.
    """
    lines = ["strategies: [json_category]", "sources:"]
    for name in ("one", "two"):
        (root / name).mkdir()
        (root / name / "a.schema.json").write_text(f'{{"title": "{name}", "type": "object"}}')
        lines.append(f"- {{name: {name}, kind: folder, path: {name}}}")
    (root / "sources.yaml").write_text("\n".join([*lines, *more, ""]))
    settings = Settings(warehouse=str(root / "w"), sources=root / "sources.yaml", cache=root / "c")
    return Workspace(settings, make_encoder=cheap_encoder)
