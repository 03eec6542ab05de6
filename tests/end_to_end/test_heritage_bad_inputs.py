"""Files that break or attack are refused with a reason or read, in bounded memory, and stop no other file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from chunk_pipeline.warehouse.tables import CHUNKS, QUARANTINE
from tests.end_to_end.heritage_bad_inputs import (
    MARKER,
    READ,
    REFUSED,
    SECRET,
    SENTENCE,
    Case,
    docx,
    make,
    paragraph,
    written_pdf,
)
from tests.end_to_end.project import SAMPLE, Project
from tests.memory import on_linux

ROOT = Path(__file__).parents[2]
PEAK = 2 * 2**30
"""Bytes of memory that the whole may take."""

TIMEOUT = 300
"""Seconds after which something hangs; it takes a tenth of that."""

OWN = {"conversation", "csv_registry", "document", "website", "yaml_instance"}
"""The strategies that must be among those that were run."""

GOOD = (
    "conversations/boxed.json",
    "instances/zolder.yml",
    "registries/zusters.tsv",
    "website/rietkraag/index.html",
)
MADE_GOOD = {
    "good.docx": docx(paragraph(SENTENCE)),
    "good.pdf": written_pdf(SENTENCE),
    "good.md": b"# Salt\n\nA pan.\n",
}

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Outcome:
    """What became of the files.

    Attributes:
        reasons: Of each quarantined file, by the stage that refused it.
        texts: Of each file that was cut, the texts of its chunks by strategy.
        peak: The most memory that the process had, in bytes.
        outside: The folder that the files try to reach.
    """

    reasons: dict[str, dict[str, str]]
    texts: dict[str, dict[str, list[str]]]
    peak: int
    outside: Path


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    project = Project(tmp_path_factory.mktemp("bad"))
    source, outside = project.root / "bad", project.root / "outside"
    make(source, outside)
    for path in GOOD:
        (source / "good" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLE / "heritage" / path, source / "good" / path)
    for path, data in MADE_GOOD.items():
        (source / "good" / path).write_bytes(data)
    project.sources.write_text("sources: [{name: bad, kind: folder, path: bad, profile: heritage}]\n")
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.heritage_bad_inputs", str(project.root)],
        cwd=ROOT,
        env=project.environment(),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    reasons: dict[str, dict[str, str]] = {}
    for row in project.read(QUARANTINE).to_pylist():
        reasons.setdefault(row["path"], {})[row["stage"]] = row["error"]
    texts: dict[str, dict[str, list[str]]] = {}
    for row in project.read(CHUNKS).select(["path", "strategy", "text"]).to_pylist():
        texts.setdefault(row["path"], {}).setdefault(row["strategy"], []).append(row["text"])
    report = json.loads(done.stdout)
    assert report.keys() >= OWN
    sys.stdout.write(f"{report}\n")
    return Outcome(reasons, texts, int(report["peak"]), outside)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.path)
def test_a_bad_file_is_quarantined_with_a_reason_that_says_what_is_wrong(
    outcome: Outcome, case: Case
) -> None:
    reasons = outcome.reasons.get(case.path, {})
    assert reasons, f"it is read: {str(outcome.texts.get(case.path))[:300]}"
    for stage, reason in reasons.items():
        assert any(word in reason.lower() for word in case.words), f"{stage}: {reason}"
    assert case.path not in outcome.texts


@pytest.mark.parametrize("case", READ, ids=lambda case: case.path)
def test_an_odd_file_is_read(outcome: Outcome, case: Case) -> None:
    assert outcome.reasons.get(case.path, {}) == {}
    for strategy, texts in outcome.texts[case.path].items():
        assert any(case.holds in text for text in texts), strategy


def test_no_reason_is_an_error_that_nobody_foresaw(outcome: Outcome) -> None:
    unforeseen = {
        path: reason
        for path, reasons in outcome.reasons.items()
        for reason in reasons.values()
        if re.match(r"(\w*(Error|Exception)\b|[A-Z][a-z]+[A-Z]\w*: )", reason) or "Traceback" in reason
    }
    assert unforeseen == {}


def test_the_good_files_beside_them_are_cut(outcome: Outcome) -> None:
    paths = [f"good/{path}" for path in (*GOOD, *MADE_GOOD)]
    assert [path for path in paths if path in outcome.reasons or not outcome.texts.get(path)] == []


def test_only_the_files_that_must_be_are_quarantined(outcome: Outcome) -> None:
    assert set(outcome.reasons) == {case.path for case in REFUSED}


def test_nothing_is_run_and_nothing_outside_is_read(outcome: Outcome) -> None:
    assert sorted(path.name for path in outcome.outside.iterdir()) == ["secret.txt"]
    assert not (outcome.outside / MARKER).exists()
    leaked = [
        path for path, cut in outcome.texts.items() for texts in cut.values() if SECRET in "\n".join(texts)
    ]
    assert leaked == []


@on_linux
def test_memory_stays_within_bounds(outcome: Outcome) -> None:
    assert outcome.peak < PEAK
