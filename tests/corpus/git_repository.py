"""Real git repositories for tests: made with the git command, from bytes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from chunk_pipeline.corpus.source import Source

IDENTITY = {
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@example.org",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class GitRepository:
    """A repository whose index is filled with any bytes as paths, without touching the file system."""

    def __init__(self, folder: Path, *, object_format: str = "sha1", bare: bool = False) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        kind = ["--bare"] if bare else []
        self.git("init", "--quiet", "-b", "main", f"--object-format={object_format}", *kind)

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """Run git here."""
        answer = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env={**os.environ, **IDENTITY},
            input=stdin,
            capture_output=True,
            check=True,
        )
        return answer.stdout.decode().strip()

    def blob(self, data: bytes) -> str:
        """Store a blob."""
        return self.git("hash-object", "-w", "--stdin", stdin=data)

    def add(self, path: bytes | str, data: bytes | str, mode: str = "100644") -> None:
        """Put a path with content into the index."""
        self.add_object(path, self.blob(data.encode() if isinstance(data, str) else data), mode)

    def add_object(self, path: bytes | str, object_id: str, mode: str) -> None:
        """Put a path with an object id into the index."""
        name = path.encode() if isinstance(path, str) else path
        line = f"{mode} {object_id}\t".encode() + name + b"\0"
        self.git("update-index", "-z", "--add", "--index-info", stdin=line)

    def remove(self, path: str) -> None:
        """Take a path out of the index."""
        self.git("update-index", "--force-remove", "--", path)

    def commit(self, *options: str) -> str:
        """Commit the index and give the commit's id."""
        self.git("commit", "--quiet", "--allow-empty", "-m", "change", *options)
        return self.git("rev-parse", "HEAD")

    def source(self, **changes: object) -> Source:
        """A source that names this repository by its local path."""
        settings: dict[str, object] = {"name": "app", "kind": "git", "url": str(self.folder)}
        return Source.model_validate(settings | changes)
