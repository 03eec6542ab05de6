"""``dagster dev`` for a test: started as a person would, asked as the web page asks, stopped by Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.end_to_end.project import Project

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


@dataclass(frozen=True)
class WebUi:
    """A running web page.

    Attributes:
        port: Where it listens.
        process: ``dagster dev``, the leader of its session and process group.
        log: What all of its processes print.
    """

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def get(self, path: str) -> Any:
        """The JSON that the server answers."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            return json.load(answer)

    def ask(self, query: str, **variables: object) -> dict[str, Any]:
        """The answer to a GraphQL query."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            found = json.load(answer)
        assert "errors" not in found, found
        data: dict[str, Any] = found["data"]
        return data

    def wait(self, what: Callable[[], T | None], seconds: float) -> T:
        """Ask again and again until there is an answer, at most so long."""
        deadline, pause = time.monotonic() + seconds, threading.Event()
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text()
            try:
                if (found := what()) is not None:
                    return found
            except (urllib.error.URLError, ConnectionError):
                pass
            pause.wait(0.25)
        raise AssertionError(f"no answer within {seconds} seconds:\n{self.log.read_text()[-4000:]}")

    def wait_for_end(self, project: Project) -> None:
        """Wait until no process is left after an interrupt."""
        deadline, pause = time.monotonic() + 45, threading.Event()
        while self.process.poll() is None or processes_of(project):
            assert time.monotonic() < deadline, f"still there: {processes_of(project)}"
            pause.wait(0.25)


@contextmanager
def web_ui(project: Project) -> Iterator[WebUi]:
    """Serve a project's pipeline; in the end it is interrupted as by Ctrl-C, and must leave no process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    log = project.root / "dagster-dev.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dagster", "dev", "-w", "workspace.yaml", "-p", str(port)],
            cwd=ROOT,
            env=project.environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A test run in the background inherits an ignored SIGINT, and then nothing would stop it.
            preexec_fn=_heed_interrupts,
        )
    ui = WebUi(port, process, log)
    try:
        yield ui
        os.killpg(process.pid, signal.SIGINT)
        ui.wait_for_end(project)
    finally:
        for pid in processes_of(project):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def processes_of(project: Project) -> dict[int, str]:
    """Ids and command lines of the live processes that were started for a project's Dagster instance."""
    mark = f"DAGSTER_HOME={project.root / 'dagster_home'}".encode()
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue  # it ended meanwhile, or is another user's
    return found
