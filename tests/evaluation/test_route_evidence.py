"""Which questions decide on a recommendation, and what is said where they disagree."""

from __future__ import annotations

import pyarrow as pa
import pytest
from evaluation_tables import gold_of

from chunk_pipeline.evaluation.recommendation import Recommendation, recommend
from chunk_pipeline.evaluation.route_evidence import BUDGET_METRIC, ENOUGH, at_equal_budget
from chunk_pipeline.evaluation.routes import is_lexical, route_facts
from chunk_pipeline.warehouse.tables import COMPARISONS, RETRIEVAL_METRICS, STRUCTURE_METRICS

CATEGORY = "i18n_translations"
LEXICAL, OTHER = "i18n_value", "i18n_cross_language"


def metrics(values: dict[str, dict[str, float]], queries: dict[str, int], metric: str = "mrr") -> pa.Table:
    """A metric at chunk level from route → strategy → value."""
    rows = [
        {
            "strategy": strategy,
            "retriever": "bm25",
            "level": "chunk",
            "category": CATEGORY,
            "route": route,
            "metric": metric,
            "value": value,
            "low": value,
            "high": value,
            "n": queries[route],
            "n_distinct": queries[route],
            "verdict": None,
        }
        for route, strategies in values.items()
        for strategy, value in strategies.items()
    ]
    return pa.Table.from_pylist(rows, schema=RETRIEVAL_METRICS.schema)


def advice(n_other: int, other: dict[str, float], broken: float = 0.0) -> Recommendation:
    """On the answer's words ``first`` is best, and over all; on other words as told.

    ``broken`` is the share of ``second``'s chunks that do not parse.
    """
    structure = pa.Table.from_pylist(
        [
            {"strategy": name, "category": CATEGORY, "metric": metric, "value": value, "n": 9}
            for name, share in (("first", 0.0), ("second", broken))
            for metric, value in (("chunks", 9.0), ("broken", share))
        ],
        schema=STRUCTURE_METRICS.schema,
    )
    plain = {"first": 0.9, "second": 0.8}
    found = metrics(
        {"all": plain, LEXICAL: plain, OTHER: other}, {"all": 99, LEXICAL: 99 - n_other, OTHER: n_other}
    )
    (made,) = recommend(structure, found, COMPARISONS.empty())
    return made


def test_questions_in_other_words_decide_where_there_are_enough_and_the_disagreement_is_told() -> None:
    made = advice(ENOUGH, {"first": 0.2, "second": 0.3})
    assert (made.strategy, made.route) == ("second", OTHER)
    assert f"{ENOUGH} distinct queries of the route {OTHER}" in made.reasons[0]
    assert made.reasons[1] == (
        "Routes disagree: questions in the answer's own words do best with first, those in other words with "
        "second; the latter decide."
    )
    assert made.reasons[2].startswith(
        f"By {OTHER} (other words; {ENOUGH} distinct queries): second with bm25"
    )
    assert made.reasons[3].startswith(f"By {LEXICAL} (the answer's words by construction;")


def test_too_few_of_them_do_not_decide() -> None:
    made = advice(ENOUGH - 1, {"first": 0.2, "second": 0.3})
    assert (made.strategy, made.route) == ("first", "all")
    assert made.reasons[1].endswith("the latter are too few to decide.")


def test_routes_that_agree_are_not_said_to_disagree() -> None:
    assert not any("disagree" in reason for reason in advice(ENOUGH, {"first": 0.3, "second": 0.2}).reasons)


@pytest.mark.parametrize(("verdict", "told"), [("better", True), ("not distinguishable", False)])
def test_the_strategy_that_finds_most_at_an_equal_budget_is_told_beyond_noise(
    verdict: str, told: bool
) -> None:
    found = metrics({"all": {"long": 0.4, "short": 0.7}}, {"all": 20}, BUDGET_METRIC)
    row = {name: 0 for name in COMPARISONS.schema.names} | {
        "left_strategy": "long",
        "right_strategy": "short",
        "left_retriever": "bm25",
        "right_retriever": "bm25",
        "level": "chunk",
        "category": CATEGORY,
        "route": "all",
        "metric": BUDGET_METRIC,
        "verdict": verdict,
    }
    compared = pa.Table.from_pylist([row], schema=COMPARISONS.schema)
    assert at_equal_budget(found, compared, CATEGORY, ("long", "short"), "long") == (
        (
            "Given 1,000 tokens of chunks to read, short finds most with bm25 (0.700 of all questions; "
            "long 0.400), beyond noise.",
        )
        if told
        else ()
    )
    assert at_equal_budget(found, compared, CATEGORY, ("long", "short"), "short") == ()


def test_a_route_states_its_overlap_and_whether_it_is_lexical_by_construction() -> None:
    gold = gold_of({"one": [("a.json", 0, 5)], "two": [("a.json", 5, 9)]})
    route = gold.schema.get_field_index("route")
    overlap = gold.schema.get_field_index("lexical_overlap")
    gold = gold.set_column(route, gold.schema.field(route), pa.array([OTHER, LEXICAL]))
    gold = gold.set_column(overlap, gold.schema.field(overlap), pa.array([0.1, 1.0]))
    first, second = route_facts(gold)
    assert (first.route, first.lexical, first.overlap) == (OTHER, False, pytest.approx(0.1))
    assert (second.route, second.lexical, second.rows, second.files) == (LEXICAL, True, 1, 1)
    assert first.asks
    assert is_lexical("a route that is no more") is None


def test_who_is_ruled_out_by_structure_though_it_finds_more_is_told() -> None:
    made = advice(ENOUGH, {"first": 0.2, "second": 0.3}, broken=0.5)
    assert (made.strategy, made.out) == ("first", ("second",))
    assert (
        "By what is found alone it would be second with bm25: MRR 0.300 against 0.200, a difference that may "
        "be noise."
    ) in made.reasons
    agreed = advice(ENOUGH, {"first": 0.3, "second": 0.2}, broken=0.5)
    assert not any("found alone" in reason for reason in agreed.reasons)
