"""Row 24: locale, time zone, mask of permissions, seed of hashes and folder change no byte of the store."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.small_project import small_project, write

ROOT = Path(__file__).parents[2]

BUILD = """
import sys
from pathlib import Path
from tests.end_to_end.project import Project
from tests.faults.small_project import cheap_figures, run_all
project = Project(Path(sys.argv[1]))
with cheap_figures():
    run_all(project)
for place, digest in sorted(project.digests().items()):
    print(ascii(place), digest)
"""

ENVIRONMENTS: dict[str, dict[str, str]] = {
    "as-it-is": {"PYTHONHASHSEED": "0"},
    "row24-c-locale": {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONHASHSEED": "1"},
    "row24-posix-no-coercion": {
        "LC_ALL": "POSIX",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONHASHSEED": "4294967295",
    },
    "row24-zone-and-mask": {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "random", "UMASK": "077"},
}


def built(folder: Path, environment: dict[str, str]) -> str:
    """Build a small project in an environment; its digests, a line each."""
    project = small_project(folder)
    write(project, "src/i18n/zh-港.json", {"港口": "港口 café 🚢", "b": "B", "a": "A"})
    write(project, "README.md", "# Not kept")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))
    }
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        env=kept | {"PYTHONPATH": str(ROOT)} | environment,
        umask=int(environment.get("UMASK", "022"), 8),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.fault
@pytest.mark.slow
def test_row24_the_environment_changes_no_byte(tmp_path: Path, tried: Callable[[str, int], None]) -> None:
    first, *others = (
        built(tmp_path / name / "project", environment) for name, environment in ENVIRONMENTS.items()
    )
    assert len(first.splitlines()) > 30
    for name, found in zip(list(ENVIRONMENTS)[1:], others, strict=True):
        assert found == first, name
    hidden = tmp_path / "row24-zone-and-mask" / "project" / "warehouse"
    modes = {path.stat().st_mode & 0o077 for path in hidden.rglob("*") if not path.is_symlink()}
    assert modes == {0}
    tried("environments", len(others))
