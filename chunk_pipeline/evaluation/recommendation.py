"""Which strategy for which category, and how sure we are: the evidence in words a person can act on.

The rule is written here and printed in the report, so that nobody has to trust it: first the structure (a
strategy that breaks or loses values is out where another does not), then what is found, at the level of
chunks, and only differences beyond noise count. Questions in the answer's own words are found by any
retriever that compares words, so those in other words decide where there are enough of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.route_evidence import (
    at_equal_budget,
    beaten,
    deciding,
    deciding_route,
    disagreement,
    winners,
)
from chunk_pipeline.evaluation.sample import ALL

WHOLE = 0.999
"""Shares from here on count as all: an odd file does not rule a strategy out."""

RULE = (
    "Strategies that take most files of a category, whose chunks parse (or say why theirs cannot), and which "
    "keep every value, go before those that do not. Among them the one with the highest MRR at chunk level "
    "under the best retriever is recommended: on the questions of a route that are not the answer's words by "
    "construction, where there are enough of them, else on all. The others are told apart from it only where "
    "the difference is beyond noise."
)

Structure = Mapping[str, Mapping[str, float]]
"""Strategy → metric → value of one category."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do about one category.

    Attributes:
        category: The category.
        strategy: The strategy recommended.
        retriever: The retriever under which it was judged best; empty where no gold asks for the category.
        certainty: How sure: one sentence.
        reasons: The evidence, one sentence each.
        route: The route whose questions decided, or ``all``; empty where no gold asks for the category.
        out: The strategies that are ruled out, whatever they find.
    """

    category: str
    strategy: str
    retriever: str
    certainty: str
    reasons: tuple[str, ...]
    route: str = ""
    out: tuple[str, ...] = ()


def recommend(structure: pa.Table, metrics: pa.Table, comparisons: pa.Table) -> tuple[Recommendation, ...]:
    """A recommendation for every category that some strategy cuts, in the order of names.

    Args:
        structure: ``structure_metrics`` of all strategies.
        metrics: ``retrieval_metrics``.
        comparisons: ``comparisons``.
    """
    categories = sorted(set(structure["category"].to_pylist()) - {ALL})
    found = (_for_category(each, structure, metrics, comparisons) for each in categories)
    return tuple(each for each in found if each is not None)


def _for_category(
    category: str, structure: pa.Table, metrics: pa.Table, comparisons: pa.Table
) -> Recommendation | None:
    known = _structure(structure, category)
    if not known:
        return None
    candidates, ruled_out = _sound(known)
    evidence = deciding(metrics, category, candidates)
    route = deciding_route(evidence)
    if not route:
        return _by_structure(category, known, candidates, ruled_out)
    scores = evidence[route]
    (strategy, retriever), best = max(scores.items(), key=lambda item: _merit(known, item[0], item[1]))
    others = {name for name, other in scores if other == retriever} - {strategy}
    worse = beaten(comparisons, category, route, retriever, strategy) & others
    equal = sorted(others - worse)
    found = Recommendation(
        category,
        strategy,
        retriever,
        certainty=_certainty(sorted(worse), equal, len(ruled_out)),
        reasons=(
            f"MRR at chunk level {best['value']:.3f} (95% interval {best['low']:.3f} to {best['high']:.3f}) "
            f"with {retriever}, over {best['n_distinct']:.0f} distinct queries{_of(route)}.",
            *disagreement(evidence, route),
            *winners(evidence),
            *_by_what_is_found(metrics, comparisons, category, route, known, strategy),
            *at_equal_budget(metrics, comparisons, category, candidates, strategy),
            *ruled_out,
            _figures(known[strategy]),
        ),
        route=route,
        out=tuple(sorted(set(known) - set(candidates))),
    )
    return replace(found, reasons=(*found.reasons, *_cheapest(known, strategy, equal)))


def _of(route: str) -> str:
    return "" if route == ALL else f" of the route {route}, which are not the answer's words by construction"


def _by_what_is_found(
    metrics: pa.Table, comparisons: pa.Table, category: str, route: str, known: Structure, strategy: str
) -> tuple[str, ...]:
    """Who would be recommended if nobody were ruled out, where that is another."""
    scores = deciding(metrics, category, sorted(known)).get(route, {})
    (best, retriever), row = max(scores.items(), key=lambda item: _merit(known, item[0], item[1]))
    if best == strategy or (strategy, retriever) not in scores:
        return ()
    beyond = strategy in beaten(comparisons, category, route, retriever, best)
    return (
        f"By what is found alone it would be {best} with {retriever}: MRR {row['value']:.3f} against "
        f"{scores[strategy, retriever]['value']:.3f}, "
        + ("beyond noise." if beyond else "a difference that may be noise."),
    )


def _merit(
    known: Structure, candidate: tuple[str, str], row: Mapping[str, float]
) -> tuple[float, float, tuple[str, str]]:
    """What is found; of equals, the one that stores less text."""
    return row["value"], -known[candidate[0]].get("duplication", 0.0), candidate


def _certainty(worse: Sequence[str], equal: Sequence[str], n_out: int) -> str:
    if not worse and not equal and n_out:
        others = "1 is out by how it cuts" if n_out == 1 else f"{n_out} are out by how they cut"
        return f"The only candidate left: {others}."
    if not worse and not equal:
        return "The only candidate: nothing to compare it with."
    if not equal:
        return f"Sure: better than {_and(worse)}, beyond noise."
    if not worse:
        return f"Not sure: not distinguishable from {_and(equal)} on this gold."
    return f"Partly sure: better than {_and(worse)}, not distinguishable from {_and(equal)}."


def _by_structure(
    category: str, known: Structure, candidates: Sequence[str], ruled_out: Sequence[str]
) -> Recommendation:
    """Without gold: the fewest oversized chunks, then the least text stored."""
    strategy = min(candidates, key=lambda name: (*_cost(known[name]), name))
    return Recommendation(
        category,
        strategy,
        retriever="",
        certainty="Structure only: no gold query asks for this category, so how well it is found is unknown.",
        reasons=(*ruled_out, _figures(known[strategy])),
        out=tuple(sorted(set(known) - set(candidates))),
    )


def _cost(figures: Mapping[str, float]) -> tuple[float, float]:
    return figures.get("oversized", 0.0), figures.get("duplication", 0.0)


def _sound(known: Structure) -> tuple[list[str], list[str]]:
    """(strategies left, sentences on those ruled out): by files, integrity, cover, then leaves kept."""
    left, sentences = _for_all_files(known)
    for share_of, words in (
        (_intact, "chunks that do not parse on their own and give no reason"),
        (_covered, "characters in no chunk and in no listed skip"),
        (_leaves_kept, "values in no chunk and in no listed skip"),
    ):
        share = {name: share for name in left if (share := share_of(known[name])) is not None}
        if not share or max(share.values()) < WHOLE:
            continue
        out = [name for name in left if share.get(name, 0.0) < WHOLE]
        sentences += [f"{name} is out: {1 - share.get(name, 0.0):.1%} {words}." for name in out]
        left = [name for name in left if name not in out]
    return left, sentences


def _for_all_files(known: Structure) -> tuple[list[str], list[str]]:
    """Those that are given most of the category's files, and sentences on those that are given fewer."""
    given = {name: known[name].get("files", 0.0) + known[name].get("files_uncut", 0.0) for name in known}
    most = max(given.values())
    left = sorted(name for name in given if given[name] == most)
    fewer = sorted(set(given) - set(left))
    return left, [f"{name} is out: it takes {given[name]:.0f} files, others {most:.0f}." for name in fewer]


