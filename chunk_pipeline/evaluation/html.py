"""The report as one self-contained HTML page: styles, script and plots inside it, nothing fetched.

It opens from a disk, in a mail or behind a wall, and its content policy forbids any request. Texts of the
sources are stripped of control and direction characters and escaped by Jinja2; those that the chunk
viewer shows stand in a block of data, written so that nothing in them ends it. None reaches script or style.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from chunk_pipeline.evaluation.plots import hit_plot, size_plot
from chunk_pipeline.evaluation.report import Report, context, template_environment
from chunk_pipeline.evaluation.viewer_json import script_json
from chunk_pipeline.warehouse.markdown import plain_text

LONGEST_CELL = 300


def render_html(report: Report, viewer: Mapping[str, Any] | None = None) -> str:
    """The page; the same tables give the same bytes.

    Args:
        report: The evidence.
        viewer: What ``viewer_payload`` gives; without it the page has no chunk viewer.
    """
    environment = template_environment(autoescape=True)
    environment.filters["shown"] = _shown
    environment.filters["sentence"] = plain_text
    plots = {
        "Hits in the first five chunks, over all that a strategy is asked": hit_plot(report.retrieval),
        "Sizes of the chunks": size_plot(report.structure),
    }
    images = {title: base64.b64encode(png).decode("ascii") for title, png in plots.items()}
    return environment.get_template("report.html.j2").render(
        context(report), plots=images, viewer=_viewer(viewer) if viewer and viewer["files"] else None
    )


def _viewer(payload: Mapping[str, Any]) -> dict[str, object]:
    """What the template of the chunk viewer uses."""
    return {
        "json": script_json(dict(payload)),
        "shown": len(payload["files"]),
        "of": payload["of"],
        "longest": payload["longest"],
    }


def _shown(value: object) -> str:
    """A value as text of one line, without characters that act; escaping follows."""
    text = plain_text(str(value))
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
