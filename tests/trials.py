"""How many faults, bad inputs and hostile repositories were tried, and how many of them did harm.

A pytest plugin: it counts the tests that carry one of the three marks and prints a line for each at the end.
A test that tries many inputs in one go says how many by ``record_property("tried", n)``. ``make trials`` runs
just these tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

KINDS = {
    "fault": "faults tried",
    "bad_input": "bad inputs tried",
    "hostile_repository": "hostile repositories tried",
}


def counted(reports: Iterable[pytest.TestReport]) -> Mapping[str, int]:
    """How much of each kind the tests tried; a test counts once, whatever its phases."""
    tried: Counter[str] = Counter()
    for report in reports:
        number = sum(int(str(value)) for name, value in report.user_properties if name == "tried") or 1
        tried.update({kind: number for kind in KINDS if kind in report.keywords})
    return tried


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the counts, if a test of one of the kinds was run."""
    stats = terminalreporter.stats
    of = {
        outcome: [each for each in stats.get(outcome, ()) if isinstance(each, pytest.TestReport)]
        for outcome in ("passed", "failed", "error")
    }
    tried = counted([*of["passed"], *of["failed"]])
    if not tried:
        return
    failures = {
        report.nodeid
        for report in (*of["failed"], *of["error"])
        if any(kind in report.keywords for kind in KINDS)
    }
    terminalreporter.section("trials")
    for kind, told in KINDS.items():
        terminalreporter.line(f"{told}: {tried.get(kind, 0)}")
    terminalreporter.line(f"failures: {len(failures)}")
