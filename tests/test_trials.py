"""The counts that ``make trials`` prints are those of the tests that ran."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

SUITE = """
import pytest

@pytest.mark.fault
@pytest.mark.parametrize("row", range(3))
def test_fault(row):
    assert row < 2

@pytest.mark.bad_input
def test_many(record_property):
    record_property("tried", 515)

@pytest.mark.hostile_repository
def test_skipped():
    pytest.skip("no mount")

def test_other():
    pass
"""


def test_each_kind_is_counted_and_what_failed(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers =\n  fault\n  bad_input\n  hostile_repository")
    pytester.makepyfile(SUITE)
    printed = pytester.runpytest_inprocess("-p", "tests.trials", "-p", "no:cacheprovider").stdout.str()
    assert "faults tried: 3" in printed
    assert "bad inputs tried: 515" in printed
    assert "hostile repositories tried: 0" in printed
    assert "failures: 1" in printed


def test_nothing_is_printed_where_no_such_test_ran(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_other():\n    pass\n")
    printed = pytester.runpytest_inprocess("-p", "tests.trials", "-p", "no:cacheprovider").stdout.str()
    assert "tried" not in printed
