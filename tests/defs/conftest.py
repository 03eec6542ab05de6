"""What the tests of the orchestration share."""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg
import pytest


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """An instance that keeps nothing."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance
