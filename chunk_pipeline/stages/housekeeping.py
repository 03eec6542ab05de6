"""Housekeeping: what nobody needs any more of the tables, and the mirrors of git sources that are gone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from filelock import FileLock, Timeout
from upath import UPath

from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.collection import Garbage, Retention, collect, garbage

SECONDS_PER_HOUR = 3600


def collect_garbage(
    workspace: Workspace, now: float, *, hours: float | None = None, dry_run: bool = False
) -> list[Garbage]:
    """Remove what counts no more and is older than the retention.

    Args:
        workspace: Where the tables, the sources and the mirrors are.
        now: Seconds since the epoch.
        hours: Retention; by default that of the settings.
        dry_run: Only say what would be removed.

    Returns:
        What was, or would be, removed.

    Raises:
        SourcesError: The sources file does not load; then nothing is removed.
    """
    settings = workspace.settings
    kept = settings.retention_hours if hours is None else hours
    retention = Retention(now, kept * SECONDS_PER_HOUR, settings.catalog_versions)
    mirrors = list(_abandoned(workspace.cache, workspace.sources.sources, retention))
    found = (garbage if dry_run else collect)(workspace.warehouse, retention)
    if not dry_run:
        mirrors = [each for each in mirrors if _delete(Path(each.path.path))]
    return [*found, *mirrors]


def _abandoned(cache: Path, sources: Sequence[Source], retention: Retention) -> Iterator[Garbage]:
    """The mirrors of git sources that the sources file names no more."""
    needed = {f"{partition_key(each.name)}.git" for each in sources if each.kind == "git"}
    for mirror in sorted(cache.glob("*.git")) if cache.is_dir() else ():
        if mirror.name in needed or not mirror.is_dir() or mirror.is_symlink():
            continue
        files = [path for path in mirror.rglob("*") if not path.is_symlink()]
        changed = max((path.stat().st_mtime for path in (mirror, *files)), default=0.0)
        if retention.is_over(changed):
            size = sum(path.stat().st_size for path in files if path.is_file())
            yield Garbage("mirror", UPath(mirror), size)


def _delete(mirror: Path) -> bool:
    """Delete a mirror, unless a run is fetching into it."""
    lock = Path(f"{mirror}.lock")
    try:
        with FileLock(lock, timeout=0):
            shutil.rmtree(mirror)
    except Timeout:
        return False
    lock.unlink(missing_ok=True)
    return True
