"""Runs whose process died stay STARTED for ever, hold pool slots and keep their partition from being run.

Nobody else notices where the process was not started by the daemon, or the daemon died with it (dagster issue
4319). So every run is tagged with its process, and whoever starts next fails the runs of this host whose
process is gone.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

import dagster as dg

PROCESS = "chunk_pipeline/process"
UNFINISHED = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]


def this_process() -> str:
    """Host, process id and the process's start: an id that is not given twice."""
    return f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}"


def reap_dead_runs(instance: dg.DagsterInstance) -> list[str]:
    """Fail the unfinished runs of this host whose process is gone and free their slots; returns their ids."""
    reaped = []
    for record in instance.get_run_records(dg.RunsFilter(statuses=UNFINISHED)):
        run = record.dagster_run
        if not _is_dead(run.tags.get(PROCESS, "")):
            continue
        instance.report_run_failed(run, "its process died; what it had finished stays")
        # Slots are freed by the daemon, which may not be running.
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        reaped.append(run.run_id)
    return reaped


def _is_dead(process: str) -> bool:
    """Whether a process of this host is gone; unknown processes and other hosts' count as alive."""
    host, pid, started = process.rsplit(":", 2) if process.count(":") >= 2 else ("", "", "")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    return _started(int(pid)) != started


def _started(pid: int) -> str:
    """When a process started, in clock ticks since boot; empty where there is no such process.

    Where the system has no /proc, ``alive`` for a process that exists.
    """
    if not Path("/proc/self/stat").exists():
        return "alive" if _exists(pid) else ""
    try:
        # The second field is the command in parentheses, which may hold spaces; start time is field 22.
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
