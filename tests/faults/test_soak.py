"""Row 19: random edits, each with a kill somewhere, end in what a build from scratch gives."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.soak import soak

KILLS = int(os.environ.get("CHUNK_PIPELINE_SOAK") or 25)


@pytest.mark.fault
@pytest.mark.slow
def test_row19_killed_runs_between_random_edits_end_in_a_build_from_scratch(
    tmp_path: Path, tried: Callable[[str, int], None]
) -> None:
    done = soak(tmp_path, KILLS, seed=20261201)
    assert done.kills == KILLS
    assert done.comparisons >= 1
    tried("random kills", done.kills)
