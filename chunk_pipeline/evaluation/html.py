"""The report as one self-contained HTML page: styles, script and plots inside it, nothing fetched.

It opens from a disk, in a mail or behind a wall, and its content policy forbids any request. Texts of the
sources are stripped of control and direction characters and escaped by Jinja2; none reaches script or style.
"""

from __future__ import annotations

import base64

from chunk_pipeline.evaluation.plots import hit_plot, size_plot
from chunk_pipeline.evaluation.report import Report, context, template_environment
from chunk_pipeline.warehouse.markdown import plain_text

LONGEST_CELL = 300


def render_html(report: Report) -> str:
    """The page; the same tables give the same bytes."""
    environment = template_environment(autoescape=True)
    environment.filters["shown"] = _shown
    environment.filters["sentence"] = plain_text
    plots = {
        "Hits in the first five chunks, over all that a strategy is asked": hit_plot(report.retrieval),
        "Sizes of the chunks": size_plot(report.structure),
    }
    images = {title: base64.b64encode(png).decode("ascii") for title, png in plots.items()}
    return environment.get_template("report.html.j2").render(context(report), plots=images)


def _shown(value: object) -> str:
    """A value as text of one line, without characters that act; escaping follows."""
    text = plain_text(str(value))
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
