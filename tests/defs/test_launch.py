from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

OPENED = (
    "from chunk_pipeline.defs.launch import open_instance; from chunk_pipeline.settings import Settings; "
    "print(open_instance(Settings()).get_runs_count())"
)


def test_processes_that_open_a_new_instance_at_once_do_not_break_each_other(tmp_path: Path) -> None:
    environment = os.environ | {"DAGSTER_HOME": str(tmp_path / "new")}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPENED],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert output.strip() == "0"


def test_a_new_instance_has_telemetry_off(tmp_path: Path) -> None:
    environment = os.environ | {"DAGSTER_HOME": str(tmp_path / "new")}
    subprocess.run([sys.executable, "-c", OPENED], env=environment, check=True, capture_output=True)
    assert "telemetry:\n  enabled: false" in (tmp_path / "new" / "dagster.yaml").read_text()
