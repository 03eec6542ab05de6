"""What each route says about the strategies of a category, and which of them is listened to.

What is recommended belongs in ``recommendation``; here only which questions decide, and whether questions in
the answer's words and questions in other words point to the same strategy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.routes import is_lexical
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.significance import Verdict

DECIDING_METRIC = "mrr"
DECIDING_LEVEL = "chunk"
DECIDING = (DECIDING_METRIC, DECIDING_LEVEL)
"""By which a strategy is recommended; for single routes only this is compared."""

TOKENS = 1000
BUDGET_METRIC = f"hit@{TOKENS}tokens"
"""By which it is told what a strategy is worth at an equal budget."""

ENOUGH = 10
"""Distinct queries from which a route can decide: with fewer hardly any difference is beyond noise."""

Found = Mapping[tuple[str, str], Mapping[str, float]]
"""(strategy, retriever) → the row of ``retrieval_metrics`` with the deciding metric."""

Evidence = Mapping[str, Found]
"""Route, or ``all``, → what it found."""


def deciding(metrics: pa.Table, category: str, candidates: Sequence[str]) -> Evidence:
    """The deciding metric of some strategies in a category, by route and over all of them."""
    wanted = (
        (pc.field("category") == category)
        & (pc.field("level") == DECIDING_LEVEL)
        & (pc.field("metric") == DECIDING_METRIC)
        & pc.field("strategy").isin(list(candidates))
    )
    evidence: dict[str, dict[tuple[str, str], Mapping[str, float]]] = {}
    for row in metrics.filter(wanted).to_pylist():
        evidence.setdefault(row["route"], {})[row["strategy"], row["retriever"]] = row
    return evidence


def deciding_route(evidence: Evidence) -> str:
    """The route to go by: of those that are not lexical by construction the largest, if it is large enough.

    Returns:
        Its name; ``all`` where there is none, and nothing where there is no evidence at all.
    """
    sizes = {
        route: next(iter(found.values()))["n_distinct"]
        for route, found in evidence.items()
        if route != ALL and is_lexical(route) is False
    }
    large = [route for route in sorted(sizes) if sizes[route] >= ENOUGH]
    if large:
        return max(large, key=lambda route: sizes[route])
    return ALL if ALL in evidence else ""


def beaten(
    comparisons: pa.Table,
    category: str,
    route: str,
    retriever: str,
    strategy: str,
    metric: str = DECIDING_METRIC,
) -> set[str]:
    """Strategies that this one beats beyond noise under a retriever, at the level that decides."""
    wanted = (
        (pc.field("category") == category)
        & (pc.field("route") == route)
        & (pc.field("level") == DECIDING_LEVEL)
        & (pc.field("metric") == metric)
        & (pc.field("left_retriever") == retriever)
        & (pc.field("right_retriever") == retriever)
    )
    found = set()
    for row in comparisons.filter(wanted).to_pylist():
        left, right, verdict = row["left_strategy"], row["right_strategy"], row["verdict"]
        if left == strategy and verdict == Verdict.WORSE:
            found.add(right)
        if right == strategy and verdict == Verdict.BETTER:
            found.add(left)
    return found


def at_equal_budget(
    metrics: pa.Table, comparisons: pa.Table, category: str, candidates: Sequence[str], chosen: str
) -> tuple[str, ...]:
    """A sentence where another strategy finds more in as many tokens, beyond noise.

    Long chunks are easily found; it is told what they cost.

    Args:
        metrics: ``retrieval_metrics``.
        comparisons: ``comparisons``.
        category: The category.
        candidates: Strategies that count.
        chosen: The one that is recommended.
    """
    wanted = (
        (pc.field("category") == category)
        & (pc.field("route") == ALL)
        & (pc.field("level") == DECIDING_LEVEL)
        & (pc.field("metric") == BUDGET_METRIC)
        & pc.field("strategy").isin(list(candidates))
    )
    found = {(row["strategy"], row["retriever"]): row["value"] for row in metrics.filter(wanted).to_pylist()}
    if not found:
        return ()
    strategy, retriever = max(sorted(found), key=lambda each: found[each])
    if chosen not in beaten(comparisons, category, ALL, retriever, strategy, BUDGET_METRIC):
        return ()
    return (
        f"Given {TOKENS:,} tokens of chunks to read, {strategy} finds most with {retriever} "
        f"({found[strategy, retriever]:.3f} of all questions; {chosen} {found[chosen, retriever]:.3f}), "
        "beyond noise.",
    )


def winners(evidence: Evidence) -> tuple[str, ...]:
    """A sentence for each route on what does best by it; none where there is only one route."""
    routes = sorted(set(evidence) - {ALL}, key=lambda route: (is_lexical(route) is not False, route))
    return tuple(_winner(route, evidence[route]) for route in routes) if len(routes) > 1 else ()


def disagreement(evidence: Evidence, decided: str) -> tuple[str, ...]:
    """A sentence where routes in the answer's words and the others point to different strategies."""
    best = {route: _best(found)[0] for route, found in evidence.items() if route != ALL}
    lexical = {best[route] for route in best if is_lexical(route)}
    other = {best[route] for route in best if is_lexical(route) is False}
    if not lexical or not other or lexical & other:
        return ()
    said = "the latter decide" if decided != ALL else "the latter are too few to decide"
    return (
        f"Routes disagree: questions in the answer's own words do best with {_or(lexical)}, those in other "
        f"words with {_or(other)}; {said}.",
    )


def _winner(route: str, found: Found) -> str:
    strategy, retriever = _best(found)
    row = found[strategy, retriever]
    kind = {True: "the answer's words by construction", False: "other words", None: "a route no more"}
    return (
        f"By {route} ({kind[is_lexical(route)]}; {row['n_distinct']:.0f} distinct queries): {strategy} with "
        f"{retriever}, MRR {row['value']:.3f}."
    )


def _best(found: Found) -> tuple[str, str]:
    return max(sorted(found), key=lambda each: found[each]["value"])


def _or(names: set[str]) -> str:
    return " or ".join(sorted(names))
