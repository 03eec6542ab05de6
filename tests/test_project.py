"""The project's own rules: which module may import what, and pins that agree with each other."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "chunk_pipeline"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ("torch", "sentence_transformers", "transformers", "matplotlib", "docling")
"""Modules that cost seconds to import, so that nothing may load them before they are used."""


@pytest.fixture(scope="module")
def pyproject() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pins() -> dict[str, Version]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.lower().replace("_", "-"): Version(version) for name, version in pairs}


def requirements(pyproject: dict[str, object]) -> list[Requirement]:
    project = pyproject["project"]
    assert isinstance(project, dict)
    extras = project["optional-dependencies"]
    written = [*project["dependencies"], *extras["dev"], *extras["shell"]]
    return [Requirement(each) for each in written]


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, at module level or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_imports_run_one_way() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports; exit(lint_imports(no_cache=True))",
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_only_defs_knows_dagster() -> None:
    outside = [
        path for path in MODULES if PACKAGE / "defs" not in path.parents and path.name != "definitions.py"
    ]
    offenders = [
        str(path.relative_to(ROOT))
        for path in outside
        if any(name.split(".")[0].startswith("dagster") for name in imported(path))
    ]
    assert len(outside) > 10
    assert offenders == []


def test_definitions_load_without_heavy_modules() -> None:
    script = (
        "import sys, chunk_pipeline.definitions; "
        f"print(*sorted({set(HEAVY)!r} & {{name.split('.')[0] for name in sys.modules}}))"
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []


def test_heavy_modules_that_the_check_above_looks_for_are_installed() -> None:
    assert [name for name in HEAVY[:4] if find_spec(name) is None] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_what_it_is_for_and_stays_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    if path.name != "__init__.py" or text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{path.relative_to(ROOT)} has no docstring"


def test_the_dagster_family_is_pinned_to_one_version(
    pyproject: dict[str, object], pins: dict[str, Version]
) -> None:
    family = [each for each in requirements(pyproject) if each.name in ("dagster", "dagster-webserver")]
    assert {str(each.specifier) for each in family} == {f"=={pins['dagster']}"}
    assert len(family) == 2
    same = ("dagster-webserver", "dagster-graphql", "dagster-pipes", "dagster-shared")
    assert {pins[name] for name in same} == {pins["dagster"]}


def test_the_constraints_meet_every_requirement(
    pyproject: dict[str, object], pins: dict[str, Version]
) -> None:
    for requirement in requirements(pyproject):
        name = requirement.name.lower().replace("_", "-")
        assert name in pins, f"constraints.txt lacks {name}; its header says how to refresh it"
        assert requirement.specifier.contains(pins[name]), f"{requirement}: constraints.txt has {pins[name]}"


def test_torch_is_pinned_without_a_build(pins: dict[str, Version]) -> None:
    assert pins["torch"].local is None


def test_the_code_location_has_one_name(pyproject: dict[str, object]) -> None:
    tool = pyproject["tool"]
    assert isinstance(tool, dict)
    project = tool["dg"]["project"]
    workspace = yaml.safe_load((ROOT / "workspace.yaml").read_text(encoding="utf-8"))
    module = workspace["load_from"][0]["python_module"]
    assert module["location_name"] == project["code_location_name"]
    assert module["module_name"] == project["code_location_target_module"]


def test_dagster_takes_the_instance_settings(tmp_path: Path) -> None:
    (tmp_path / "dagster.yaml").write_bytes((ROOT / "dagster_home" / "dagster.yaml").read_bytes())
    # The library itself loads the file, so a setting that it does not know fails here.
    from dagster import DagsterInstance

    with DagsterInstance.from_config(str(tmp_path)) as instance:
        queue = instance.get_concurrency_config()
        assert queue.run_queue_config is not None
        assert queue.run_queue_config.max_concurrent_runs == 2
        assert str(queue.pool_config.pool_granularity) == "PoolGranularity.OP"
        assert not instance.telemetry_enabled
        assert not instance.nux_enabled
        assert instance.run_retries_enabled
        assert not instance.run_retries_retry_on_asset_or_op_failure
        assert instance.run_monitoring_max_runtime_seconds
