"""Fixtures for hostile sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.hostile.arena import Arena


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """A place for one hostile source."""
    return Arena(tmp_path)
