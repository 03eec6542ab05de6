"""Reproduce the reference study through the pipeline and compare figure by figure.

Prints one line a figure (name, reference, measured, verdict). Exit code 1 on any deviation, 2 where the
corpora are not named by ``CHUNK_PIPELINE_CORPORA``. The catalog stays at
``data/reference/chunk_pipeline.duckdb``.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import yaml
from rich.console import Console
from rich.table import Table

from chunk_pipeline.commands.console import workspace_with_bars
from chunk_pipeline.defs.launch import open_instance, run_sources
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.job_result import JobResult
from chunk_pipeline.warehouse.catalog import NAME

HERE = Path(__file__).parent
ROOT = Path("data/reference")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the study: how it is measured, what it was, and how far off it may be."""

    name: str
    sql: str
    reference: float
    within: float
    digits: int | None
    cut: bool

    def agrees(self, measured: float | None) -> bool:
        """Whether a measured value is the reference, as it was rounded or within its tolerance."""
        if measured is None:
            return False
        if self.cut:
            return math.floor(measured) == self.reference
        if self.digits is not None:
            return round(measured, self.digits) == round(self.reference, self.digits)
        # A published figure is rounded to three digits; the tolerance is on top of the rounding.
        return abs(measured - self.reference) <= self.within + (0.0005 if self.within else 0.0)


def figures(path: Path) -> Iterator[Figure]:
    """The figures of the file, its rows put into names and queries."""
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
        how = (entry.get("within", 0.0), entry.get("digits"), entry.get("cut", False))
        for *values, reference in entry.get("rows", [[entry.get("reference")]]):
            name, sql = entry["name"].format(*values), entry["sql"].format(*values)
            yield Figure(name, sql, float(reference), *how)


def compare(catalog: Path, console: Console) -> int:
    """Print every figure beside its reference; returns how many deviate."""
    table = Table("figure", "reference", "measured", "verdict", title="The reference study")
    deviations = 0
    with duckdb.connect(str(catalog.resolve()), read_only=True) as connection:
        for figure in figures(HERE / "_reference_figures.yaml"):
            rows = connection.execute(figure.sql).fetchall()
            measured = float(rows[0][0]) if rows and rows[0][0] is not None else None
            agrees = figure.agrees(measured)
            deviations += not agrees
            shown = "nothing" if measured is None else f"{measured:.6g}"
            table.add_row(figure.name, f"{figure.reference:.6g}", shown, "ok" if agrees else "DEVIATES")
    console.print(table)
    return deviations


def run() -> list[JobResult]:
    """Run the pipeline on the study's repositories."""
    settings = Settings(
        warehouse=str(ROOT),
        sources=HERE / "_reference_sources.yaml",
        cache=ROOT / "cache",
        dagster_home=ROOT / "dagster_home",
    )
    os.environ.pop("DAGSTER_HOME", None)
    with workspace_with_bars(settings) as workspace, open_instance(settings) as instance:
        return run_sources(workspace, instance, [source.name for source in workspace.sources.sources])


def main() -> int:
    """Run, compare, and say how it went by the exit code."""
    console = Console(soft_wrap=True, width=max(Console().width, 100))
    corpora = os.environ.get("CHUNK_PIPELINE_CORPORA")
    if not corpora:
        console.print("set CHUNK_PIPELINE_CORPORA to the folder that holds corpora/kalisio")
        return 2
    os.environ["CHUNK_PIPELINE_CORPORA"] = str(Path(corpora).resolve())
    results = run()
    for result in results:
        for line in result.errors:
            console.print(f"failed: {result.name}: {line}", markup=False)
    if not all(result.succeeded for result in results):
        return 1
    deviations = compare(ROOT / NAME, console)
    console.print(f"{deviations} figures deviate" if deviations else "every figure agrees")
    return 1 if deviations else 0


if __name__ == "__main__":
    sys.exit(main())
