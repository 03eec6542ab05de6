"""Bad inputs through the pipeline: scan, filter, label and chunk, and what became of each file.

The stages are those of a run, called one after the other in a project of its own. What does not belong here:
what is right for a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.corpus.paths import unescape_path
from chunk_pipeline.stages.chunks import bound, chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.cut_documents import cut_documents
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, QUARANTINE, SKIPS
from tests.bad_inputs.case import Case
from tests.end_to_end.project import Project

Row = dict[str, Any]
Path_ = tuple[str, str]
"""Source and path."""

PROFILES: dict[str, dict[str, object]] = {
    "wide": {"extends": "js_vue_rag", "max_line": 10_000_000},
    "narrow": {"extends": "js_vue_rag"},
    "code": {"extends": "default", "cap": 20_000_000, "max_line": 20_000_000},
    "archive": {"extends": "heritage"},
    "dropping": {"extends": "heritage", "refused": "drop"},
}
"""The profiles of the cases; each is a source of its own."""


@dataclass(frozen=True)
class Put:
    """What became of the files of a project.

    Attributes:
        workspace: The project.
        files: Rows of ``files`` by source and path.
        texts: Texts of kept files by source and digest.
        reasons: Why a file is quarantined, by source, path and stage.
        chunks: Rows of ``chunks`` by source and path, then strategy.
        skips: Likewise of ``skips``.
        proofs: Proofs by source and path, then strategy.
    """

    workspace: Workspace
    files: dict[Path_, Row] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    reasons: dict[Path_, dict[str, str]] = field(default_factory=dict)
    chunks: dict[Path_, dict[str, list[Row]]] = field(default_factory=dict)
    skips: dict[Path_, dict[str, list[Row]]] = field(default_factory=dict)
    proofs: dict[Path_, dict[str, Proof]] = field(default_factory=dict)

    def add(self, other: Put) -> None:
        """Take in what became of the files of another project."""
        for name in ("files", "texts", "reasons", "chunks", "skips", "proofs"):
            getattr(self, name).update(getattr(other, name))

    def text(self, source: str, path: str) -> str:
        """The text of a kept file."""
        return self.texts[source, self.files[source, path]["content_sha256"]]

    def reason(self, source: str, path: str, strategy: str) -> str:
        """Why a strategy has no chunks of a file: it was quarantined ahead of it, or by it."""
        row = self.files[source, path]
        if row["fate"] == "quarantined":
            return str(row["reason"])
        return self.reasons.get((source, path), {}).get(f"chunks_{strategy}", "")

    def bodies(self, source: str, path: str, strategy: str) -> str:
        """What a strategy's chunks of a file hold, and what stands at their spans."""
        return "\n".join(row["body"] for row in self.chunks[source, path].get(strategy, []))

    def spans(self, source: str, path: str, strategy: str) -> str:
        """What stands in the source at the spans of a strategy's chunks."""
        text = self.text(source, path)
        rows = self.chunks[source, path].get(strategy, [])
        return "\n".join(text[span["start"] : span["end"]] for row in rows for span in row["spans"])


def put_cases(root: Path, cases: Iterable[Case], good: Mapping[str, bytes], **settings: Any) -> Put:
    """Put cases through the pipeline, each in the source of its profile, with good files beside them."""
    sources: dict[str, dict[bytes, bytes]] = {}
    for case in cases:
        files = sources.setdefault(case.profile, {os.fsencode(name): data for name, data in good.items()})
        files[case.path.encode()] = case.data
    return put_through(root, sources, **settings)


def put_through(
    root: Path,
    sources: Mapping[str, Mapping[bytes, bytes]],
    *,
    strategies: Sequence[str],
    metadata: Mapping[str, str] | None = None,
    profiles: Mapping[str, Mapping[str, object]] = PROFILES,
    proofs: bool = True,
) -> Put:
    """Write files and put them through the stages up to their chunks.

    Args:
        root: An empty folder, for the project.
        sources: Files by path, by the name of the source, which is that of its profile.
        strategies: Which cut.
        metadata: Of every source.
        profiles: By name, as the sources file has them.
        proofs: Whether the chunks are proved as well.
    """
    described = []
    for name, files in sources.items():
        write(root / name, files)
        each = {"name": name, "kind": "folder", "path": name, "profile": name}
        described.append(each | ({"metadata": dict(metadata)} if metadata else {}))
    data = {"sources": described, "strategies": list(strategies), "profiles": dict(profiles)}
    (root / "sources.yaml").write_text(yaml.safe_dump(data))
    put = Put(Workspace(Project(root).settings))
    for name in sources:
        scan_source(put.workspace, name)
        filter_source(put.workspace, name)
        label_source(put.workspace, name)
        for strategy in put.workspace.strategies:
            chunk_files(put.workspace, name, strategy)
            if proofs:
                _prove(put, name, strategy.name)
    _read(put)
    return put


def write(folder: Path, files: Mapping[bytes, bytes]) -> None:
    """Write files below a folder, whatever bytes their names are."""
    base = os.fsencode(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        whole = Path(os.fsdecode(base + b"/" + path))
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(data)


def _prove(put: Put, name: str, strategy: str) -> None:
    own = next(each for each in put.workspace.strategies if each.name == strategy)
    own = bound(put.workspace, name, own)
    for document, chunks, skips in cut_documents(put.workspace, name, own):
        proof = prove(document.text, chunks, skips, own.format, own.ceiling, own.size)
        put.proofs.setdefault((name, document.path), {})[strategy] = proof


def _read(put: Put) -> None:
    """The tables as they are stored."""
    warehouse = put.workspace.warehouse
    put.files.update({_key(row): row for row in warehouse.read(FILES).to_pylist()})
    for row in warehouse.read(CONTENTS).to_pylist():
        put.texts[row["repository"], row["content_sha256"]] = row["text"]
    for row in warehouse.read(QUARANTINE).to_pylist():
        put.reasons.setdefault(_key(row), {})[row["stage"]] = row["error"]
    for table, found in ((CHUNKS, put.chunks), (SKIPS, put.skips)):
        for row in warehouse.read(table).to_pylist():
            found.setdefault(_key(row), {}).setdefault(row["strategy"], []).append(row)


def _key(row: Row) -> Path_:
    return row["repository"], row["path"]


def unescaped(paths: Iterable[str]) -> set[bytes]:
    """The bytes of stored paths."""
    return {unescape_path(path) for path in paths}
