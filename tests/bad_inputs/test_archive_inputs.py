"""Archives that grow, lead elsewhere or are none, through the pipeline: row 63 of the table of bad inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_inputs.archive_cases import ARCHIVE_CASES, DOCX, HELD
from tests.bad_inputs.case import Case, parameters
from tests.bad_inputs.outcomes import check
from tests.bad_inputs.pipeline import Put, put_cases
from tests.memory import MIB, STATUS, forget_peak, on_linux, peak_memory

NAMES = ("document",)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> tuple[Put, int, Path]:
    folder = tmp_path_factory.mktemp("archives")
    before = forget_peak() if STATUS.exists() else 0
    put = put_cases(folder / "project", ARCHIVE_CASES, {"good.md": HELD.encode()}, strategies=NAMES)
    return put, peak_memory() - before if STATUS.exists() else 0, folder


@pytest.mark.parametrize("case", parameters(ARCHIVE_CASES))
def test_a_bad_archive_has_its_right_end(outcome: tuple[Put, int, Path], case: Case) -> None:
    check(outcome[0], case, NAMES)


@on_linux
def test_nothing_is_unpacked_and_memory_does_not_grow_with_what_would_be(
    outcome: tuple[Put, int, Path],
) -> None:
    put, grown, folder = outcome
    assert list(folder.rglob("outside*")) == []
    assert not Path("/tmp/outside.xml").exists()
    # Unpacked, the largest two would have 90 MB, and their trees many times that.
    assert grown < 500 * MIB
    assert put.chunks["archive", "good.md"]


@pytest.mark.slow
def test_the_same_document_without_what_is_wrong_is_read(tmp_path: Path) -> None:
    good = Case("row 63 a good one", "a.docx", DOCX, "accepted", holds=(HELD,), profile="archive")
    check(put_cases(tmp_path, [good], {}, strategies=NAMES), good, NAMES, knowing=NAMES)
