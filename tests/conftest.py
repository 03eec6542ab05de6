"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder that holds ``corpora/`` and ``fixtures/``; tests on real inputs are skipped without it."""
    folder = os.environ.get("CHUNK_PIPELINE_CORPORA")
    if not folder:
        pytest.skip("set CHUNK_PIPELINE_CORPORA to the folder with the real corpora to run this")
    return Path(folder).resolve()
