"""Fixtures for the corpus tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """An empty repository with a working copy."""
    return GitRepository(tmp_path / "origin")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A folder for caches that is not there yet."""
    return tmp_path / "cache"
