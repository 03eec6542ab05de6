"""Every promise names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@pytest.mark.parametrize(("module", "test"), NAMED, ids=lambda value: value.rpartition("/")[2])
def test_the_test_that_holds_a_promise_is_there(module: str, test: str) -> None:
    assert f"def {test}(" in (ROOT / module).read_text(encoding="utf-8")


def test_every_promise_names_a_test() -> None:
    tables = PAGE.partition("## What a crash leaves")[0]
    rows = [line for line in tables.splitlines() if line.startswith("| ") and "tested by" not in line]
    promises = [row for row in rows if not row.startswith("| ---")]
    assert len(promises) > 20
    assert all("`tests/" in row for row in promises)
