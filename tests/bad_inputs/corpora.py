"""The published collections of bad inputs, where they are on this machine.

They are found by ``CHUNK_PIPELINE_CORPORA`` when tests are collected, so that each of their cases is a test
of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

UNSET = "set CHUNK_PIPELINE_CORPORA to the folder with the real corpora to run this"


def collection(name: str) -> Path | None:
    """The folder of a collection; ``None`` where there is none."""
    root = os.environ.get("CHUNK_PIPELINE_CORPORA")
    folder = Path(root or ".").resolve() / "corpora" / "bad_inputs" / name
    return folder if root and folder.is_dir() else None


def files_of(name: str, *below: str) -> list[Path]:
    """The files of a collection in some of its folders, sorted; none where the collection is not there."""
    folder = collection(name)
    return [file for part in below for file in sorted((folder / part).iterdir())] if folder else []


def naughty_strings() -> list[str]:
    """The big list of naughty strings, in its order; none where it is not there."""
    folder = collection("naughty_strings")
    return [] if folder is None else list(json.loads((folder / "blns.json").read_text(encoding="utf-8")))


def parameters_of(cases: Iterable[tuple[str, Any]]) -> list[Any]:
    """(id, case) of a collection as parameters of a test; a skipped one where the collection is not there."""
    found = [pytest.param(case, id=name, marks=pytest.mark.bad_input) for name, case in cases]
    return found or [pytest.param(None, id="no corpora", marks=pytest.mark.skip(reason=UNSET))]
