"""Two repositories may be materialised by two runs at the same moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.project import make_short_project


@pytest.mark.slow
def test_two_runs_on_two_repositories_lose_no_row(tmp_path: Path) -> None:
    one_after_the_other = make_short_project(tmp_path / "sequential", "atlas-docs", "harbour")
    one_after_the_other.run()
    together = make_short_project(tmp_path / "together", "atlas-docs", "harbour")
    runs = [together.popen("run", "--repository", name) for name in ("atlas-docs", "harbour")]
    for run in runs:
        _, errors = run.communicate(timeout=300)
        assert run.returncode == 0, errors
    together.run()
    assert together.digests() == one_after_the_other.digests()
