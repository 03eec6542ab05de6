"""Where a hostile source meets the real stages: a trap with a marker, and the fates that come of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import yaml

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.corpus import filter_source, scan_source
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CONTENTS, FILTERED_FILES
from tests.corpus.git_repository import GitRepository

Fates = dict[str, tuple[str, str | None]]
"""Fate and reason by path."""

NAME = "hostile"


class Arena:
    """A source ``hostile``, a program that leaves a marker, and the stages that read the source.

    Attributes:
        root: Everything lies below.
        marker: The file that must not appear.
        program: What touches the marker when it is run, whatever its arguments.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.marker = root / "executed"
        self.program = root / "bin" / "program"
        self.program.parent.mkdir()
        self.program.write_text(f"#!/bin/sh\ntouch '{self.marker}'\nexit 1\n")
        self.program.chmod(0o755)
        self._repository: GitRepository | None = None

    @property
    def repository(self) -> GitRepository:
        """The source, made on first use."""
        if self._repository is None:
            self._repository = GitRepository(self.root / "origin")
        return self._repository

    @property
    def folder(self) -> Path:
        """The source as a folder, made on first use."""
        folder = self.root / "folder"
        folder.mkdir(exist_ok=True)
        return folder

    def workspace(self, *sources: dict[str, object]) -> Workspace:
        """A project with these sources; by default the repository, or the folder where there is none."""
        declared = [dict(each) for each in sources or (self.source(),)]
        (self.root / "sources.yaml").write_text(yaml.safe_dump({"sources": declared}))
        settings = Settings(
            warehouse=str(self.root / "warehouse"),
            sources=self.root / "sources.yaml",
            cache=self.root / "cache",
        )
        return Workspace(settings)

    def source(self, **settings: object) -> dict[str, object]:
        """The source as it is declared."""
        if self._repository is None and "url" not in settings:
            return {"name": NAME, "kind": "folder", "path": str(self.folder), **settings}
        return {"name": NAME, "kind": "git", "url": str(self.root / "origin"), **settings}

    def fates(self, **settings: object) -> Fates:
        """Scan and filter the source; gives every path's fate.

        Raises:
            SourceUnreachableError: It was refused, or is away.
        """
        source = self.source(**settings)
        return ingested(self.workspace(source), str(source["name"]))

    def texts(self) -> set[str]:
        """The texts that were kept."""
        rows = self.workspace().warehouse.read(CONTENTS)
        return set(rows["text"].to_pylist())

    def holds(self, secret: str) -> bool:
        """Whether a text is anywhere in what was written: tables, caches, notes."""
        written = [path for name in ("warehouse", "cache") for path in (self.root / name).rglob("*")]
        files = [path for path in written if path.is_file() and not path.is_symlink()]
        return secret in self.texts() or any(secret.encode() in path.read_bytes() for path in files)

    def sprung(self, *command: str, folder: Path | None = None, **environment: str) -> bool:
        """Run a command that is not hardened, to see that the trap works; removes the marker again.

        Args:
            command: The command, whose exit code does not matter.
            folder: Where it runs; by default in the repository.
            environment: Variables beside those of this process.
        """
        subprocess.run(
            command,
            cwd=folder or self.repository.folder,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", **environment},
            input=b"protocol=https\nhost=example.invalid\n\n",
            capture_output=True,
            check=False,
            timeout=30,
        )
        appeared = self.marker.exists()
        self.marker.unlink(missing_ok=True)
        return appeared


def ingested(workspace: Workspace, name: str) -> Fates:
    """Scan and filter one source; gives every path's fate."""
    scan_source(workspace, name)
    filter_source(workspace, name)
    rows = workspace.warehouse.read(FILTERED_FILES, Partition(repository=partition_key(name)))
    facts: Sequence[Sequence[str]] = [rows[each].to_pylist() for each in ("path", "fate", "reason")]
    return {path: (fate, reason) for path, fate, reason in zip(*facts, strict=True)}
