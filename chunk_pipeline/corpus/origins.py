"""Where the ingested commit of a git source came from, to tell a rewritten branch from an edited ``ref``.

A note beside the git cache says under which address and ref each commit was ingested. It holds digests only,
and no table depends on it: where it is lost, nobody can know whether a person changed ``ref`` or ``url``, and
then it is not assumed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path

import orjson
from upath import UPath

from chunk_pipeline.corpus.git_fetch import cache_of
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.warehouse.atomic import write_bytes
from chunk_pipeline.warehouse.fingerprint import fingerprint

_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@")


def is_elsewhere(source: Source, cache: Path, snapshot: str) -> bool:
    """Whether a snapshot is known to have been ingested under another address or ref than the present one."""
    if source.kind != "git":
        return False
    return _read(source, cache).get(snapshot, _origin(source)) != _origin(source)


def note_origin(source: Source, cache: Path, snapshot: str) -> None:
    """Note a commit before it is ingested; what is known of others stays until then."""
    _write(source, cache, {**_read(source, cache), snapshot: _origin(source)})


def settle_origin(source: Source, cache: Path, snapshot: str) -> None:
    """Note that a commit is the ingested one: no other is of interest any more."""
    _write(source, cache, {snapshot: _origin(source)})


def _origin(source: Source) -> str:
    """A digest of address and ref; a password that changes is no other address."""
    return fingerprint(url=_CREDENTIALS.sub("", source.url), ref=source.ref)


def _path(source: Source, cache: Path) -> Path:
    return cache_of(source, cache).with_suffix(".origin.json")


def _read(source: Source, cache: Path) -> dict[str, str]:
    try:
        noted = orjson.loads(_path(source, cache).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _write(source: Source, cache: Path, noted: Mapping[str, str]) -> None:
    """Write the note if it says anything new; where it cannot be written nothing is known, which is safe."""
    if source.kind != "git" or _read(source, cache) == noted:
        return
    data = orjson.dumps(noted, option=orjson.OPT_SORT_KEYS)
    with contextlib.suppress(OSError):
        write_bytes(UPath(_path(source, cache)), data)
