"""The report as one self-contained HTML page: styles, script and plots inside it, nothing fetched.

It opens from a disk, in a mail or behind a wall. Its content policy forbids any request and runs no script
but the page's own two, known by their digests. In the texts of the sources, characters that act or hide are
written out, and Jinja2 escapes the rest; those that the chunk viewer shows stand in a block of data, written
so that nothing in them ends it. None reaches script or style, and each is isolated from the direction of its
neighbours.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from chunk_pipeline.evaluation.plots import hit_plot, size_plot
from chunk_pipeline.evaluation.report import Report, context, template_environment
from chunk_pipeline.evaluation.viewer_json import script_json
from chunk_pipeline.warehouse.plain_text import cut_short, plain_text

LONGEST_CELL = 300


def render_html(report: Report, viewer: Mapping[str, Any] | None = None) -> str:
    """The page; the same tables give the same bytes.

    Args:
        report: The evidence.
        viewer: What ``viewer_payload`` gives; without it the page has no chunk viewer.
    """
    environment = template_environment(autoescape=True)
    environment.filters["shown"] = lambda value: cut_short(str(value), LONGEST_CELL)
    environment.filters["sentence"] = plain_text
    environment.filters["digest"] = _digest
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


def _digest(content: str) -> str:
    """An element's content as a content policy names it."""
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode("ascii")
