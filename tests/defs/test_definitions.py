from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg

from chunk_pipeline.chunking.registry import strategies
from chunk_pipeline.definitions import defs

SNAPSHOT = Path(__file__).with_name("definitions.json")


def described() -> dict[str, object]:
    """Everything that people see of the definitions and that must not change by accident."""
    repository = defs.get_repository_def()
    graph = repository.asset_graph
    assets = {}
    for key in sorted(graph.get_all_asset_keys()):
        node = graph.get(key)
        checks = {
            check.name: "blocking"
            if repository.asset_checks_defs_by_key[check].get_spec_for_check_key(check).blocking
            else "warning"
            for check in sorted(node.check_keys)
        }
        assets[key.to_user_string()] = {
            "group": node.group_name,
            "partitioned": node.partitions_def is not None,
            "parents": sorted(parent.to_user_string() for parent in node.parent_keys),
            "checks": checks,
        }
    return {
        "assets": assets,
        "jobs": sorted(job.name for job in repository.get_all_jobs() if not job.name.startswith("__")),
        "sensors": {each.name: each.default_status.value for each in repository.sensor_defs},
        "schedules": {each.name: each.cron_schedule for each in repository.schedule_defs},
    }


def test_the_definitions_are_those_of_the_snapshot() -> None:
    text = json.dumps(described(), indent=2, sort_keys=True) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(text)
    assert SNAPSHOT.read_text() == text, "if the change is wanted: UPDATE_SNAPSHOTS=1 make test"


def test_every_strategy_has_its_chain() -> None:
    keys = {key.to_user_string() for key in defs.get_repository_def().asset_graph.get_all_asset_keys()}
    for strategy in strategies():
        for kind in ("chunks", "embeddings", "postings", "dense_index", "bm25_index", "rankings"):
            assert f"{kind}_{strategy.name}" in keys


def test_every_asset_says_what_it_is() -> None:
    graph = defs.get_repository_def().asset_graph
    for key in sorted(graph.get_all_asset_keys()):
        node = graph.get(key)
        assert node.description, key
        assert node.owners, key
        assert node.kinds, key
        assert node.code_version, key
        assert "dagster/code_references" in node.metadata, key
        if key.to_user_string() != "catalog":
            assert isinstance(node.metadata["dagster/column_schema"], dg.TableSchema), key
        if node.partitions_def is not None:
            assert node.backfill_policy is None, f"{key}: its checks would be recorded under no partition"


LOADED = "import sys; import chunk_pipeline.definitions; print([m for m in sys.argv[1:] if m in sys.modules])"


def test_loading_imports_no_model_library() -> None:
    heavy = ["torch", "sentence_transformers", "transformers", "docling", "matplotlib"]
    printed = subprocess.run(
        [sys.executable, "-c", LOADED, *heavy], capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == "[]"


def test_dagster_validates_the_code_location(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    validated = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate", "-w", "workspace.yaml"],
        cwd=root,
        env=os.environ | {"DAGSTER_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert validated.returncode == 0, validated.stdout + validated.stderr