def _intact(figures: Mapping[str, float]) -> float | None:
    return 1 - figures["broken"] if "broken" in figures else None


def _covered(figures: Mapping[str, float]) -> float | None:
    return figures.get("cover")


def _leaves_kept(figures: Mapping[str, float]) -> float | None:
    if "leaf_coverage" not in figures:
        return None
    return figures["leaf_coverage"] + figures.get("leaf_skipped", 0.0)


def _cheapest(known: Structure, strategy: str, equal: Sequence[str]) -> tuple[str, ...]:
    """A word on the strategy that stores least, where it may be had for nothing."""
    sizes = {name: known[name]["duplication"] for name in (strategy, *equal) if "duplication" in known[name]}
    least = min(sizes, key=lambda name: (sizes[name], name)) if sizes else strategy
    if least == strategy:
        return ()
    return (f"{least} stores least ({sizes[least]:.2f} times the source) and may serve as well.",)


def _figures(figures: Mapping[str, float]) -> str:
    parts = [f"{figures['chunks']:.0f} chunks"] if "chunks" in figures else []
    parts += [
        f"{figures[name]:.1%} {words}"
        for name, words in (
            ("parse_integrity", "parse on their own"),
            ("leaf_coverage", "of the values kept"),
            ("over_limit", "over the limit"),
            ("oversized", "oversized"),
            ("fallbacks", "cut another way"),
        )
        if name in figures
    ]
    if "duplication" in figures:
        parts.append(f"{figures['duplication']:.2f} times the source stored")
    return ", ".join(parts) + "."


def _structure(structure: pa.Table, category: str) -> dict[str, dict[str, float]]:
    rows = structure.filter(pc.equal(structure["category"], category)).to_pylist()
    known: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["value"] is not None:
            known.setdefault(row["strategy"], {})[row["metric"]] = row["value"]
    return {name: figures for name, figures in known.items() if figures.get("chunks")}


def _and(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
