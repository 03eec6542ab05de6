"""What the report shows: a section a category, then the gold, then what was left out.

Markdown and the page show the same views. The tables themselves hold every row and every digit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_pipeline.evaluation.comparison_views import comparison_views
from chunk_pipeline.evaluation.gold_views import facts_by_category
from chunk_pipeline.evaluation.recommendation import Recommendation
from chunk_pipeline.evaluation.retrieval_views import retrieval_views
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.structure_views import structure_view
from chunk_pipeline.evaluation.view import (
    SHOWN_ROWS,
    Section,
    TableView,
    left_off,
    number_cell,
    text_cell,
)

Row = Mapping[str, Any]


def sections(
    advice: Sequence[Recommendation],
    gold: pa.Table,
    retrieval: pa.Table,
    comparisons: pa.Table,
    structure: pa.Table,
) -> list[Section]:
    """A section for each category in the order of the advice, then one over strategies that share several.

    Args:
        advice: What is recommended for each category.
        gold: ``gold_queries``.
        retrieval: ``retrieval_metrics``.
        comparisons: ``comparisons``.
        structure: ``structure_metrics``.
    """
    facts = facts_by_category(gold)
    found, compared, cut = (_by_category(table) for table in (retrieval, comparisons, structure))
    made = []
    for each in advice:
        name = each.category
        views = [
            *retrieval_views(found[name], facts.get(name, ()), each),
            structure_view(cut[name]),
            *comparison_views(compared[name], each.strategy, each.route),
        ]
        lead = (f"Use {each.strategy}. {each.certainty}", *each.reasons)
        made.append(Section(f"category-{name}", name, lead, tuple(views)))
    made += _over_several(found, compared[ALL])
    if len(advice) > 1:
        whole = structure_view(cut[ALL])
        made.append(Section("all-that-is-cut", "All that each strategy cuts", (), (whole,)))
    return made


def _over_several(found: Mapping[str, Sequence[Row]], compared: Sequence[Row]) -> list[Section]:
    """A section for each set of strategies that are asked the same categories, several of them."""
    asked: dict[str, set[str]] = defaultdict(set)
    for category, rows in found.items():
        for strategy in {row["strategy"] for row in rows} if category != ALL else ():
            asked[strategy].add(category)
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for strategy in sorted(asked):
        groups[tuple(sorted(asked[strategy]))].append(strategy)
    made = []
    for categories, strategies in sorted(groups.items()):
        if len(categories) > 1:
            rows = [row for row in found[ALL] if row["strategy"] in strategies]
            pairs = [row for row in compared if row["left_strategy"] in strategies]
            views = [*retrieval_views(rows, ()), *comparison_views(pairs, "", ALL)]
            title = f"All of {', '.join(categories)}"
            made.append(Section(f"all-{'-'.join(categories)}", title, (), tuple(views)))
    return made


def left_out_views(quarantine: pa.Table, skips: pa.Table) -> list[TableView]:
    """The views of the tables ``quarantine`` and ``skips``."""
    return [_quarantine(quarantine.to_pylist()), _skips(skips)]


def _by_category(table: pa.Table) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in table.to_pylist():
        found[row["category"]].append(row)
    return found


def _quarantine(rows: Sequence[Row]) -> TableView:
    shown = tuple(
        (text_cell(f"{row['repository']}/{row['path']}"), text_cell(row["stage"]), text_cell(row["error"]))
        for row in rows[:SHOWN_ROWS]
    )
    return TableView("Files in quarantine", left_off(len(rows), "files"), ("file", "stage", "error"), shown)


def _skips(skips: pa.Table) -> TableView:
    columns = (skips[name].to_pylist() for name in ("strategy", "category", "reason", "start", "end"))
    stretches: Counter[tuple[str, str, str]] = Counter()
    characters: Counter[tuple[str, str, str]] = Counter()
    for strategy, category, reason, start, end in zip(*columns, strict=True):
        stretches[strategy, category, reason] += 1
        characters[strategy, category, reason] += end - start
    rows = tuple(
        (*map(text_cell, key), number_cell(stretches[key], ",d"), number_cell(characters[key], ",d"))
        for key in sorted(stretches)[:SHOWN_ROWS]
    )
    return TableView(
        "Left out on purpose",
        left_off(len(stretches), "reasons"),
        ("strategy", "category", "reason", "stretches", "characters"),
        rows,
    )
