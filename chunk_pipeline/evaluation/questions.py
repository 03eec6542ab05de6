"""The questions that the figures answer: for which gold rows, which strategies stand side by side.

For each category all of its gold, and each of its routes; and ``all``: all the gold that a strategy is asked,
side by side only with strategies that are asked the same categories. What is computed for a question belongs
in ``metrics`` and ``comparisons``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chunk_pipeline.evaluation.judgements import Bool
from chunk_pipeline.evaluation.sample import ALL, Sample, clusters, sample
from chunk_pipeline.evaluation.scores import Scores


@dataclass(frozen=True, slots=True)
class Question:
    """Some gold rows, and the strategies that are all asked them.

    Attributes:
        category: Category of the rows, or ``all``.
        route: Route that mined them, or ``all``.
        sample: The rows.
        strategies: Names, ascending.
        same_as: The category whose question is this one under another name; empty where there is none.
    """

    category: str
    route: str
    sample: Sample
    strategies: tuple[str, ...]
    same_as: str = ""


def questions(scores: Scores) -> Iterator[Question]:
    """All questions in the order: categories by name, each with its routes behind it, then ``all``."""
    gold = scores.gold
    category, route = gold["category"].to_numpy(), gold["route"].to_numpy()
    cluster = clusters(gold)
    together: dict[tuple[str, ...], list[str]] = {}
    for strategy in sorted({measure.strategy for measure in scores.measures}):
        asked = tuple(name for name in sorted(set(category)) if scores.scopes.asks(strategy, name))
        together.setdefault(asked, []).append(strategy)
    for name in sorted(set(category)):
        rows: Bool = category == name
        cutting = tuple(sorted(each for asked, of_it in together.items() if name in asked for each in of_it))
        if not cutting:
            continue
        yield Question(name, ALL, sample(gold, rows, cluster), cutting)
        for mined in sorted(set(route[rows])):
            yield Question(name, mined, sample(gold, rows & (route == mined), cluster), cutting)
    for asked, of_it in together.items():
        same_as = asked[0] if len(asked) == 1 else ""
        yield Question(ALL, ALL, sample(gold, np.isin(category, asked), cluster), tuple(of_it), same_as)
