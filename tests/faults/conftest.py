"""Counts what was tried: each test records how many crash points or faults it went through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.faults.small_project import cheap_figures
from tests.faults.states import Stage, stages_of


@pytest.fixture(scope="module", autouse=True)
def _cheap_figures() -> Iterator[None]:
    with cheap_figures():
        yield


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Stage]:
    """Every stage of a project that was edited, and of one that is built for the first time; read only."""
    with cheap_figures():
        return {
            (way, stage.name): stage
            for way in ("edit", "first")
            for stage in stages_of(tmp_path_factory.mktemp(way), edit=way == "edit")
        }


@pytest.fixture
def tried(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Tell how many of a kind a test tried: ``tried("crash points", 12)``; ``tests.trials`` counts all."""

    def tell(kind: str, number: int) -> None:
        record_property("tried", number)
        record_property(f"tried {kind}", number)

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many crash points and faults were tried."""
    counts: Counter[str] = Counter()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, number in getattr(report, "user_properties", []):
                if str(name).startswith("tried "):
                    counts[str(name).removeprefix("tried ")] += int(str(number))
    if counts:
        told = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
        terminalreporter.line(f"of the faults: {told}")
