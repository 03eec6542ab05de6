"""Bad and odd CSV through the pipeline: rows 32 to 43 of the table of bad inputs."""

from __future__ import annotations

import pytest

from tests.bad_inputs.case import Case, parameters
from tests.bad_inputs.csv_cases import CSV_CASES, GOOD_BODY, HEADER
from tests.bad_inputs.outcomes import check, check_good_file, check_reasons
from tests.bad_inputs.pipeline import Put, put_cases

STRATEGIES = ("csv_registry", "recursive")
OWN = STRATEGIES[:1]
GOOD = {
    "good/a.csv": f"{HEADER}\nZoutkeet,Waterkerk,open\n".encode(),
    "zz-good/b.tsv": b"Instelling\tPlaats\nZoutpan\tZeedorp\n",
}


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    return put_cases(tmp_path_factory.mktemp("csv"), CSV_CASES, GOOD, strategies=STRATEGIES)


@pytest.mark.parametrize("case", parameters(CSV_CASES))
def test_a_bad_or_odd_csv_file_has_its_right_end(put: Put, case: Case) -> None:
    check(put, case, STRATEGIES, knowing=OWN)


def test_every_row_has_a_case() -> None:
    assert {case.row for case in CSV_CASES} == set(range(32, 44))


@pytest.mark.parametrize("path", GOOD)
@pytest.mark.parametrize("source", ["archive", "dropping"])
def test_the_good_files_beside_them_are_cut(put: Put, path: str, source: str) -> None:
    check_good_file(put, path, source, STRATEGIES)


def test_only_the_files_that_must_be_are_quarantined_and_each_reason_was_foreseen(put: Put) -> None:
    check_reasons(put, CSV_CASES)


def test_only_the_rows_that_are_odd_are_warned_of(put: Put) -> None:
    for case in CSV_CASES:
        for row in put.chunks.get((case.profile, case.path), {}).get(OWN[0], []):
            warnings = row["facts"]["warnings"]
            assert not warnings or case.says or "quotes inside" in case.id, (case.id, warnings)


def test_a_row_has_its_number_and_its_place_in_the_file(put: Put) -> None:
    for case in CSV_CASES:
        if case.row != 43 or case.right != "accepted":
            continue
        text = put.text(case.profile, case.path)
        rows = put.chunks[case.profile, case.path][OWN[0]]
        assert [row["unit"] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
        assert [row["facts"]["row"] for row in rows] == list(range(1, len(rows) + 1))
        for row in rows:
            (span,) = row["spans"]
            assert text[span["start"] : span["end"]].count(",") == 2
            if row["body"] == GOOD_BODY:
                assert text[span["start"] : span["end"]] == "Zoutkeet,Waterkerk,open"
