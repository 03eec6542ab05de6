"""What the proof on packages takes for a broken claim: each way of failing, one at a time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from benchmarks.packages import Tally
from chunk_pipeline.chunking.registry import strategy

SOUND: dict[str, Any] = {"chunks": 1000, "exact": 1000, "parsing": 1000, "characters": 9000, "covered": 9000}


def tally(name: str, **figures: Any) -> Tally:
    made = Tally(strategy(name))
    for figure, value in (SOUND | figures).items():
        assert hasattr(made, figure)
        setattr(made, figure, value)
    return made


@pytest.mark.parametrize("name", ["js_syntax", "json_category", "recursive"])
def test_all_is_well(name: str) -> None:
    assert not tally(name).broken


@pytest.mark.parametrize("figures", [{"exact": 999}, {"covered": 8999}])
@pytest.mark.parametrize("name", ["js_syntax", "json_category", "recursive"])
def test_a_lost_character_or_a_wrong_span_breaks_any_strategy(name: str, figures: dict[str, int]) -> None:
    assert tally(name, **figures).broken


@pytest.mark.parametrize(
    ("name", "broken"), [("js_syntax", True), ("json_category", True), ("recursive", False)]
)
def test_integrity_is_asked_of_those_that_promise_it(name: str, broken: bool) -> None:
    assert tally(name, parsing=999).broken == broken


@pytest.mark.parametrize("figures", [{"over_limit": 1}, {"fallbacks": Counter({"why": 3})}])
def test_a_syntax_strategy_keeps_the_limit_and_seldom_falls_back(figures: dict[str, Any]) -> None:
    assert tally("js_syntax", **figures).broken
    assert not tally("json_category", **figures).broken
    assert not tally("js_syntax", fallbacks=Counter({"why": 2})).broken
