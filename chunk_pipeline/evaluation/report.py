"""The evaluation report: its tables collected, and the Markdown file made of them.

What a reader sees is decided once, in ``views``, for Markdown and for the page alike; the page is made in
``html``. Nothing is computed here that is not in the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import jinja2
import pyarrow as pa

from chunk_pipeline.evaluation.gold_views import gold_views
from chunk_pipeline.evaluation.language_views import language_sections
from chunk_pipeline.evaluation.recommendation import RULE, Recommendation, recommend
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.evaluation.view import Section, TableView, text_cell
from chunk_pipeline.evaluation.views import left_out_views, sections
from chunk_pipeline.warehouse.markdown import markdown_cell, markdown_line
from chunk_pipeline.warehouse.tables import LANGUAGE_METRICS

_LONGEST_SENTENCE = 2000


@dataclass(frozen=True, slots=True)
class Report:
    """The evidence of one evaluation; every table may be empty.

    Attributes:
        gold: ``gold_queries``.
        retrieval: ``retrieval_metrics`` of all strategies.
        comparisons: ``comparisons``.
        structure: ``structure_metrics`` of all strategies.
        quarantine: ``quarantine`` of all stages and repositories.
        skips: ``skips`` of all strategies and repositories.
        languages: ``language_metrics``.
        notes: What else a reader must know to repeat it, as (name, value): the model, the snapshots, the
            tuned weights.
    """

    gold: pa.Table
    retrieval: pa.Table
    comparisons: pa.Table
    structure: pa.Table
    quarantine: pa.Table
    skips: pa.Table
    languages: pa.Table = field(default_factory=LANGUAGE_METRICS.empty)
    notes: tuple[tuple[str, str], ...] = ()

    def recommendations(self) -> tuple[Recommendation, ...]:
        """Which strategy for which category, and how sure; categories that gold asks for first."""
        found = recommend(self.structure, self.retrieval, self.comparisons)
        return tuple(sorted(found, key=lambda each: not each.retriever))

    def sections(self) -> list[Section]:
        """The tables as shown, a section a category."""
        advice = self.recommendations()
        made = sections(advice, self.gold, self.retrieval, self.comparisons, self.structure)
        return [*made, *language_sections(self.languages)]


def render_markdown(report: Report) -> str:
    """The report as one Markdown file; texts of the sources are escaped and cut short."""
    environment = template_environment(autoescape=False)
    environment.filters["cell"] = markdown_cell
    environment.filters["sentence"] = lambda value: markdown_line(value, _LONGEST_SENTENCE)
    return environment.get_template("report.md.j2").render(context(report))


def template_environment(*, autoescape: bool) -> jinja2.Environment:
    """Where the templates are, with the settings that both formats share."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("chunk_pipeline.evaluation"),
        autoescape=autoescape,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def context(report: Report) -> dict[str, object]:
    """What the templates may use."""
    advice = report.recommendations()
    return {
        "recommendations": advice,
        "summary": _summary(advice),
        "rule": RULE,
        "sections": report.sections(),
        "gold": gold_views(report.gold),
        "left_out": left_out_views(report.quarantine, report.skips),
        "notes": report.notes,
    }


def advice_rows(advice: Sequence[Recommendation]) -> list[dict[str, str]]:
    """Recommendations in a few words each: what to use for a category, under which retriever, how sure."""
    return [
        {
            "category": each.category,
            "use": each.strategy,
            "retriever": each.retriever or "–",
            "how sure": each.certainty.partition(":")[0],
        }
        for each in sorted(advice, key=lambda each: not each.retriever)
    ]


def _summary(advice: Sequence[Recommendation]) -> TableView:
    columns = ("category", "use", "best with", "judged by", "how sure")
    rows = (
        (each.category, each.strategy, each.retriever or "–", _judged_by(each), each.certainty)
        for each in advice
    )
    return TableView("", "", columns, tuple(tuple(map(text_cell, row)) for row in rows))


def _judged_by(advice: Recommendation) -> str:
    if not advice.route:
        return "its structure"
    return "all questions" if advice.route == ALL else advice.route
