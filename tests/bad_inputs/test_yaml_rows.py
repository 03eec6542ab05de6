"""Bad and odd YAML through the pipeline: rows 23 to 31 of the table of bad inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_inputs.case import Case, parameters
from tests.bad_inputs.outcomes import check, check_good_file, check_reasons
from tests.bad_inputs.pipeline import Put, put_cases
from tests.bad_inputs.yaml_cases import MARKER, TYPES, YAML_CASES

STRATEGIES = ("recursive", "yaml_instance")
GOOD = {
    "good/a.yaml": b"preferred_label: Zoutkeet\n",
    "zz-good/b.yml": b"- preferred_label: Zoutpan\n- preferred_label: Ketel\n",
}


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("yaml"), YAML_CASES, GOOD, strategies=STRATEGIES)


@pytest.mark.parametrize("case", parameters(YAML_CASES))
def test_a_bad_or_odd_yaml_file_has_its_right_end(put: Put, case: Case) -> None:
    check(put, case, STRATEGIES)


def test_every_row_has_a_case() -> None:
    assert {case.row for case in YAML_CASES} == set(range(23, 32))


@pytest.mark.parametrize("path", GOOD)
@pytest.mark.parametrize("source", ["archive", "dropping"])
def test_the_good_files_beside_them_are_cut(put: Put, path: str, source: str) -> None:
    check_good_file(put, path, source, STRATEGIES)


def test_only_the_files_that_must_be_are_quarantined_and_each_reason_was_foreseen(put: Put) -> None:
    check_reasons(put, YAML_CASES)


def test_a_tag_runs_nothing(put: Put) -> None:
    root = Path(put.workspace.settings.sources).parent
    assert list(root.rglob(f"*{MARKER}*")) == []
    assert not Path(MARKER).exists()


def test_values_stay_the_words_that_they_are(put: Put) -> None:
    (row,) = put.chunks["archive", "row26/words-that-are-values.yaml"]["yaml_instance"]
    assert row["body"].splitlines()[1:] == list(TYPES)
    assert row["facts"]["country_code"] == "NO"
    (row,) = put.chunks["archive", "row26/a-label-of-digits.yaml"]["yaml_instance"]
    assert row["facts"]["names"] == ["010"]


def test_each_document_of_a_file_has_its_own_number(put: Put) -> None:
    rows = put.chunks["archive", "row27/three-documents.yaml"]["yaml_instance"]
    assert [row["unit"] for row in rows] == ["0:", "1:", "2:/0"]
