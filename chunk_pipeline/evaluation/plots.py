"""Plots of the report: small PNG images, the same bytes for the same tables.

Small, since the UI keeps them in its event log; without dates and versions in them, since reports are
compared by digest. The tables beside them hold the figures; a plot only shows their order.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.warehouse.plain_text import plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    Draw = Callable[[Axes], None]

COLOURS = ("#4878a8", "#e0873c", "#5b9f5b", "#8d6bb0")
"""One a retriever or a figure; told apart in grey and by the colour-blind by order and legend."""

LABEL_CHARACTERS = 32
FEW = 8
"""Strategies up to which a plot gives each plenty of room."""

DOTS_PER_INCH = 110


def hit_plot(metrics: pa.Table, metric: str = "hit@5", level: str = "chunk") -> bytes:
    """A metric with its 95% intervals, for every strategy and retriever over all that it is asked.

    Args:
        metrics: A ``retrieval_metrics`` table; an empty one gives an empty plot that says so.
        metric: Metric to show.
        level: file or chunk.

    Returns:
        PNG bytes.
    """
    wanted = metrics.filter(
        (pc.field("metric") == metric) & (pc.field("level") == level) & (pc.field("category") == ALL)
    ).to_pylist()
    found = {(row["strategy"], row["retriever"]): row for row in wanted}
    strategies = sorted({strategy for strategy, _ in found})
    retrievers = sorted({retriever for _, retriever in found})

    def draw(axes: Axes) -> None:
        for place, retriever in enumerate(retrievers):
            rows = [found.get((strategy, retriever)) for strategy in strategies]
            at = [n + (place - (len(retrievers) - 1) / 2) * 0.18 for n, row in enumerate(rows) if row]
            shown = [row for row in rows if row]
            value = np.array([row["value"] for row in shown])
            low = np.array([row["low"] for row in shown])
            high = np.array([row["high"] for row in shown])
            error = np.stack([(value - low).clip(0), (high - value).clip(0)])
            colour = COLOURS[place % len(COLOURS)]
            axes.errorbar(value, at, xerr=error, fmt="o", ms=4, capsize=2, color=colour, label=retriever)
        axes.set_xlabel(f"{metric}, {level} level, 95% interval")

    return _png(draw, strategies, legend=len(retrievers))


def size_plot(structure: pa.Table) -> bytes:
    """Median, 95th percentile and maximum of the chunks' characters, for every strategy.

    Args:
        structure: A ``structure_metrics`` table; an empty one gives an empty plot that says so.

    Returns:
        PNG bytes.
    """
    figures = ("median", "p95", "max")
    rows = structure.filter(pc.field("category") == ALL).to_pylist()
    found = {(row["strategy"], row["metric"]): row["value"] for row in rows if row["metric"] in figures}
    strategies = sorted({strategy for strategy, _ in found})

    def draw(axes: Axes) -> None:
        for place, figure in enumerate(figures):
            width = [found.get((strategy, figure)) or 0.0 for strategy in strategies]
            at = np.arange(len(strategies)) + (place - 1) * 0.25
            axes.barh(at, width, height=0.23, color=COLOURS[place], label=figure)
        axes.set_xlabel("characters of a chunk's text")

    return _png(draw, strategies, legend=len(figures))


def _png(draw: Draw, strategies: Sequence[str], legend: int) -> bytes:
    """A plot with one line a strategy, drawn off screen."""
    from matplotlib.figure import Figure

    height = 1.2 + (0.55 if len(strategies) <= FEW else 0.34) * max(len(strategies), 1)
    figure = Figure(figsize=(7.0, height), dpi=DOTS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    if strategies:
        draw(axes)
        axes.set_yticks(range(len(strategies)), [_label(strategy) for strategy in strategies])
        axes.invert_yaxis()
        axes.grid(axis="x", linewidth=0.4)
        figure.legend(ncols=legend, loc="outside upper center", frameon=False, fontsize=8)
    else:
        axes.text(0.5, 0.5, "nothing to show yet", ha="center", va="center")
        axes.set_axis_off()
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")  # a Figure of its own, not pyplot's: always drawn by Agg
    return _compressed(drawn)


def _compressed(drawn: io.BytesIO) -> bytes:
    """The image as a PNG of 32 colours and no metadata: a third of what matplotlib writes."""
    from PIL import Image  # comes with matplotlib

    buffer = io.BytesIO()
    image = Image.open(drawn).convert("RGB").quantize(32, dither=Image.Dither.NONE)
    image.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def _label(strategy: str) -> str:
    """A name as a label; ``$`` would start a formula."""
    return plain_text(strategy)[:LABEL_CHARACTERS].replace("$", r"\$")
